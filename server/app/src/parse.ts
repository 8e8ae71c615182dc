// The view that reads pages: the page with the words, the values with how certain they are,
// and a click on words for the one that is right.

import { engine, Refusal } from "./api.ts";
import { fill, h, icon, refill, toBase64 } from "./dom.ts";
import { named } from "./files.ts";
import { changed, settings } from "./settings.ts";
import { ask, askKey, report, told } from "./shell.ts";
import { opened } from "./state.ts";
import { t } from "./words.ts";

interface Box { left: number; top: number; right: number; bottom: number }
interface Value { value: string; printed?: string; page?: number; box?: Box; confidence: number; source: string }
interface Page { width: number; height: number; picture: string | null; words: { text: string; box: Box }[] }
interface Label { bt: string; name: string; within: string }
interface Parsed { invoice: unknown; fields: Record<string, Value>; labels: Record<string, Label>; pages: Page[]; findings: { rule: string; level: string; message: string }[] }

const sameShape = 0.005;

export class ParseView extends HTMLElement {
  private parsed: Parsed | null = null;
  private name = "";
  private pointer = "";
  private picked: string[] = [];
  private picture = ""; // address of a picture that was dropped
  private busy = false;
  private list = h("div", { class: "value-list", tabindex: 0, role: "region" });
  private pages = h("div", { class: "scan", tabindex: 0, role: "region" });

  connectedCallback(): void {
    if (this.firstChild) return;
    changed.addEventListener("change", () => this.make());
    opened.addEventListener("rules", () => { if (!this.parsed) this.make(); });
    this.make();
  }

