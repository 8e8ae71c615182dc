// Messages to the person, and the question for a key.

import { engine } from "./api.ts";
import { fill, h } from "./dom.ts";
import { t } from "./words.ts";

const note = h("div", { class: "note", role: "status", "aria-live": "polite", hidden: true });
let timer = 0;

/** Says something for some seconds. */
export function report(text: string): void {
  if (!note.isConnected) document.body.append(note);
  fill(note, h("span", null, text), h("button", { class: "quiet small", "aria-label": t("closeAll"), onclick: () => { note.hidden = true; } }, "×"));
  note.hidden = false;
  clearTimeout(timer);
  timer = window.setTimeout(() => { note.hidden = true; }, 4000 + text.length * 40);
}

let asking = false;

/** Asks for the key of the server, and goes on with it. */
export function askKey(then: () => void): void {
  if (asking) return;
  asking = true;
  const input = h("input", { type: "password", autocomplete: "off", required: true, "aria-label": t("key") });
  const dialog = h("dialog", { class: "dialog", "aria-label": t("key") },
    h("form", { method: "dialog" }, h("h2", null, t("key")), h("p", null, engine.key ? t("keyWrong") + " " : "", t("keyHelp")), input, h("div", { class: "row" }, h("button", { class: "primary" }, t("open")))));
  dialog.addEventListener("close", () => {
    asking = false;
    dialog.remove();
    engine.key = input.value.trim();
    if (engine.key) then();
  });
  document.body.append(dialog);
  dialog.showModal();
}
