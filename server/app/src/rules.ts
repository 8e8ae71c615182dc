// The view of rules: all of them with their cards, a draft with the help of the language
// service, expressions tried on a document, and publishing.

import { type Completion, type Drafted, engine, type Evaluated, Refusal, type RuleEntry, type View } from "./api.ts";
import { RuleCard } from "./card.ts";
import { fill, h, later, refill } from "./dom.ts";
import { type Mark, TextEditor } from "./editor.ts";
import { publishPart } from "./publish.ts";
import { changed, settings } from "./settings.ts";
import { ask, askChoice, askKey, askText, report, told } from "./shell.ts";
import { asked, given, opened, state, tell } from "./state.ts";
import { t, type Word } from "./words.ts";

type Part = "browse" | "draft" | "tryOut" | "publish";
const parts: Part[] = ["browse", "draft", "tryOut", "publish"];
const mostShown = 300;
const mostSource = 200_000; // characters

export class RulesView extends HTMLElement {
  private showing: Part = "browse";
  private body = h("div", { class: "rules-body" });
  private bar = h("div", { class: "tabs", role: "tablist" });
  private heading = h("h1", { class: "sr" });
  private card = new RuleCard("selectRule");
  private list = h("div", { class: "rule-list", tabindex: 0, role: "region" });
  private editor = new TextEditor();
  private results = h("div", { class: "draft-results", tabindex: 0, role: "region" });
  private expression = new TextEditor();
  private outcome = h("div", { class: "outcome", tabindex: 0, role: "region" });
  private found = "";
  private ruleset = "";
  private chosen = "";
  private file = "";
  private drafted: { of: string; found: Drafted } | null = null; // what is known of a draft
  private kind = "cel";
  private context = "/invoice";
  private form = { rule: "", level: "warning", seller: "", reason: "", owner: "", until: "" };

  connectedCallback(): void {
    if (this.firstChild) return;
    this.append(this.heading, this.bar, this.body);
    this.editor.help = { complete: (line, column) => this.complete(line, column), hover: (line, column) => this.hover(line, column) };
    this.editor.addEventListener("edit", () => { state.draft[this.file] = this.editor.text; tell("draft"); this.checkSoon(); });
    this.editor.addEventListener("missing", () => report(t("partMissing")));
    this.expression.addEventListener("edit", () => this.trySoon());
    this.expression.show("this.lines.sum(l, l.netAmount)", "");
    changed.addEventListener("change", () => this.make());
    opened.addEventListener("rules", () => { this.drafted = null; if (this.showing === "browse") this.make(); });
    opened.addEventListener("documents", () => { if (this.showing === "tryOut") this.make(); });
    this.make();
  }

