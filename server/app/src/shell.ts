// Messages to the person, and the question for a key.

import { engine, Refusal } from "./api.ts";
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

/** Takes away what was said: it was of something that the person has left. */
export function hush(): void { note.hidden = true; }

let asking = false;

/** Asks for the key of the server, and goes on with it. The one that the page has was rejected, or another is wanted. */
export function askKey(then: () => void, rejected = engine.key !== ""): void {
  if (asking) return;
  asking = true;
  const input = h("input", { type: "password", autocomplete: "off", required: true, "aria-label": t("key") });
  const box = h("dialog", { class: "dialog", "aria-label": t("key") },
    h("form", { method: "dialog" }, h("h2", null, t("key")), h("p", null, rejected ? t("keyWrong") + " " : "", t("keyHelp")), input, h("div", { class: "row" }, h("button", { class: "primary" }, t("open")))));
  box.addEventListener("close", () => {
    asking = false;
    box.remove();
    if (!input.value.trim()) return; // closed without one
    engine.key = input.value.trim();
    then();
  });
  document.body.append(box);
  box.showModal();
}

/** What an error says to the person. */
export function told(error: unknown): string {
  return error instanceof Refusal ? error.message : t(engine.local ? "serverGone" : "offline");
}

/** A dialog that is closed by a button, Escape or a choice. */
function dialog(title: string, lead: string, parts: Node[], buttons: HTMLElement[]): Promise<string> {
  const box = h("dialog", { class: "dialog", "aria-label": title }, h("form", { method: "dialog" }, h("h2", null, title), lead ? h("p", null, lead) : null, parts, h("div", { class: "row" }, buttons)));
  document.body.append(box);
  box.showModal();
  return new Promise((resolve) => box.addEventListener("close", () => { box.remove(); resolve(box.returnValue); }));
}

/** Asks for a decision; false is Escape and Cancel. */
export async function ask(title: string, lead: string, yes: string): Promise<boolean> {
  return (await dialog(title, lead, [], [h("button", { class: "primary", value: "yes" }, yes), h("button", { value: "" }, t("cancel"))])) === "yes";
}

/** Asks for a text of a form; "" is Escape and Cancel. */
export async function askText(title: string, lead: string, label: string, value: string, pattern: string): Promise<string> {
  const input = h("input", { value, pattern, required: true, spellcheck: "false" });
  const answer = await dialog(title, lead, [h("label", null, h("span", null, label), input)], [h("button", { class: "primary", value: "yes" }, t("open")), h("button", { value: "", formnovalidate: true }, t("cancel"))]);
  return answer === "yes" ? input.value : "";
}

/** Asks for one of several; "" is Escape and Cancel. */
export async function askChoice(title: string, names: string[]): Promise<string> {
  const select = h("select", { "aria-label": title }, names.map((name) => h("option", { value: name }, name)));
  return (await dialog(title, "", [select], [h("button", { class: "primary", value: "yes" }, t("open")), h("button", { value: "", formnovalidate: true }, t("cancel"))])) === "yes" ? select.value : "";
}

/** Shows a list that is too long for a message. */
export function tellList(title: string, lead: string, items: HTMLElement[]): void {
  void dialog(title, lead, [h("div", { class: "told", tabindex: 0, role: "region", "aria-label": title }, h("ul", null, items))], [h("button", { class: "primary", value: "" }, t("closeAll"))]);
}
