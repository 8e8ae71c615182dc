// The view that checks documents: findings, source, page and fields, each leading to the
// others, with the card of the rule beside them.

import { type Adding, busyStates, type Checked, engine, type Field, type Finding, type Made, Refusal, type Remedy, type View } from "./api.ts";
import { FieldList } from "./fields.ts";
import { named, unpacked } from "./files.ts";
import { keepSoon } from "./keep.ts";
import { printed } from "./print.ts";
import { RuleCard } from "./card.ts";
import { download, fill, fromBase64, h, icon, later, refill, soon } from "./dom.ts";
import { TextEditor, type Mark } from "./editor.ts";
import { InvoicePage } from "./page.ts";
import { ask, askKey, hush, report, tellList, told } from "./shell.ts";
import { changed, settings } from "./settings.ts";
import { asked, given, kindOf, newDocument, type Open, opened, state, tell } from "./state.ts";
import { sentence, sentences, t, type Word } from "./words.ts";

const mostFiles = 2000;
const mostFindings = 400;
const mostListed = 500; // of the documents that are open
const long = 1_000_000; // characters of a document whose page is made a while after the last edit
const forServer = new Set(["transform zugferd", "transform facturx", "render pdf", "report html"]); // which the program for browsers leaves out
const lossWords: Record<string, Word> = { lost: "lossLost", changed: "lossChanged", added: "lossAdded", violated: "lossViolated" };
const severities = { fatal: "error", warning: "warning", information: "info" } as const;
type Pane = "findings" | "source" | "page" | "fields" | "card";

export class CheckView extends HTMLElement {
  private editor = new TextEditor();
  private sheet = new InvoicePage();
  private card = new RuleCard();
  private list = h("div", { class: "findings-list" });
  private verdict = h("div", { class: "verdict", role: "status", "aria-live": "polite", tabindex: -1, "data-home": true });
  private report = h("div", { class: "printed" });
  private fields = new FieldList();
  private changeList = h("div", { class: "changes" });
  private files = h("div", { class: "files" });
  private work = h("div", { class: "work" });
  private start = h("div", { class: "start" });
  private shown: Pane = "findings";
  private middle: "source" | "page" | "fields" = "source";
  private groupBy: "level" | "rule" | "place" = "level";
  private filter = "";
  private chosen: Finding | null = null;
  private busy = false;
  private again = false;

  connectedCallback(): void {
    if (this.firstChild) return;
    this.editor.addEventListener("edit", () => this.edited());
    this.editor.addEventListener("missing", () => report(t("partMissing")));
    this.editor.addEventListener("place", (e) => this.atPlace((e as CustomEvent<number>).detail));
    this.sheet.addEventListener("path", (e) => this.atPath((e as CustomEvent<string>).detail));
    this.fields.addEventListener("path", (e) => this.atField((e as CustomEvent<Field>).detail));
    this.fields.addEventListener("undo", () => this.editor.undo());
    this.fields.addEventListener("value", (e) => this.setField((e as CustomEvent<{ field: Field; value: string }>).detail));
    new ResizeObserver(() => { this.tabs(); this.paint(); }).observe(this.work); // another width shows other panes
    changed.addEventListener("change", () => { this.words(); void this.judge(); });
    opened.addEventListener("draft", () => void this.judge());
    this.words();
    addEventListener("beforeprint", () => fill(this.report, this.prints ?? (state.current ? printed(state.current, this.sorted(""), this.card) : null)));
    addEventListener("afterprint", () => { this.prints = null; });
    document.addEventListener("keydown", (e) => { if (e.key === "F8" && !this.hidden) { e.preventDefault(); this.step(e.shiftKey ? -1 : 1); } });
  }

  /** Everything that has words is made anew; what is open stays. */
  private words(): void {
    this.editor.named = t("source");
    this.sheet.named = t("page");
    this.makeStart();
    this.makeWork();
    fill(this, this.start, this.work, this.report);
    this.refresh();
  }

  // ---- opening documents

  private makeStart(): void {
    const several = h("input", { type: "file", multiple: true, hidden: true, onchange: (e: Event) => void this.open([...(e.target as HTMLInputElement).files!]) });
    const folder = h("input", { type: "file", webkitdirectory: true, hidden: true, onchange: (e: Event) => void this.open([...(e.target as HTMLInputElement).files!]) });
    const box = h("textarea", { rows: 5, spellcheck: "false", "aria-label": t("paste"), placeholder: "<Invoice …>  {\"invoice\": …}", oninput: () => { if (box.value.trim()) void this.openText("invoice", box.value); } });
    fill(this.start,
      h("div", { class: "start-card" },
        h("div", { class: "start-icon" }, icon("drop")),
        h("h1", { "data-home": true, tabindex: -1 }, t("dropTitle")),
        h("p", { class: "start-lead" }, t("dropLead")),
        h("div", { class: "row center" },
          h("button", { class: "primary", onclick: () => several.click() }, t("choose")),
          h("button", { onclick: () => folder.click() }, t("chooseFolder")),
          h("button", { id: "sample", onclick: () => void this.sample() }, icon("play"), t("sample"))),
        several, folder,
        h("label", { class: "paste" }, h("span", null, t("paste")), box),
        h("p", { class: "promise" }, icon("lock"), h("span", { class: "promise-text" }, t(engine.local ? "local" : "remote")))));
  }

  async sample(): Promise<void> {
    const answer = await fetch("/app/sample.xml");
    await this.openText("sample.xml", await answer.text());
  }

