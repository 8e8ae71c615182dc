// The view of impact: what a draft changes on past invoices, batch after batch.

import { type Change, chosen, engine, type Fired, type Impact, Refusal } from "./api.ts";
import { openPast, sameRules } from "./archive.ts";
import { fill, h, icon, refill, toBase64 } from "./dom.ts";
import { named, unpacked } from "./files.ts";
import { changed, settings } from "./settings.ts";
import { askKey, report, told } from "./shell.ts";
import { opened, state } from "./state.ts";
import { t, type Word } from "./words.ts";

const batch = 40;
const mostRows = 500;
const mostFiles = 20_000;
const compares = (name: string) => /\.(xml|pdf)$/i.test(name);
type Group = "rule" | "seller" | "month";

export class ImpactView extends HTMLElement {
  private changes: Change[] = [];
  private compared = 0;
  private unread = 0;
  private same = 0;
  private total = 0;
  private running = 0;
  private group: Group = "rule";
  private wanted = "";
  private decided = "";
  private rules = "";
  private files = new Map<string, File>();
  private head = h("div", { class: "impact-head" });
  private numbers = h("div", { class: "numbers", role: "status", "aria-live": "polite" });
  private table = h("div", { class: "impact-results", tabindex: 0, role: "region" });
  ruleset = "";

  connectedCallback(): void {
    if (this.firstChild) return;
    this.append(this.head, this.numbers, this.table);
    changed.addEventListener("change", () => this.make());
    opened.addEventListener("draft", () => this.make());
    opened.addEventListener("rules", () => this.make());
    this.make();
  }

  private make(): void {
    const several = h("input", { type: "file", multiple: true, hidden: true, onchange: () => void this.open([...several.files!]) });
    const folder = h("input", { type: "file", webkitdirectory: true, hidden: true, onchange: () => void this.open([...folder.files!]) });
    const none = Object.keys(state.draft).length === 0;
    const sets = [...new Set(Object.keys(state.draft).filter((f) => f.split("/").length === 3).map((f) => f.split("/").slice(0, 2).join("/")))];
    const what = h("select", { "aria-label": t("impact"), onchange: () => { this.ruleset = what.value; this.show(); } }, h("option", { value: "" }, t("whole")), sets.map((s) => h("option", { value: s, selected: s === this.ruleset }, `${s}: ${t("alone")}`)));
    const parts = [h("h1", { "data-home": true, tabindex: -1 }, t("impactLead")), h("p", { class: "hint" }, none ? t("needDraft") : `${t("dropArchive")} ${t("draft")}: ${Object.keys(state.draft).join(", ")}`),
      none ? h("button", { class: "primary", id: "write-draft", onclick: () => this.dispatchEvent(new Event("draft")) }, t("writeDraft"))
        : h("div", { class: "row" }, h("button", { class: "primary", onclick: () => folder.click() }, t("chooseFolder")), h("button", { onclick: () => several.click() }, t("choose")),
          h("button", { id: "server-archive", onclick: () => void this.archive() }, t("serverArchive")), sets.length ? what : null,
          this.running ? h("button", { onclick: () => { this.running = 0; this.make(); } }, t("stop")) : null)];
    const isStart = none || this.total === 0 && !this.running;
    this.head.className = isStart ? "start" : "impact-head";
    refill(this.head, isStart ? h("div", { class: "start-card" }, h("div", { class: "start-icon" }, icon("drop")), parts) : parts, several, folder);
    this.table.setAttribute("aria-label", t("result"));
    this.show();
  }

  private request(): object { return { ...chosen(), draft: state.draft, ruleset: this.ruleset }; }

  /** What decides the documents: without the language, which changes no number. */
  private decides(): string { return JSON.stringify([{ ...this.request(), language: "" }, engine.era]); }

  private reset(): number {
    this.decided = this.decides();
    this.rules = "";
    this.changes = [];
    this.compared = this.unread = this.same = this.total = 0;
    this.running = Date.now();
    return this.running;
  }

  async open(files: File[]): Promise<void> {
    if (Object.keys(state.draft).length === 0) { report(t("needDraft")); return; }
    if (files.length === 0) return;
    const { taken: all, left, damaged } = await unpacked(files, mostFiles, compares);
    if (damaged) { report(t("zipDamaged", { file: damaged })); return; }
    if (left.length > 0) report(named(left));
    const run = this.reset(), request = structuredClone(this.request()); // of the whole run, whatever is edited meanwhile
    this.files = new Map(all.map((f) => [f.webkitRelativePath || f.name, f]));
    this.total = all.length;
    this.make();
    try {
      for (let i = 0; i < all.length && this.running === run; i += batch) {
        const documents = await Promise.all(all.slice(i, i + batch).map(async (f) => ({ file: toBase64(new Uint8Array(await f.arrayBuffer())), name: f.webkitRelativePath || f.name })));
        this.take(await engine.call<Impact>("impact", { ...request, documents }), run);
      }
    } catch (error) { this.failed(error); }
    if (this.running === run) { this.running = 0; this.make(); }
  }

  private async archive(): Promise<void> {
    const run = this.reset(), request = structuredClone(this.request());
    this.files.clear();
    this.make();
    try {
      for (let next: string | null = ""; next !== null && this.running === run;) {
        const some: Impact = await engine.call<Impact>("impact", { ...request, archive: next });
        this.total = some.total;
        this.take(some, run);
        next = some.next;
      }
    } catch (error) { this.failed(error, () => void this.archive()); }
    if (this.running !== run) return;
    this.running = 0;
    if (this.total === 0) report(t("noneCompared"));
    this.make();
  }