  private make(): void {
    fill(this.heading, t("rules"));
    this.bar.setAttribute("aria-label", t("rules"));
    fill(this.bar, parts.map((part) => h("button", { role: "tab", "data-part": part, "aria-selected": String(part === this.showing), onclick: () => { this.showing = part; this.make(); } }, t(part))));
    this.bar.querySelector("[aria-selected=true]")!.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.showing === "browse") this.browse();
    if (this.showing === "draft") this.draft();
    if (this.showing === "tryOut") this.tryOut();
    if (this.showing === "publish") fill(this.body, publishPart(this.judged()));
  }

  // ---- browsing

  private browse(): void {
    const search = h("input", { type: "search", placeholder: t("searchHint"), "aria-label": t("search"), value: this.found, oninput: () => { this.found = search.value; this.makeList(); } });
    const sets = state.rules?.rulesets ?? [];
    const select = h("select", { "aria-label": t("allRulesets"), onchange: () => { this.ruleset = select.value; this.makeList(); } },
      h("option", { value: "" }, t("allRulesets")), sets.map((s) => h("option", { value: `${s.name}/${s.version}`, selected: this.ruleset === `${s.name}/${s.version}` }, `${s.name} ${s.version} (${s.rules.length})${s.own ? " ★" : ""}`)));
    this.list.setAttribute("aria-label", t("rules"));
    fill(this.body, h("div", { class: "split" },
      h("section", { class: "column" }, h("div", { class: "tools" }, search), h("div", { class: "tools tools-next" }, select), this.list),
      h("section", { class: "column wide" }, this.card)));
    this.makeList();
    if (this.chosen) void this.card.show(this.chosen, this.ruleset ? [this.ruleset] : [], false);
  }

  /** Shows a rule. */
  showRule(rule: string): void {
    this.showing = "browse";
    this.chosen = rule;
    this.make();
  }

  /** Shows the draft, with files that are to be in it. */
  showDraft(files: File[]): void {
    this.showing = "draft";
    this.make();
    void this.take(files);
  }

  private makeList(): void {
    const words = this.found.toLowerCase().split(/\s+/).filter(Boolean);
    const fires = new Map<string, number>();
    for (const d of state.documents) for (const rule of new Set(d.checked?.findings.map((f) => f.rule))) fires.set(rule, (fires.get(rule) ?? 0) + 1);
    const rows: { rule: RuleEntry; set: string }[] = [];
    const seen = new Set<string>();
    for (const s of state.rules?.rulesets ?? []) {
      const name = `${s.name}/${s.version}`;
      if (this.ruleset ? this.ruleset !== name : !s.newest) continue;
      for (const rule of s.rules) {
        const text = `${rule.id} ${rule.text} ${rule.btCodes.join(" ")}`.toLowerCase();
        if (words.every((w) => text.includes(w)) && !seen.has(rule.id + s.name)) { seen.add(rule.id + s.name); rows.push({ rule, set: `${s.name} ${s.version}` }); }
      }
    }
    refill(this.list, h("p", { class: "hint" }, t("rulesCount", { n: rows.length })),
      rows.slice(0, mostShown).map(({ rule, set }) => h("button", { class: "rule-row", "aria-current": rule.id === this.chosen ? "true" : null, onclick: () => { this.chosen = rule.id; this.makeList(); void this.card.show(rule.id, [set.replace(" ", "/")], false); } },
        h("span", { class: "finding-head" }, h("code", { class: "rule-id" }, rule.id), h("span", { class: "chip " + rule.level }, t((rule.level + "One") as Word)), fires.get(rule.id) ? h("span", { class: "chip" }, `× ${fires.get(rule.id)}`) : null, h("span", { class: "where muted" }, set)),
        h("span", { class: "rule-text", lang: rule.language }, rule.text),
        h("span", { class: "muted small" }, rule.never ? t("neverFires") : t("coverage", { n: rule.examples })))),
      rows.length > mostShown ? h("p", { class: "hint" }, t("wordsOmitted", { n: rows.length - mostShown })) : null,
      rows.length === 0 ? h("p", { class: "hint" }, t("noRules")) : null);
  }

  // ---- the draft

  private draft(): void {
    const files = Object.keys(state.draft).sort();
    if (!files.includes(this.file)) this.file = files[0] ?? "";
    const select = h("select", { "aria-label": t("file"), onchange: () => { this.file = select.value; this.draft(); } }, files.map((f) => h("option", { value: f, selected: f === this.file }, f)));
    const use = h("input", { type: "checkbox", onchange: () => { state.usesDraft = use.checked; tell("draft"); } });
    use.checked = state.usesDraft;
    this.results.setAttribute("aria-label", t("mistakes"));
    this.editor.named = t("draft");
    fill(this.body, h("div", { class: "split" },
      h("section", { class: "column" }, this.lowerForm()),
      h("section", { class: "column wide" }, files.length === 0
        ? h("div", { class: "empty" }, h("p", { class: "hint" }, t("noDraft")), h("div", { class: "row center" }, h("button", { id: "open-example", onclick: () => this.example() }, t("openExample")), this.fileButtons()))
        : [h("div", { class: "tools" }, select, this.fileButtons(), h("label", { class: "tick" }, use, h("span", null, t("useDraft"))), h("button", { class: "small", onclick: () => void this.discard() }, t("discard"))), this.editor, this.results])));
    if (files.length > 0) { this.editor.show(state.draft[this.file], "yaml"); void this.check(); }
  }

  /** What brings files into the draft: a new one, files of this computer, and those in force. */
  private fileButtons(): HTMLElement[] {
    const files = h("input", { type: "file", multiple: true, accept: ".yaml", hidden: true, onchange: () => void this.take([...files.files!]) });
    return [h("button", { class: "small", id: "new-file", onclick: () => void this.newFile() }, t("newFile")),
      h("button", { class: "small", onclick: () => files.click() }, t("choose")),
      h("button", { class: "small", id: "files-in-force", onclick: () => void this.inForce() }, t("filesInForce")), files];
  }

  private async discard(): Promise<void> {
    if (!(await ask(t("discard"), this.file, t("discard")))) return;
    delete state.draft[this.file];
    if (!Object.keys(state.draft).length) state.usesDraft = false;
    tell("draft");
    this.draft();
    (this.body.querySelector<HTMLElement>("#open-example") ?? this.editor).focus();
  }

  private edit(name: string, text: string): void {
    state.draft[name] ??= text;
    this.turnTo(name);
  }

  /** Goes on in the editor of a file. */
  private turnTo(name: string): void {
    this.file = name;
    tell("draft");
    this.draft();
    this.editor.focus();
  }

  private async newFile(): Promise<void> {
    const name = await askText(t("newFile"), t("newFileLead"), t("name"), "overlays/mine.yaml", "[A-Za-z0-9._\\-]+(/[A-Za-z0-9._\\-]+){1,2}\\.yaml");
    if (!name) return;
    const parts = name.replace(/\.yaml$/, "").split("/");
    this.edit(name, parts.length === 3 ? `ruleset: ${parts[0]}\nversion: ${parts[1]}\nlayer: cius\nrules:\n` : `overlay: ${parts[1]}\ntitle: \nowner: \non: {profiles: ["*"]}\n`);
  }

  /** Takes files: their names say nothing of folders, their first keys do. */
  private async take(files: File[]): Promise<void> {
    for (const file of files) {
      const text = await file.text(), key = (name: string) => text.match(new RegExp(`^${name}: *["']?([A-Za-z0-9._-]+)`, "m"))?.[1];
      const overlay = key("overlay"), set = key("ruleset"), version = key("version");
      if (!overlay && !(set && version)) { report(t("noRuleFile", { file: file.name })); continue; }
      this.edit(overlay ? `overlays/${overlay}.yaml` : `${set}/${version}/${file.name}`, text.replace(/\r\n?/g, "\n"));
    }
  }

  /** Offers the files that the server has of its own, to be changed. */
  private async inForce(): Promise<void> {
    try {
      const { files } = await engine.atServer<{ files: Record<string, string> }>("own", {});
      const names = Object.keys(files).filter((name) => name.endsWith(".yaml") && name.includes("/")).sort();
      if (names.length === 0) { report(t("noneInForce")); return; }
      const name = await askChoice(t("filesInForce"), names);
      if (name) this.edit(name, files[name]);
    } catch (error) { this.failed(error); }
  }

  private lowerForm(): HTMLElement {
    const set = (name: keyof typeof this.form) => (e: Event) => { this.form[name] = (e.target as HTMLInputElement).value; };
    const ids = h("datalist", { id: "rule-ids" }, [...new Set((state.rules?.rulesets ?? []).filter((s) => s.newest).flatMap((s) => s.rules.map((r) => r.id)))].map((id) => h("option", { value: id })));
    const field = (label: Word, name: keyof typeof this.form, more: object = {}) => h("label", null, h("span", null, t(label)), h("input", { value: this.form[name], required: true, oninput: set(name), ...more }));
    const seller = state.current?.view?.fields.find((f) => f.bt === "BT-31" || f.bt === "BT-34")?.value;
    if (!this.form.seller && seller) this.form.seller = seller;
    const first = state.current?.checked?.findings.find((f) => f.level === "fatal")?.rule;
    if (!this.form.rule && (this.chosen || first)) this.form.rule = first ?? this.chosen;
    return h("form", { class: "form lower", onsubmit: (e: Event) => { e.preventDefault(); this.write(); } },
      h("h2", null, t("lower")), ids,
      field("rule", "rule", { list: "rule-ids", pattern: "[A-Za-z0-9._\\-]+" }),
      h("label", null, h("span", null, t("level")), h("select", { onchange: set("level") }, ["warning", "information"].map((level) => h("option", { value: level, selected: this.form.level === level }, t((level + "One") as Word))))),
      field("forSeller", "seller"), field("reason", "reason"), field("owner", "owner"), field("until", "until", { type: "date" }),
      h("div", { class: "row" }, h("button", { class: "primary", id: "write-overlay" }, t("write"))));
  }

  /** Writes the overlay of the form. Values are YAML strings in double quotes, as JSON is. */
  private write(): void {
    const f = this.form;
    const name = ("lower-" + f.rule).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/-$/, "");
    const q = JSON.stringify;
    const sets = [...new Set((state.rules?.rulesets ?? []).filter((s) => s.rules.some((r) => r.id === f.rule)).map((s) => s.name))];
    state.draft[`overlays/${name}.yaml`] = [
      `overlay: ${name}`, `title: ${q(`${f.rule}: ${f.reason}`)}`, `owner: ${q(f.owner)}`, sets.length ? `on: {rulesets: [${sets.map((set) => q(set)).join(", ")}]}` : "on: {profiles: [\"*\"]}",
      `documents: {seller: [${/^[A-Z]{2}[A-Z0-9]{5,13}$/.test(f.seller) ? `{vat: ${q(f.seller)}}` : q(f.seller)}]}`, "levels:", `  - rules: [${q(f.rule)}]`, `    level: ${f.level}`, `    reason: ${q(f.reason)}`, `    until: ${f.until}`, "",
    ].join("\n");
    state.usesDraft = true;
    this.turnTo(`overlays/${name}.yaml`);
  }

  private example(): void {
    state.draft["company/1/orders.yaml"] = [
      "ruleset: company", "version: 1", "layer: cius", "rules:", "  - id: CO-1", "    level: fatal", "    context: /invoice",
      "    assert: filled(this.purchaseOrderReference) && this.purchaseOrderReference.startsWith(\"PO-\")", "    btCodes: [BT-13]", "    fields: [purchaseOrderReference]",
      "    message: Write our order number (BT-13); it begins with PO-.", "    text: The purchase order reference (BT-13) begins with PO-.", "    examples:",
      "      - {passes: {purchaseOrderReference: PO-123456}}", "      - {fires: {purchaseOrderReference: \"123\"}}", "      - {fires: {purchaseOrderReference: null}}", "",
    ].join("\n");
    state.draft["overlays/company.yaml"] = ["overlay: company", "title: What we ask of our suppliers", "owner: Purchasing", "on: {profiles: [\"*\"]}", "rulesets: [company]", ""].join("\n");
    this.turnTo("company/1/orders.yaml");
  }

  private checkSoon = later(150, () => void this.check());

  /** What is found in the draft as it is now; null where there is none, it goes on changing, or it cannot be checked. */
  private async judged(): Promise<Drafted | null> {
    const of = JSON.stringify([state.draft, settings.language, engine.era]);
    if (Object.keys(state.draft).length === 0) return null;
    if (this.drafted?.of === of) return this.drafted.found;
    try {
      const found = await engine.call<Drafted>("draft", { draft: state.draft, language: settings.language });
      if (JSON.stringify([state.draft, settings.language, engine.era]) !== of) return null;
      this.drafted = { of, found };
      return found;
    } catch (error) { this.failed(error); return null; }
  }

  private async check(): Promise<void> {
    const d = await this.judged();
    if (!d) return;
    const failing = d.examples.filter((e) => e.error), wrong = d.mistakes.filter((m) => !m.warning);
    const marks: Mark[] = d.mistakes.filter((m) => m.file === this.file).map((m) => ({ from: this.editor.offset(m.line, m.column), to: this.editor.offset(m.line, m.end), severity: m.warning ? "warning" : "error", message: m.message, actions: m.fixes?.map((f) => ({ name: f.title, text: f.text })) }));
    for (const e of failing.filter((e) => e.file === this.file)) marks.push({ from: this.editor.offset(e.line, 1), to: this.editor.offset(e.line, 999), severity: "error", message: e.error! });
    this.editor.mark(marks);
    fill(this.results,
      h("div", { class: "row" }, h("span", { class: "chip " + (wrong.length ? "fatal" : "good") }, wrong.length ? `${t("mistakes")}: ${wrong.length}` : t("noMistakes")),
        d.examples.length ? h("span", { class: "chip good" }, t("examplesPassed", { n: d.passed })) : null, failing.length ? h("span", { class: "chip fatal" }, t("examplesFailed", { n: failing.length })) : null),
      h("ul", null, d.mistakes.slice(0, 30).map((m) => h("li", { class: m.warning ? "warning-text" : "bad" }, h("code", null, `${m.file}:${m.line}:${m.column}`), " ", m.message)),
        failing.slice(0, 30).map((e) => h("li", { class: "bad" }, h("code", null, `${e.rule} ${e.file}:${e.line}`), " ", e.error))));
  }

  private async complete(line: number, column: number): Promise<Completion[]> {
    try {
      return (await engine.call<{ completions: Completion[] }>("complete", { draft: state.draft, language: settings.language, file: this.file, line, column })).completions;
    } catch { return []; }
  }

  private async hover(line: number, column: number): Promise<string> {
    try {
      return (await engine.call<{ text: string }>("hover", { draft: state.draft, language: settings.language, file: this.file, line, column })).text;
    } catch { return ""; }
  }

  // ---- expressions

  private tryOut(): void {
    const kind = h("select", { "aria-label": t("expression"), onchange: () => { this.kind = kind.value; this.tryOut(); } }, ["cel", "xpath"].map((k) => h("option", { value: k, selected: k === this.kind }, k === "cel" ? "CEL" : "XPath")));
    const context = h("input", { value: this.context, class: "grow mono", "aria-label": t("context"), spellcheck: "false", oninput: () => { this.context = context.value; this.trySoon(); } });
    this.expression.named = t("expression");
    this.outcome.setAttribute("aria-label", t("result"));
    fill(this.body, h("div", { class: "split" },
      h("section", { class: "column" }, h("div", { class: "tools" }, kind, this.kind === "cel" ? [h("span", { class: "muted" }, t("context")), context] : null), h("div", { class: "expression" }, this.expression), this.outcome),
      h("section", { class: "column wide" }, this.material())));
    void this.evaluate();
  }

  /** What expressions are of: the terms of the document, which a click takes into the expression; for XPath its source. */
  private material(): Node[] {
    const d = state.current;
    if (!d) return [h("p", { class: "hint pad" }, t("needDocument"))];
    if (this.kind === "xpath") return [h("pre", { class: "material", tabindex: 0, role: "region", "aria-label": t("source") }, (d.text ?? "").slice(0, mostSource))];
    const terms = h("div", { class: "rule-list" });
    void this.listTerms(terms);
    return [h("h2", { class: "label pad" }, t("terms")), terms];
  }

  private async listTerms(into: HTMLElement): Promise<void> {
    try {
      const { fields } = await engine.call<View>("view", { ...asked(), ...given(state.current!), noPage: true });
      fill(into, fields.slice(0, mostShown).map((f) => h("button", { class: "rule-row", onclick: () => this.takeTerm(f.path) },
        h("span", { class: "finding-head" }, h("code", { class: "finding-terms" }, f.path), h("span", { class: "where muted" }, f.bt)), h("bdi", { class: "rule-text" }, f.value))));
    } catch (error) { this.failed(error); }
  }

  private takeTerm(path: string): void {
    this.context = "/invoice";
    this.body.querySelector<HTMLInputElement>(".mono")!.value = this.context;
    this.expression.replace([{ from: 0, to: this.expression.text.length, text: "this." + path }]);
  }

  private trySoon = later(120, () => void this.evaluate());

  private async evaluate(): Promise<void> {
    if (!state.current) { fill(this.outcome, h("p", { class: "hint" }, t("needDocument"))); return; }
    try {
      const e = await engine.call<Evaluated>("evaluate", { ...asked(), ...given(state.current), kind: this.kind, context: this.context, expression: this.expression.text });
      this.expression.mark(e.mistake ? [{ from: this.expression.offset(e.mistake.line, e.mistake.column), to: this.expression.offset(e.mistake.line, e.mistake.end), severity: "error", message: e.mistake.message }] : []);
      fill(this.outcome,
        e.mistake ? h("p", { class: "bad" }, e.mistake.message) : null,
        e.notInRules ? h("p", { class: "hint" }, e.notInRules) : null,
        !e.mistake && e.values.length === 0 ? h("p", { class: "hint" }, t("nothing")) : null,
        h("ul", { class: "values" }, e.values.map((v) => h("li", null, h("code", { class: "muted" }, v.location), h("pre", null, v.error ?? (typeof v.value === "string" ? v.value : JSON.stringify(v.value, null, 1)))))),
        e.more ? h("p", { class: "hint" }, t("wordsOmitted", { n: e.more })) : null);
    } catch (error) { this.failed(error); }
  }

  private failed(error: unknown): void {
    if (error instanceof Refusal && error.status === 401) { askKey(() => this.make()); return; }
    report(told(error));
  }
}

customElements.define("rules-view", RulesView);