  async open(files: File[]): Promise<void> {
    if (files.length === 0) return;
    if (engine.local && !(await ask(t("parse"), t("sendLead"), t("send")))) return;
    if (files.length > 1) report(named(files.slice(1).map((f) => f.name))); // one is read at a time
    this.busy = true;
    this.make();
    try {
      const bytes = new Uint8Array(await files[0].arrayBuffer());
      this.name = files[0].name;
      this.parsed = await engine.atServer<Parsed>("parse", { language: settings.language, file: toBase64(bytes), name: this.name });
      await this.takePicture(bytes);
      this.pointer = Object.keys(this.parsed.fields).sort((a, b) => this.parsed!.fields[a].confidence - this.parsed!.fields[b].confidence)[0] ?? "";
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) askKey(() => void this.open(files));
      else report(told(error));
    }
    this.busy = false;
    this.make();
  }

  /** Takes a picture that was dropped as that of its page, where it has the shape of the page:
   * one that was set straight before it was read has another. */
  private async takePicture(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    URL.revokeObjectURL(this.picture);
    this.picture = "";
    if (this.parsed!.pages.length !== 1 || this.parsed!.pages[0].picture) return;
    const { width, height } = this.parsed!.pages[0];
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([bytes]));
    try { await image.decode(); } catch { URL.revokeObjectURL(image.src); return; } // no picture, or one that browsers do not show
    if (Math.abs((image.naturalWidth / image.naturalHeight) / (width / height) - 1) < sameShape) this.picture = image.src;
    else URL.revokeObjectURL(image.src);
  }

  private make(): void {
    const several = h("input", { type: "file", accept: ".pdf,.png,.jpg,.jpeg,.tif,.tiff", hidden: true, onchange: () => void this.open([...several.files!]) });
    if (!this.parsed) {
      fill(this, h("div", { class: "start" }, h("div", { class: "start-card" }, h("div", { class: "start-icon" }, icon("search")), h("h1", null, t("parse")), h("p", { class: "start-lead" }, engine.local ? t("parseNative") : t("parseLead")),
        h("div", { class: "row center" }, h("button", { class: "primary", disabled: this.busy, onclick: () => several.click() }, this.busy ? t("waiting") : t("choose"))), several)));
      return;
    }
    this.list.setAttribute("aria-label", t("values"));
    this.pages.setAttribute("aria-label", t("page"));
    fill(this, h("h1", { class: "sr" }, t("parse")), h("div", { class: "bar" }, h("div", { class: "doc-name" }, this.name), h("div", { class: "bar-actions" },
      h("button", { class: "primary", id: "create", onclick: () => this.dispatchEvent(new CustomEvent("create", { detail: JSON.stringify({ invoice: this.parsed!.invoice }, null, 2), bubbles: true })) }, t("create")),
      h("button", { class: "quiet", onclick: () => { this.parsed = null; this.make(); } }, icon("back"), t("another")))),
    h("div", { class: "split parse-split" }, h("section", { class: "column" }, h("p", { class: "hint pad" }, t("correct")), this.doubts(), this.list), h("section", { class: "column wide" }, this.pages)));
    this.makeList();
    this.makePages();
  }

  /** What reading found wrong or doubtful. */
  private doubts(): HTMLElement | null {
    const all = this.parsed!.findings;
    if (all.length === 0) return null;
    return h("details", { class: "doubts" }, h("summary", null, `${t("doubts")} (${all.length})`), h("ul", null, all.map((f) => h("li", null, h("code", { class: "rule-id" }, f.rule), " ", f.message))));
  }

  private makeList(): void {
    const fields = Object.entries(this.parsed!.fields).sort(([, a], [, b]) => a.confidence - b.confidence);
    refill(this.list, fields.map(([pointer, v]) => {
      const sure = Math.round(v.confidence * 100);
      return h("button", { class: "value-row", "aria-current": pointer === this.pointer ? "true" : null, "data-pointer": pointer, onclick: () => { this.pointer = pointer; this.picked = []; this.makeList(); this.mark(); } },
        h("span", { class: "field-name" }, this.label(pointer)), h("b", null, h("bdi", null, v.value)),
        h("span", { class: "chip " + (sure >= 90 ? "good" : sure >= 60 ? "warning" : "fatal") }, t("confidence", { n: sure })));
    }));
  }

  private label(pointer: string): Node[] {
    const { bt, name, within } = this.parsed!.labels[pointer];
    return [h("code", null, bt), document.createTextNode(" " + [within, name].filter(Boolean).join(" › "))];
  }

  private makePages(): void {
    fill(this.pages, this.parsed!.pages.map((page, number) => {
      const sheet = h("div", { class: "scan-page", "data-page": number + 1, role: "group", "aria-label": t("pagesOf", { n: number + 1 }) });
      sheet.style.aspectRatio = `${page.width} / ${page.height}`;
      const picture = page.picture ? "data:image/png;base64," + page.picture : this.picture;
      if (picture) sheet.append(h("img", { src: picture, alt: "" }));
      else sheet.classList.add("drawn");
      for (const w of page.words) {
        const word = h("button", { class: "word", "aria-label": w.text, onclick: () => this.pick(w.text), title: w.text }, picture ? "" : w.text);
        at(word, w.box);
        word.style.fontSize = `${(w.box.bottom - w.box.top) * 100 * (page.height / page.width) * 0.8}cqw`;
        sheet.append(word);
      }
      return sheet;
    }));
    this.mark();
  }

  /** Shows where the chosen value is from. */
  private mark(): void {
    for (const old of this.pages.querySelectorAll(".found")) old.remove();
    const v = this.parsed!.fields[this.pointer];
    const sheet = v?.page ? this.pages.querySelector(`[data-page="${v.page}"]`) : null;
    if (!v?.box || !sheet) return;
    const found = h("div", { class: "found" });
    at(found, v.box);
    sheet.append(found);
    found.scrollIntoView({ block: "center" });
  }

  /** Takes a word for the chosen value; further words are added to it. */
  private pick(text: string): void {
    const v = this.parsed!.fields[this.pointer];
    if (!v) return;
    this.picked.push(text);
    const steps = this.pointer.slice(1).split("/"), last = steps.pop()!;
    let group = this.parsed!.invoice as Record<string, any>;
    for (const step of steps) group = group[step];
    v.value = asBefore(this.picked.join(" "), v.value);
    v.confidence = 1;
    group[last] = typeof group[last] === "number" ? Number(v.value) : v.value;
    this.makeList();
  }
}

function at(element: HTMLElement, b: Box): void {
  Object.assign(element.style, { left: `${b.left * 100}%`, top: `${b.top * 100}%`, width: `${(b.right - b.left) * 100}%`, height: `${(b.bottom - b.top) * 100}%` });
}

/** A printed text as a value of the kind that was there: a number, a day, or a text. */
function asBefore(text: string, before: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(before)) {
    const day = text.match(/(\d{1,2})[./](\d{1,2})[./](\d{4})/);
    return day ? `${day[3]}-${day[2].padStart(2, "0")}-${day[1].padStart(2, "0")}` : text;
  }
  if (/^-?\d+(\.\d+)?$/.test(before) && /^[-\d.,' ]+$/.test(text)) {
    const cut = Math.max(text.lastIndexOf(","), text.lastIndexOf("."));
    const decimals = cut >= 0 && text.length - cut - 1 !== 3;
    const digits = (s: string) => s.replace(/[^\d-]/g, "");
    return decimals ? `${digits(text.slice(0, cut))}.${digits(text.slice(cut + 1))}` : digits(text);
  }
  return text;
}

customElements.define("parse-view", ParseView);
