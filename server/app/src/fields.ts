// The terms of a document as a form: the values can be changed, and the source follows.

import type { Field, Finding, View } from "./api.ts";
import { fill, h } from "./dom.ts";
import { changed } from "./settings.ts";
import { sentences, t } from "./words.ts";

const mostShown = 400;

interface Row { row: HTMLElement; input: HTMLInputElement; fault: HTMLElement; field: Field }

/** Tells of "path" with the field that has the focus, of "value" with the new value of one, and of
 * "undo". */
export class FieldList extends HTMLElement {
  private search = h("input", { type: "search", class: "grow", oninput: () => this.make() });
  private list = h("div", { class: "field-list", tabindex: 0, role: "region" });
  private rows = new Map<string, Row>();
  private view: View | null = null;
  private faults = new Map<string, Finding>();
  private chosen: string[] = [];

  connectedCallback(): void {
    if (this.firstChild) return;
    this.append(h("div", { class: "tools" }, this.search), this.list);
    changed.addEventListener("change", () => this.words());
    this.words();
  }

  private words(): void {
    this.search.placeholder = t("filterFields");
    this.search.setAttribute("aria-label", t("filterFields"));
    this.list.setAttribute("aria-label", t("fields"));
    this.rows.clear();
    this.make();
  }

  show(view: View | null, findings: Finding[]): void {
    this.view = view;
    this.faults.clear();
    for (const f of findings) for (const path of f.fields ?? []) if (!this.faults.has(path)) this.faults.set(path, f);
    this.make();
  }

  choose(paths: string[]): void {
    this.chosen = paths;
    const row = this.point();
    if (row) this.list.scrollTop = row.offsetTop - this.list.clientHeight / 3;
  }

  /** Points to the chosen field. */
  private point(): HTMLElement | undefined {
    for (const row of this.list.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    const row = this.chosen.map((path) => this.rows.get(path)?.row).find((r) => r !== undefined);
    row?.setAttribute("aria-current", "true");
    return row;
  }

  private make(): void {
    const wanted = this.search.value.toLowerCase();
    const found = (this.view?.fields ?? []).filter((f) => !wanted || `${f.bt} ${f.name} ${this.groupOf(f.path)} ${f.path} ${f.value}`.toLowerCase().includes(wanted));
    const shown = found.slice(0, mostShown);
    const more = found.length - shown.length + (this.view?.omitted ?? 0);
    // Values change more often than what terms there are; then the form stays, with its focus.
    const laid = shown.length !== this.rows.size || !shown.every((f) => this.rows.has(f.path)) || shown.length === 0;
    if (laid) this.lay(shown, more);
    for (const f of shown) this.fillRow(this.rows.get(f.path)!, f);
    if (laid) this.point();
  }

  private lay(shown: Field[], more: number): void {
    this.rows.clear();
    let group = "";
    const parts: Node[] = [h("p", { class: "hint" }, t("fieldsHelp"))];
    for (const f of shown) {
      const name = this.groupOf(f.path);
      if (name !== group && name) parts.push(h("h2", { class: "label" }, name));
      group = name;
      const made = this.row(f);
      this.rows.set(f.path, made);
      parts.push(made.row);
    }
    if (this.view?.problem && this.view.fields.length === 0) {
      parts.splice(0, 1, h("p", { class: "hint" }, sentences(this.view.problem.message, this.view.problem.remedy)), h("button", { class: "small", onclick: () => this.dispatchEvent(new Event("undo")) }, t("undo")));
    } else if (shown.length === 0 && this.view) parts.push(h("p", { class: "hint" }, t("noField")));
    if (more > 0) parts.push(h("p", { class: "hint" }, t("wordsOmitted", { n: more })));
    const focused = this.list.contains(document.activeElement) ? document.activeElement?.closest<HTMLElement>("[data-path]")?.dataset.path : undefined;
    const top = this.list.scrollTop;
    fill(this.list, parts);
    this.list.scrollTop = top;
    if (focused) this.rows.get(focused)?.input.focus();
  }

  /** The heading of a field: of the innermost group that has one. */
  private groupOf(path: string): string {
    const groups = this.view?.groups ?? {};
    for (let at = path.length; (at = path.lastIndexOf(".", at - 1)) > 0; ) {
      const name = groups[path.slice(0, at)];
      if (name) return name;
    }
    return "";
  }

  private row(f: Field): Row {
    const input = h("input", {
      spellcheck: "false", "aria-label": `${f.bt} ${f.name}`,
      onfocus: () => this.dispatchEvent(new CustomEvent("path", { detail: made.field })),
      onchange: () => this.dispatchEvent(new CustomEvent("value", { detail: { field: made.field, value: input.value } })),
    });
    const fault = h("span", { class: "field-fault" });
    const made: Row = { input, fault, field: f, row: h("label", { class: "field", "data-path": f.path }, h("span", { class: "field-name" }, h("code", null, f.bt), " ", f.name), input, fault) };
    return made;
  }

  private fillRow(r: Row, f: Field): void {
    const fault = this.faults.get(f.path);
    r.field = f;
    if (r.input !== document.activeElement && r.input.value !== f.value) r.input.value = f.value;
    r.input.readOnly = f.edit === null;
    r.row.classList.remove("fatal", "warning", "information");
    r.fault.hidden = !fault;
    if (!fault) { r.input.removeAttribute("aria-invalid"); return; }
    r.row.classList.add(fault.level);
    r.input.setAttribute("aria-invalid", "true");
    r.fault.textContent = `${fault.rule}: ${fault.message}`;
  }
}

customElements.define("field-list", FieldList);