  private take(some: Impact, run: number): void {
    if (this.running !== run) return;
    this.rules = sameRules(this.rules, some.rules);
    this.compared += some.documents;
    this.unread += some.unread.length;
    this.same += some.same;
    this.changes.push(...some.changes);
    this.show();
  }

  private failed(error: unknown, again: () => void = () => undefined): void {
    this.running = 0;
    if (error instanceof Refusal && error.status === 401) askKey(again);
    else report(told(error));
    this.make();
  }

  private keys(c: Change): string[] {
    if (this.group === "seller") return [c.seller || "–"];
    if (this.group === "month") return [c.month || "–"];
    return [...new Set([...c.gone, ...c.new].map((f) => f.rule))];
  }

  private show(): void {
    const valid = this.changes.filter((c) => !c.validBefore && c.validAfter).length, invalid = this.changes.filter((c) => c.validBefore && !c.validAfter).length;
    const number = (n: number, text: string, kind = "") => h("div", { class: "number " + kind }, h("b", null, n.toLocaleString(settings.language)), h("span", null, text));
    this.numbers.hidden = this.table.hidden = this.total === 0;
    const counts = new Map<string, { all: number; valid: number; invalid: number }>();
    for (const c of this.changes) for (const key of this.keys(c)) {
      const at = counts.get(key) ?? { all: 0, valid: 0, invalid: 0 };
      at.all++;
      if (!c.validBefore && c.validAfter) at.valid++;
      if (c.validBefore && !c.validAfter) at.invalid++;
      counts.set(key, at);
    }
    const strip = (text: string) => text.replace(/\{n\} ?/, "");
    fill(this.numbers, number(this.compared, strip(t("compared"))), number(this.changes.length, strip(t("decided"))), number(valid, t("nowValid"), valid ? "good" : ""), number(invalid, t("nowInvalid"), invalid ? "bad" : ""),
      this.decided !== this.decides() ? h("p", { class: "hint" }, t("impactOfBefore")) : null,
      this.unread ? number(this.unread, strip(t("unreadable"))) : null,
      this.running ? h("progress", { max: this.total, value: this.compared + this.unread, "aria-label": t("compared", { n: this.compared }) }) : null);
    const largest = Math.max(1, ...[...counts.values()].map((c) => c.all));
    if (this.total > 0 && this.changes.length === 0) { fill(this.table, this.running ? null : this.nothing()); return; }
    const rows = this.changes.filter((c) => !this.wanted || this.keys(c).includes(this.wanted));
    refill(this.table,
      h("div", { class: "split" },
        h("section", { class: "column" },
          h("div", { class: "tools segmented", role: "group", "aria-label": t("group") }, (["rule", "seller", "month"] as const).map((g) => h("button", { class: "small", "aria-pressed": String(this.group === g), onclick: () => { this.group = g; this.wanted = ""; this.show(); } }, t(({ rule: "byRule", seller: "bySeller", month: "byMonth" } as const)[g])))),
          h("div", { class: "bars" }, [...counts].sort(([a, x], [b, y]) => (this.group === "month" ? a.localeCompare(b) : y.all - x.all)).slice(0, 100).map(([key, n]) => h("button", { class: "bar-row", "aria-pressed": String(this.wanted === key), onclick: () => { this.wanted = this.wanted === key ? "" : key; this.show(); } },
            h("span", { class: "bar-name" }, key), h("meter", { min: 0, max: largest, value: n.all, "aria-label": `${key}: ${n.all}` }), h("span", { class: "bar-count" }, n.all))))),
        h("section", { class: "column wide" }, h("div", { class: "change-list" }, rows.slice(0, mostRows).map((c) => this.row(c)), rows.length > mostRows ? h("p", { class: "hint" }, t("wordsOmitted", { n: rows.length - mostRows })) : null))));
  }

  /** What is said where no document is decided otherwise: whether the draft is for any of them. */
  private nothing(): HTMLElement {
    const touched = this.compared - this.same;
    if (this.compared === 0) return h("div", { class: "empty" }, h("h2", null, t("noneCompared")));
    return h("div", { class: "empty" }, h("h2", null, t("allSame")), h("p", { class: "hint" }, touched ? t("draftForSome", { n: touched.toLocaleString(settings.language) }) : t("draftForNone")));
  }

  private row(c: Change): HTMLElement {
    const verdict = (ok: boolean) => h("span", { class: "chip " + (ok ? "good" : "fatal") }, icon(ok ? "check" : "cross"), " ", t(ok ? "valid" : "invalid"));
    const fired = (list: Fired[], sign: string) => list.map((f) => h("span", { class: "chip " + f.level }, `${sign} ${f.rule}`));
    const file = this.files.get(c.document);
    const open = (draft: boolean, label: Word) => h("button", { class: "small quiet", "aria-label": `${t("open")}: ${c.document}, ${t(label)}`, onclick: () => openPast(this, c.document, draft, file) }, t(label));
    return h("div", { class: "change" },
      h("div", { class: "change-head" }, h("button", { class: "link", onclick: () => openPast(this, c.document, true, file) }, c.document),
        h("span", { class: "where muted small" }, [c.seller, c.month].filter(Boolean).join(" · "))),
      h("div", { class: "row" }, verdict(c.validBefore), "→", verdict(c.validAfter), fired(c.gone, "−"), fired(c.new, "+"),
        h("span", { class: "where row" }, open(false, "before"), open(true, "after"))));
  }
}

customElements.define("impact-view", ImpactView);