  async openText(name: string, text: string): Promise<void> {
    if (!(await this.leaves())) return;
    const d = newDocument(name, null, text.replace(/\r\n?/g, "\n"));
    state.documents = [d];
    this.turnTo(d);
  }

  async open(files: File[]): Promise<void> {
    if (files.length === 0 || !(await this.leaves())) return;
    const { taken, left, damaged } = await unpacked(files, mostFiles);
    if (damaged) { report(t("zipDamaged", { file: damaged })); return; }
    if (taken.length === 0) { report(files.length === 1 ? t("zipEmpty", { file: files[0].name }) : named(left)); return; }
    if (taken.length === mostFiles && left.length > 0) report(t("tooMany", { n: mostFiles }));
    else if (left.length > 0) report(named(left));
    state.documents = [];
    for (const file of taken) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      state.documents.push(newDocument(file.webkitRelativePath || file.name, bytes, null));
    }
    if (state.documents.length > 1) this.pane("findings"); // where the list of them is
    if (state.documents.length > 0) this.turnTo(state.documents[0]);
    void this.checkOthers();
  }

  /** Judges the documents of the list that nobody looked at yet. */
  private async checkOthers(): Promise<void> {
    const all = state.documents;
    for (const d of all) {
      if (state.documents !== all) return;
      if (d.checked || d === state.current) continue;
      d.failure = "";
      try {
        d.checked = await engine.call<Checked>("check", { ...asked(), ...given(d) });
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) { askKey(() => void this.checkOthers()); return; }
        d.failure = told(error);
        // What is said of this document need not hold for the next; a server that is busy or gone answers none.
        if (!(error instanceof Refusal) || busyStates.includes(error.status)) { this.leaveOthers(d.failure); return; }
      }
      this.filesSoon();
    }
  }

  /** Says of all documents without a verdict why they have none. */
  private leaveOthers(why: string): void {
    for (const d of state.documents) if (!d.checked) d.failure ||= why;
    this.filesSoon();
    report(why);
  }

  /** Shows what was open when the page was left. */
  resume(): void {
    if (state.current) this.turnTo(state.current);
    void this.checkOthers();
  }

  /** Has the finding of an address chosen when it is there; without a document its rule is shown. */
  lookFor(address: string): void {
    this.wanted = address;
    if (address && !state.current) this.dispatchEvent(new CustomEvent("rule", { detail: address.split("@")[0] }));
  }
  private wanted = "";

  undo(): void { this.editor.undo(); }
  redo(): void { this.editor.redo(); }

  private filesSoon = soon(150, () => this.makeFiles());

  private turnTo(d: Open): void {
    if (state.current) state.current.past = this.editor.past;
    state.current = d;
    this.chosen = null;
    this.waiting.clear();
    this.editor.show(d.text ?? "", "xml", d.past ?? null);
    this.card.empty();
    this.refresh();
    tell("documents");
    void this.judge();
  }

  /** Asks before changes that were not saved are left; false to stay. */
  private async leaves(): Promise<boolean> {
    return !state.documents.some((d) => d.edited) || ask(t("another"), t("unsaved"), t("discard"));
  }

  async close(): Promise<void> {
    if (!(await this.leaves())) return;
    hush();
    state.documents = [];
    state.current = null;
    this.refresh();
    tell("documents");
  }

  // ---- judging

  private edited(): void {
    const d = state.current;
    if (!d) return;
    d.text = this.editor.text;
    d.edited = true;
    keepSoon();
    this.looking.abort(); // it is of a text that is no more
    void this.judge();
  }

  /** Judges the document as it is now. One call is under way at a time; the last text counts. */
  private async judge(): Promise<void> {
    const d = state.current;
    if (!d) return;
    if (this.busy) { this.again = true; return; }
    this.busy = true;
    this.work.setAttribute("aria-busy", "true");
    try {
      do {
        this.again = false;
        const text = d.text, began = performance.now();
        const checked = await engine.call<Checked>("check", { ...asked(), ...given(d) });
        if (state.current !== d) break;
        d.took = performance.now() - began;
        d.failure = "";
        d.checked = checked;
        if (checked.source && d.text === text) { // the text of a file, or with another declared encoding
          d.text = d.first = checked.source;
          this.editor.show(checked.source, checked.kind === "json" ? "json" : "xml");
        }
        if (!this.again) this.judged(d);
      } while (this.again);
      this.lookAgain();
    } catch (error) {
      this.failed(error); // a busy server was asked several times already
      if (state.current === d && !(error instanceof Refusal && error.status === 401)) this.unchecked(d, told(error));
    } finally {
      this.busy = false;
      this.work.removeAttribute("aria-busy");
      if (state.current && state.current !== d) void this.judge();
    }
  }

  /** Says of a document why it has no verdict, until it is checked again. */
  private unchecked(d: Open, why: string): void {
    d.failure = why;
    this.makeVerdict(d);
    this.makeFindings();
    this.filesSoon();
  }

  private judged(d: Open): void {
    const kind = d.checked!.kind === "json" ? "json" : "xml";
    if (d.text !== null) this.editor.show(d.text, kind);
    const before = this.chosen;
    this.chosen = before ? d.checked!.findings.find((f) => f.rule === before.rule && f.location === before.location) ?? null : null;
    this.makeVerdict(d);
    this.makeFindings();
    this.mark(d);
    this.filesSoon();
    const wanted = this.wanted && d.checked!.findings.find((f) => addressOf(f) === this.wanted || f.rule === this.wanted);
    this.wanted = "";
    if (wanted) this.choose(wanted);
    else if (!this.chosen && before === null && this.card.checkVisibility()) this.chooseFirst();
    if (!this.chosen) this.card.empty(d.checked!.findings.length ? "selectFinding" : d.checked!.problem ? "noRuleRun" : "noFindings");
  }

  /** The page, the fields and the remedies follow a little later than the verdict. */
  private lookSoon = later(120, () => void this.look());
  private lookLater = later(1500, () => void this.look());
  private lookAgain(): void { ((state.current?.text?.length ?? 0) > long ? this.lookLater : this.lookSoon)(); }
  private looking = new AbortController();

  private async look(): Promise<void> {
    const d = state.current;
    if (!d?.checked) return;
    const text = d.text, signal = (this.looking = new AbortController()).signal;
    try {
      const request = { ...asked(), ...given(d) };
      const noPage = !this.sheet.checkVisibility();
      const view = await engine.call<View>("view", { ...request, noPage }, signal);
      if (state.current !== d || d.text !== text) return;
      d.view = view;
      d.viewOf = text;
      this.pageMissing = noPage;
      if (!view.problem && !d.original) {
        const first = d.first === null || d.first === text ? view : await engine.call<View>("view", { ...asked(), text: d.first, name: d.name, noPage: true }, signal);
        d.original = first.problem ? view : first;
      }
      this.stale.page = this.stale.fields = true;
      this.paint();
      this.makeChanges(d);
      if (this.waiting.size > 0) { this.setWaiting(); return; }
      const remedies = d.checked.findings.length ? (await engine.call<{ remedies: Remedy[] }>("remedies", request, signal)).remedies : [];
      if (state.current !== d || d.text !== text) return;
      d.remedies = remedies;
      d.remediesOf = text;
      this.makeFindings();
    } catch (error) { if (!signal.aborted) this.failed(error); }
  }

  private failed(error: unknown, again: () => void = () => void this.judge()): void {
    if (error instanceof Refusal && error.status === 401) { askKey(again); return; }
    report(told(error));
  }

  // ---- leading from one to the others

  private choose(f: Finding): void {
    this.chosen = f;
    this.editor.select(this.place(f.span));
    this.sheet.choose(f.fields ?? [], f);
    this.fields.choose(f.fields ?? []);
    this.showCard(f);
    this.makeFindings();
    void this.offer(f);
  }

  /** Who looks at the card without a finding chosen sees that of the first. */
  private chooseFirst(): void {
    const first = this.sorted()[0];
    if (first) this.choose(first);
  }

  /** The place of an element with elements in it is the name in its start tag: marked as a whole it
   * would hide all others. */
  private place(span: { from: number; to: number } | null): { from: number; to: number } | null {
    const text = state.current?.text ?? "";
    if (!span || text[span.from] !== "<") return span;
    const whole = text.slice(span.from, span.to), tag = /^<[^\s/>]+/.exec(whole)?.[0];
    const isLeaf = whole.includes("</") && !/<[^/!?]/.test(whole.slice(1));
    return tag && !isLeaf ? { from: span.from, to: span.from + tag.length } : span;
  }

  // The terms that a finding misses and that have a place in the document, with what is typed.
  private missing: { of: Finding; path: string; bt: string; name: string }[] = [];
  private typed = new Map<string, string>();

  /** Finds out which terms the chosen finding misses can be added. */
  private async offer(f: Finding): Promise<void> {
    const d = state.current, text = d?.text;
    if (!d || d.checked?.kind === "json" || d.checked?.problem) return;
    const found: typeof this.missing = [];
    for (const path of (f.fields ?? []).slice(0, 4)) {
      if (d.viewOf === text && d.view?.fields.some((v) => v.path === path)) continue;
      try {
        const a = await engine.call<Adding>("add", { ...asked(), ...given(d), path, value: "" });
        if (a.possible) found.push({ of: f, path, bt: a.bt, name: a.name });
      } catch { return; } // an older server
      if (state.current !== d || d.text !== text || this.chosen !== f) return;
    }
    if (found.length === 0 && this.missing.length === 0) return;
    this.missing = found;
    this.makeFindings();
  }

  private async addTerm(path: string): Promise<void> {
    const d = state.current!, text = d.text, value = (this.typed.get(path) ?? "").trim();
    if (!value) return;
    try {
      const a = await engine.call<Adding>("add", { ...asked(), ...given(d), path, value });
      if (state.current !== d || d.text !== text || a.edits.length === 0) return;
      this.missing = [];
      this.typed.delete(path);
      this.editor.replace(a.edits);
    } catch (error) { this.failed(error); }
  }

  private showCard(f: Finding): void {
    if (state.current?.checked?.problem) this.card.tell(f.rule, f.message); // JSON that is not an invoice: no rule was run
    else void this.card.show(f.rule, this.rulesets(), true, f.message, f.language);
  }

  private step(by: number): void {
    const all = this.sorted();
    if (all.length === 0) return;
    const at = this.chosen ? all.indexOf(this.chosen) : -1;
    this.choose(all[(at + by + all.length) % all.length]);
    this.list.querySelector<HTMLElement>("[aria-current=true]")?.focus();
  }

  private atPlace(offset: number): void {
    const d = state.current;
    const inside = (s: { from: number; to: number } | null) => s !== null && s.from <= offset && offset <= s.to;
    const f = d?.checked?.findings.find((f) => inside(f.span));
    if (f && f !== this.chosen) {
      this.chosen = f;
      this.sheet.choose(f.fields ?? [], f);
      this.fields.choose(f.fields ?? []);
      this.showCard(f);
      this.makeFindings();
      return;
    }
    const field = d?.view?.fields.find((v) => inside(v.span));
    if (field) { this.sheet.choose([field.path]); this.fields.choose([field.path]); }
  }

  private atPath(path: string): void {
    const d = state.current;
    const f = d?.checked?.findings.find((f) => f.fields?.includes(path));
    if (f) { this.choose(f); return; }
    const field = d?.view?.fields.find((v) => v.path === path);
    this.editor.select(field?.span ?? null);
    this.sheet.choose([path]);
    this.fields.choose([path]);
  }

  private atField(f: Field): void {
    this.editor.select(f.span);
    this.sheet.choose([f.path]);
    const fault = state.current?.checked?.findings.find((x) => x.fields?.includes(f.path));
    if (!fault) return;
    this.chosen = fault;
    this.makeFindings();
    this.showCard(fault);
  }

  // Values of fields that were changed before it was known where they are in the text as it is.
  private waiting = new Map<string, string>();

  private setField({ field, value }: { field: Field; value: string }): void {
    this.waiting.set(field.path, value);
    if (state.current?.viewOf === state.current?.text) this.setWaiting();
  }

  private setWaiting(): void {
    const d = state.current!, edits: { from: number; to: number; text: string }[] = [];
    for (const f of d.view?.fields ?? []) {
      const value = this.waiting.get(f.path);
      if (value !== undefined && f.edit) edits.push({ ...f.edit, text: written(value, d.checked!.kind, d.text?.[f.edit.from - 1] === '"') });
    }
    this.waiting.clear();
    this.editor.replace(edits);
  }

  private rulesets(): string[] { return (state.current?.checked?.rulesets ?? []).map((s) => `${s.name}/${s.version}`); }

  // ---- what is on the screen

  private makeWork(): void {
    const tab = (name: Pane, count?: HTMLElement) => h("button", { role: "tab", "data-pane": name, "aria-selected": "false", onclick: () => this.turn(name) }, t(name as Word), count);
    const group = h("select", { "aria-label": t("group"), onchange: () => { this.groupBy = group.value as typeof this.groupBy; this.makeFindings(); } },
      (["level", "rule", "place"] as const).map((by) => h("option", { value: by, selected: this.groupBy === by }, t(({ level: "byLevel", rule: "byRule", place: "byPlace" } as const)[by]))));
    const filter = h("input", { type: "search", placeholder: t("filter"), "aria-label": t("filter"), value: this.filter, oninput: () => { this.filter = filter.value; this.makeFindings(); } });
    fill(this.work,
      h("h1", { class: "sr" }, t("check")),
      h("div", { class: "bar" }, this.verdict, h("div", { class: "bar-actions" },
        this.makeMenu(),
        h("button", { class: "quiet", onclick: () => void this.close() }, icon("back"), t("another")))),
      h("div", { class: "tabs", role: "tablist", "aria-label": t("views") }, tab("findings"), tab("source"), tab("page"), tab("fields"), tab("card")),
      h("div", { class: "panes" },
        h("section", { class: "pane pane-findings" },
          this.files, h("div", { class: "tools" }, filter, h("label", { class: "labelled" }, h("span", null, t("groupLabel")), group)), this.list, this.changeList),
        h("section", { class: "pane pane-source" }, this.editor),
        h("section", { class: "pane pane-page" }, this.sheet),
        h("section", { class: "pane pane-fields" }, this.fields),
        h("section", { class: "pane pane-card" }, this.card)));
    this.pane(this.shown);
  }

  private pane(name: Pane): void {
    this.shown = name;
    if (name === "source" || name === "page" || name === "fields") this.middle = name;
    this.work.dataset.pane = name;
    this.work.dataset.middle = this.middle;
    this.tabs();
    this.paint();
  }

  /** Selects the tab of what is shown: where there is room for it without a tab, that of the middle. */
  private tabs(): void {
    const tabs = [...this.work.querySelectorAll<HTMLElement>("[role=tab]")];
    const isThere = tabs.some((tab) => tab.dataset.pane === this.shown && tab.checkVisibility());
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab.dataset.pane === (isThere ? this.shown : this.middle)));
      tab.classList.toggle("middle", tab.dataset.pane === this.middle);
    }
  }

  // What a pane would show that nobody looks at is made when it is looked at.
  private stale = { page: true, fields: true };
  private pageMissing = false; // the view that is there was asked for without its page

  private paint(): void {
    const d = state.current;
    if (!d) return;
    if (this.stale.page && this.sheet.checkVisibility()) {
      if (this.pageMissing) { this.lookAgain(); return; }
      this.stale.page = false;
      this.sheet.show(d.view?.html ?? "", d.view?.problem ? sentences(d.view.problem.message, d.view.problem.remedy) : "", () => {
        this.sheet.mark(d.checked?.findings ?? []);
        if (this.chosen) this.sheet.choose(this.chosen.fields ?? [], this.chosen);
      });
    }
    if (this.stale.fields && this.fields.checkVisibility()) {
      this.stale.fields = false;
      this.fields.show(d.view, d.checked?.findings ?? []);
    }
  }

  /** Turns to a pane, and there to what is chosen. */
  private turn(name: Pane): void {
    this.pane(name);
    if (name === "card" && !this.chosen) this.chooseFirst();
    if (name === "fields" && this.chosen) this.fields.choose(this.chosen.fields ?? []);
  }

  /** Shows all that is known of the document. */
  private refresh(): void {
    const d = state.current;
    this.start.hidden = d !== null;
    this.work.hidden = d === null;
    if (!d) { this.makeStart(); return; }
    this.makeVerdict(d);
    this.makeFiles();
    this.makeFindings();
    this.makeChanges(d);
    this.stale.page = this.stale.fields = true;
    this.mark(d);
  }

  /** Marks the findings in the source, and on the panes that are looked at. */
  private mark(d: Open): void {
    const findings = d.checked?.findings ?? [];
    const marks: Mark[] = findings.filter((f) => f.span).map((f) => ({ ...this.place(f.span)!, severity: severities[f.level], message: `${f.rule}  ${f.message}` }));
    const trouble = d.checked?.problem;
    if (trouble?.span) marks.push({ ...trouble.span, severity: "error", message: sentences(trouble.message, trouble.remedy) });
    this.editor.mark(marks);
    if (!this.stale.page) {
      this.sheet.mark(findings);
      if (this.chosen) this.sheet.choose(this.chosen.fields ?? [], this.chosen);
    }
    this.stale.fields = true;
    this.paint();
  }

  private makeVerdict(d: Open): void {
    const c = d.checked;
    if (!c || d.failure) {
      const word = d.failure ? "unchecked" : "waiting";
      this.work.dataset.state = word;
      fill(this.verdict, h("span", { class: "badge " + word }, t(word)), h("bdi", { class: "doc-name" }, d.name));
      return;
    }
    const word: Word = c.problem ? "unread" : c.valid ? "valid" : "invalid";
    this.work.dataset.state = word;
    fill(this.verdict,
      h("span", { class: "badge " + word }, icon(c.valid ? "check" : "cross"), t(word)),
      h("div", { class: "verdict-text" },
        h("div", { class: "doc-line" }, h("bdi", { class: "doc-name", title: d.name }, [c.number, c.seller].filter(Boolean).join(" · ") || d.name), c.payable.trim() ? h("span", { class: "amount" }, c.payable) : null),
        h("div", { class: "muted small" }, c.problem ? sentence(c.problem.message) : [c.profile, c.kind.toUpperCase(), c.attachment].filter(Boolean).join(" · "), state.usesDraft ? h("span", { class: "chip warning with-draft" }, t("withDraft")) : null, engine.lacksRules ? h("span", { class: "chip warning lacks-rules", title: t("builtIn") }, t("builtInShort")) : null,
          c.rulesRun ? h("span", { class: "timing" }, " · " + t("decidedIn", { n: c.rulesRun, ms: d.took < 10 ? d.took.toFixed(1) : Math.round(d.took) })) : null)),
      h("div", { class: "counts" }, (["fatal", "warning", "information"] as const).filter((level) => c.counts[level]).map((level) => h("span", { class: "count " + level }, h("b", null, c.counts[level]), " ", t(c.counts[level] === 1 ? (level + "One") as Word : level)))));
  }

  private makeFiles(): void {
    const all = state.documents;
    this.files.hidden = all.length < 2;
    if (all.length < 2) return;
    const order = { invalid: 0, unread: 1, unchecked: 2, waiting: 3, valid: 4 }, name = this.filesFound.toLowerCase();
    const found = (d: Open) => !name || `${d.name} ${d.checked?.number ?? ""} ${d.checked?.seller ?? ""} ${d.checked?.problem?.message ?? ""} ${(d.checked?.findings ?? []).map((f) => f.rule + " " + f.message).join(" ")}`.toLowerCase().includes(name);
    // What a person has to do stands first; the list keeps its order otherwise.
    this.listed = all.filter((d) => (!this.filesShown || kindOf(d) === this.filesShown) && found(d)).sort((a, b) => order[kindOf(a)] - order[kindOf(b)]);
    const wanted = state.current && !this.listed.includes(state.current) ? [state.current, ...this.listed] : this.listed;
    const chip = (kind: "valid" | "invalid" | "unread" | "unchecked") => !all.some((d) => kindOf(d) === kind) ? null : h("button", { class: "small", "aria-pressed": String(this.filesShown === kind), onclick: () => { this.filesShown = this.filesShown === kind ? "" : kind; this.makeFiles(); } },
      h("span", { class: "dot " + kind, "aria-hidden": "true" }), `${all.filter((d) => kindOf(d) === kind).length} ${t(kind === "unread" ? "unreads" : kind)}`);
    const search = h("input", { type: "search", value: this.filesFound, placeholder: t("searchFiles"), "aria-label": t("searchFiles"), oninput: () => { this.filesFound = search.value; this.makeFiles(); this.files.querySelector("input")?.focus(); } });
    const list = h("div", { class: "file-list", tabindex: 0, role: "region", "aria-label": t("documents") }, wanted.slice(0, mostListed).map((d) => h("button", { class: "file", "aria-current": d === state.current ? "true" : null, onclick: () => this.turnTo(d) },
      h("span", { class: "dot " + kindOf(d), "aria-label": t(kindOf(d)), role: "img" }),
      h("bdi", { class: "file-name", title: d.name }, d.name), d.checked && !d.checked.valid && !d.checked.problem ? h("span", { class: "muted" }, d.checked.counts.fatal) : null)),
    wanted.length > mostListed ? h("p", { class: "hint" }, t("wordsOmitted", { n: wanted.length - mostListed })) : null);
    // It is made anew while documents are checked: then it stays where it was.
    const top = this.files.querySelector(".file-list")?.scrollTop ?? 0;
    refill(this.files, h("h2", { class: "label" }, `${t("documents")} (${all.length})`), h("div", { class: "row segmented" }, chip("invalid"), chip("unread"), chip("unchecked"), chip("valid"), ), h("div", { class: "row save-list" }, h("span", { class: "muted small" }, t("saveList")), this.listButtons("small")), search, list);
    list.scrollTop = top;
  }
  private filesShown: "" | "valid" | "invalid" | "unread" | "unchecked" = "";
  private filesFound = "";

  private listed: Open[] = []; // the documents that the search finds

  /** What saves the list, which is the documents that the search finds or the one that is open. */
  private listButtons(look: string): HTMLElement[] {
    const button = (name: string, save: (list: typeof import("./list.ts"), documents: Open[]) => unknown) => h("button", { class: look, onclick: () => void this.saveList(save) }, name);
    return [button("CSV", (list, documents) => list.saveCSV(documents)), button("XLSX", (list, documents) => list.saveXLSX(documents)), button(t("printList"), (list, documents) => this.print(list.printedList(documents)))];
  }

  private async saveList(save: (list: typeof import("./list.ts"), documents: Open[]) => unknown): Promise<void> {
    this.querySelector<HTMLDetailsElement>(".menu")!.open = false;
    try { await save(await import("./list.ts"), state.documents.length > 1 ? this.listed : state.documents); } catch { report(t("partMissing")); }
  }

  private prints: Node[] | null = null; // in place of the report of the document

  private print(parts: Node[]): void {
    this.prints = parts;
    window.print();
  }

  private sorted(filter = this.filter): Finding[] {
    const d = state.current, wanted = filter.toLowerCase();
    const order = { fatal: 0, warning: 1, information: 2 };
    const place = (f: Finding) => f.span?.from ?? Number.MAX_SAFE_INTEGER;
    const by: Record<string, (a: Finding, b: Finding) => number> = {
      level: (a, b) => order[a.level] - order[b.level] || place(a) - place(b),
      rule: (a, b) => a.rule.localeCompare(b.rule) || place(a) - place(b),
      place: (a, b) => place(a) - place(b),
    };
    return (d?.checked?.findings ?? []).filter((f) => !wanted || `${f.rule} ${f.message} ${(f.btCodes ?? []).join(" ")} ${(f.fields ?? []).join(" ")}`.toLowerCase().includes(wanted)).sort(by[this.groupBy]);
  }

  private makeFindings(): void {
    const d = state.current;
    if (!d) return;
    const all = this.sorted();
    const parts: Node[] = [];
    const ready = d.remediesOf === d.text;
    if (d.failure) parts.push(h("div", { class: "trouble" }, h("p", null, sentence(d.failure)), h("div", { class: "row" }, h("button", { class: "small", id: "check-again", onclick: () => void this.judge() }, t("retry")))));
    else if (d.checked?.problem) parts.push(this.trouble(d));
    if (d.remedies.length > 0) {
      parts.push(h("div", { class: "remedies" }, h("div", { class: "remedies-head" }, h("h2", { class: "label" }, icon("wand"), t("remedies")),
        d.remedies.length > 1 ? h("button", { class: "small", id: "apply-all", disabled: !ready, onclick: () => this.apply(d.remedies) }, t("applyAll", { n: d.remedies.length })) : null),
      d.remedies.map((r) => this.remedy(r, ready))));
    }
    const nameOf = (f: Finding) => (this.groupBy === "level" ? t(f.level) : this.groupBy === "rule" ? f.rule : "");
    const sizes = new Map<string, number>();
    for (const f of all) sizes.set(nameOf(f), (sizes.get(nameOf(f)) ?? 0) + 1);
    let group = "";
    for (const f of all.slice(0, mostFindings)) {
      const name = nameOf(f);
      if (name !== group) parts.push(h("h2", { class: "label" }, name, " ", h("span", { class: "muted" }, sizes.get(name))));
      group = name;
      parts.push(this.finding(f));
    }
    if (d.checked && !d.failure && !d.checked.problem && d.checked.findings.length === 0) parts.push(h("p", { class: "all-good" }, icon("check"), t("noFindings")));
    if (all.length === 0 && d.checked?.findings.length) parts.push(h("p", { class: "hint" }, t("noMatch")));
    const more = Math.max(0, all.length - mostFindings) + (d.checked?.omitted ?? 0);
    if (more > 0) parts.push(h("p", { class: "hint" }, t("wordsOmitted", { n: more })));
    if (d.checked && !d.checked.problem) parts.push(this.decidedBy(d.checked));
    const focused = this.list.contains(document.activeElement), adding = (document.activeElement as HTMLElement | null)?.dataset?.add;
    fill(this.list, parts);
    if (adding !== undefined && focused) this.list.querySelector<HTMLElement>(`[data-add="${CSS.escape(adding)}"]`)?.focus();
    else if (focused) this.list.querySelector<HTMLElement>("[aria-current=true]")?.focus();
  }

  /** Why a document cannot be judged, and what can be done with it here. */
  private trouble(d: Open): HTMLElement {
    const { message, remedy, span, line, code } = d.checked!.problem!;
    const hasPages = d.bytes !== null && !d.text && isPages(d.bytes);
    return h("div", { class: "trouble" }, h("p", null, sentence(message)), h("p", { class: "muted" }, sentence(remedy)), h("div", { class: "row" },
      span && line ? h("button", { class: "small", onclick: () => { this.turn("source"); this.editor.select(span); this.editor.focus(); } }, t("showPlace", { n: line })) : null,
      hasPages ? h("button", { class: "primary small", id: "read-pages", onclick: () => this.dispatchEvent(new CustomEvent("pages", { detail: new File([d.bytes as BlobPart], d.name) })) }, t("readPages")) : null,
      code === "FORMAT-LEGACY" ? [["xrechnung", "XRechnung"], ["zugferd", "ZUGFeRD"]].map(([to, name]) => h("button", { class: "small", onclick: () => void this.make("transform", to) }, t("transformTo", { to: name }))) : null));
  }

  /** The rules, overlays and the day that decided. */
  private decidedBy(c: Checked): HTMLElement {
    const heeds = c.kind !== "json" || !(settings.at || settings.overlays?.length);
    return h("details", { class: "decided", open: this.showsDecided || engine.lacksRules, ontoggle: (e: Event) => { this.showsDecided = (e.target as HTMLDetailsElement).open; } }, h("summary", null, t("decidedBy")),
      heeds ? null : h("p", { class: "hint" }, t("jsonSettings")), engine.lacksRules ? h("p", { class: "hint" }, t("builtIn")) : null,
      h("ul", null, (c.rulesets ?? []).map((s) => h("li", null, h("code", null, `${s.name} ${s.version}`), " ", h("span", { class: "muted" }, t("rulesCount", { n: s.rules })))),
        (c.overlays ?? []).map((o) => h("li", null, h("code", null, o.name), " ", h("span", { class: "muted" }, o.applied ? o.title : o.reason))),
        c.date ? h("li", null, t("decidedDay", { day: c.date.day })) : null));
  }
  private showsDecided = false;

  private finding(f: Finding): HTMLElement {
    const current = f === this.chosen, problem = state.current?.checked?.problem !== undefined;
    const missing = current ? this.missing.filter((m) => m.of === f || m.of.rule === f.rule && m.of.location === f.location) : [];
    const button = h("button", {
      class: "finding " + f.level, "aria-current": current ? "true" : null, onclick: () => this.choose(f),
      onkeydown: (e: KeyboardEvent) => { if (e.key === "ArrowDown" || e.key === "ArrowUp") { e.preventDefault(); this.step(e.key === "ArrowDown" ? 1 : -1); } },
    },
    h("span", { class: "finding-head" }, h("span", { class: "sr" }, t((f.level + "One") as Word)), h("code", { class: "rule-id" }, f.rule), h("span", { class: "muted finding-terms" }, (f.btCodes?.length ? f.btCodes : problem ? f.fields ?? [] : []).join(" ")),
      h("span", { class: "where muted" }, f.line ? t("line", { n: f.line }) : t("nowhere"))),
    h("span", { class: "finding-text", lang: f.language }, problem ? sentence(f.message) : f.message));
    if (!current) return button;
    return h("div", { class: "finding-open" }, button,
      missing.map((m) => {
        const input = h("input", { "data-add": m.path, value: this.typed.get(m.path) ?? "", oninput: () => this.typed.set(m.path, input.value) });
        return h("form", { class: "add-term", onsubmit: (e: Event) => { e.preventDefault(); void this.addTerm(m.path); } },
          h("label", null, h("span", null, t("addTerm", { term: `${m.bt} ${m.name}` })), input), h("button", { class: "primary small" }, t("add")));
      }),
      h("button", { class: "quiet small copy-finding", onclick: () => void navigator.clipboard.writeText(`${location.origin}/app#check?${new URLSearchParams({ language: settings.language, finding: addressOf(f) })}`).then(() => report(t("copied"))) }, t("copyFinding")));
  }

  private remedy(r: Remedy, ready: boolean): HTMLElement {
    return h("div", { class: "remedy" },
      h("div", { class: "remedy-text" }, h("span", { class: "remedy-name" }, h("code", null, r.bt), " ", r.name), h("span", { class: "swap" }, r.was ? [h("del", null, r.was), " → "] : "+ ", h("ins", null, r.becomes)), h("span", { class: "muted small" }, t(r.kind as Word))),
      h("button", { class: "small", disabled: !ready, "aria-label": `${t("apply")}: ${r.bt} ${r.becomes}`, onclick: () => this.apply([r]) }, t("apply")));
  }

  private apply(remedies: Remedy[]): void {
    state.current!.remedies = [];
    this.editor.replace(remedies.flatMap((r) => r.edits));
  }

  // ---- changes, saving, making

  private changes(d: Open): { field: Field; was: string | null; is: string | null }[] {
    if (!d.original || !d.view || d.original === d.view || d.view.problem && d.view.fields.length === 0) return [];
    const before = new Map(d.original.fields.map((f) => [f.path, f])), after = new Map(d.view.fields.map((f) => [f.path, f]));
    const out: { field: Field; was: string | null; is: string | null }[] = [];
    for (const [path, f] of after) {
      const old = before.get(path);
      if (old?.value !== f.value) out.push({ field: f, was: old?.value ?? null, is: f.value });
    }
    for (const [path, f] of before) if (!after.has(path)) out.push({ field: f, was: f.value, is: null });
    return out;
  }

  private makeChanges(d: Open): void {
    const all = this.changes(d);
    this.changeList.hidden = all.length === 0;
    if (all.length === 0) return;
    fill(this.changeList, h("h2", { class: "label" }, `${t("changes")} (${all.length})`),
      h("ul", null, all.slice(0, 50).map((c) => h("li", null, h("code", null, c.field.bt), " ", c.field.name, h("span", { class: "swap" }, c.was === null ? t("added") : h("del", null, c.was), " → ", c.is === null ? t("removed") : h("ins", null, c.is))))),
      h("div", { class: "row" }, h("button", { class: "primary", id: "save", onclick: () => this.save(d) }, icon("save"), t("save")), h("button", { onclick: () => this.editor.undo() }, t("undo"))));
  }

  private save(d: Open): void {
    const name = (d.name.split("/").pop() ?? "invoice").replace(/\.(pdf|xml|json)$/i, "") || "invoice";
    const kind = d.checked?.kind === "json" ? "json" : "xml";
    download(`${name}.${kind}`, kind === "json" ? "application/json" : "application/xml", d.text ?? "");
    const lines = this.changes(d).map((c) => [c.field.bt, c.field.name, c.field.path, c.was ?? "", c.is ?? ""].map((v) => v.replace(/[\t\n]/g, " ")).join("\t"));
    d.edited = false;
    keepSoon();
    download(`${name}.changes.tsv`, "text/tab-separated-values", ["BT\tterm\tpath\tbefore\tafter", ...lines].join("\n") + "\n");
  }

  private makeMenu(): HTMLElement {
    const item = (label: string, what: string, to: string) => h("button", { class: to === "xrechnung" ? "primary menu-item" : "quiet menu-item", onclick: () => void this.make(what, to) }, label);
    const part = (name: Word, hint: Word | null, ...items: HTMLElement[]) => [h("h2", { class: "label" }, t(name), hint ? h("span", { class: "menu-hint" }, t(hint)) : null), h("div", { class: "menu-row" }, items)];
    const box = h("div", { class: "menu-box" });
    const menu = h("details", { class: "menu" }, h("summary", { class: "button" }, icon("file"), t("make")), box);
    menu.addEventListener("toggle", () => {
      if (!menu.open) return;
      const isJSON = state.current?.checked?.kind === "json"; // of which there is nothing to convert or take out
      fill(box,
        part("transform", "transformHint", item("XRechnung", "transform", "xrechnung"), item("UBL", "transform", "ubl"), item("CII", "transform", "cii"), item("ZUGFeRD PDF", "transform", "zugferd"), item("Factur-X PDF", "transform", "facturx")),
        isJSON ? null : part("convert", "convertHint", item("UBL", "convert", "ubl"), item("CII", "convert", "cii")),
        part("print", null, item("PDF", "render", "pdf"), item("HTML", "render", "html"), item("SVG", "render", "svg")),
        isJSON ? null : part("extract", null, item("XML", "extract", "xml"), item("JSON", "extract", "json"), item(t("attachments"), "extract", "attachments")),
        state.documents.length > 1 ? null : part("saveList", null, ...this.listButtons("quiet menu-item")), // else they stand above the list
        part("reports", null, ...([["html", "HTML"], ["json", "JSON"], ["sarif", "SARIF"], ["svrl", "SVRL"], ["junit", "JUnit"], ["text", t("plainText")]] as const).map(([to, label]) => item(label, "report", to))));
    });
    menu.addEventListener("keydown", (e) => { if (e.key === "Escape") { menu.open = false; menu.querySelector("summary")!.focus(); } });
    document.addEventListener("click", (e) => { if (menu.open && !menu.contains(e.target as Node)) menu.open = false; });
    return menu;
  }

  private async make(what: string, to: string): Promise<void> {
    const d = state.current!;
    this.querySelector<HTMLDetailsElement>(".menu")!.open = false;
    const request = { ...asked(), ...given(d), what, to };
    try {
      const byServer = engine.local && forServer.has(`${what} ${to}`);
      if (byServer && !(await ask(t("make"), t("sendLead"), t("send")))) return;
      const made = await (byServer ? engine.atServer<Made>("make", request) : engine.call<Made>("make", request));
      if (made.refused) {
        const why = made.refused.findings.filter((f) => f.level === "fatal");
        tellList(t("refusedTitle"), t("refusedLead"), why.map((f) => h("li", null, h("code", { class: "rule-id" }, f.rule), " ", h("span", { lang: f.language }, f.message))));
        return;
      }
      download(made.fileName, made.mediaType, fromBase64(made.data));
      if (made.losses.length === 0) { report(t("made", { file: made.fileName })); return; }
      tellList(t("made2", { file: made.fileName }), "", made.losses.map((l) => h("li", null, h("span", { class: "chip" }, t(lossWords[l.kind] ?? "lossChanged")), " ", h("code", null, l.bt), " ", h("bdi", null, l.value), " ", h("span", { class: "muted" }, sentence(l.reason)))));
    } catch (error) { this.failed(error, () => void this.make(what, to)); }
  }
}

/** The address of a finding: the rule and its place in the document, of which it has no value. */
function addressOf(f: Finding): string { return f.location ? `${f.rule}@${f.location}` : f.rule; }

/** Whether a file is pages that can be read: a PDF or a picture. */
function isPages(bytes: Uint8Array): boolean {
  const begins = (text: string) => [...text].every((c, i) => bytes[i] === c.charCodeAt(0));
  return ["%PDF", "\x89PNG", "\xff\xd8\xff", "II*\0", "MM\0*"].some(begins);
}

/** A value as the source has it. In JSON what is not a number becomes a text, so that it stays JSON. */
function written(value: string, kind: string, quoted: boolean): string {
  if (kind === "json") return quoted ? JSON.stringify(value).slice(1, -1) : /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? value : JSON.stringify(value);
  return value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

customElements.define("check-view", CheckView);
