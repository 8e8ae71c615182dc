"use strict";
// Each operation can be tried from its form. Without scripts there are no forms.
const key = document.getElementById("key");
document.querySelectorAll("[data-script]").forEach((part) => { part.hidden = false; });
document.querySelectorAll("form.try").forEach((form) => form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const shown = form.querySelector("output"), button = form.querySelector("button");
  let path = form.dataset.path, body;
  const query = new URLSearchParams(), headers = {}, parts = new FormData();
  form.querySelectorAll("[data-in]").forEach((input) => {
    const value = input.type === "file" ? input.files[0] : input.value;
    if (!value) return;
    switch (input.dataset.in) {
      case "path": path = path.replace(`{${input.name}}`, encodeURIComponent(value)); break;
      case "query": query.append(input.name, value); break;
      case "json": headers["Content-Type"] = "application/json"; body = value; break;
      default: parts.append(input.name, value); body = parts;
    }
  });
  if (key.value) headers.Authorization = `Bearer ${key.value}`;
  if (query.size) path += `?${query}`;
  shown.textContent = "…";
  button.disabled = true;
  try {
    const answer = await fetch(path, { method: form.dataset.method, headers, body });
    const told = ["Content-Type", "Content-Disposition", "Invoice-Profile", "Invoice-Warnings", "Invoice-Losses"]
      .filter((name) => answer.headers.has(name)).map((name) => `${name}: ${answer.headers.get(name)}`);
    const kind = answer.headers.get("Content-Type") || "", data = await answer.blob();
    shown.textContent = [`${answer.status} ${answer.statusText}`, ...told, ""].join("\n");
    if (/pdf|zip/.test(kind)) {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(data);
      link.download = kind.includes("zip") ? "documents.zip" : "document.pdf";
      link.textContent = `save (${data.size} bytes)`;
      shown.append("\n", link);
      return;
    }
    let text = await data.text();
    if (kind.includes("json")) try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* as it came */ }
    shown.append("\n", text.length > 50000 ? `${text.slice(0, 50000)}\n…` : text);
  } catch (error) {
    shown.textContent = `The service did not answer: ${error.message}`;
  } finally {
    button.disabled = false;
  }
}));
