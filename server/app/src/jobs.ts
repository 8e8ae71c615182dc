// The view of jobs over the server's folders: begun, watched, cancelled, and their reports.

import { engine, type Level, Refusal } from "./api.ts";
import { download, fill, h, icon } from "./dom.ts";
import { changed, settings } from "./settings.ts";
import { askKey, report, told } from "./shell.ts";
import { opened, state } from "./state.ts";
import { t, type Word } from "./words.ts";

interface Job {
  id: string; operation: string; source: string; state: "working" | "complete" | "cancelled" | "failed" | "stopped"; error?: string;
  all: number; documents: number; valid: number; invalid: number; unreadable: number; duplicates: number; others: number;
}
interface Jobs { jobs: Job[]; omitted: number; sources: string[] }
interface Report { rules?: Record<string, { level: Level; documents: number }> }

/** What each operation can make; those that make nothing judge, compare or read. */
const makes: Record<string, string[]> = { validate: [], impact: [], convert: ["ubl", "cii"], transform: ["xrechnung", "ubl", "cii", "zugferd", "facturx"], extract: ["xml", "json", "attachments"], parse: [], render: ["pdf", "html", "svg"] };
/** What is counted of documents: a verdict, whether rulesets decide alike, whether a file was made. */
const counted = (operation: string): [Word, Word] => operation === "validate" ? ["valid", "invalid"] : operation === "impact" ? ["jobSame", "jobOther"] : ["jobMade", "jobRefused"];
const states: Record<Job["state"], Word> = { working: "jobWorking", complete: "jobComplete", cancelled: "jobCancelled", failed: "jobFailed", stopped: "jobStopped" };
const mostRules = 30;
const pause = 1000; // milliseconds between looks at jobs that work

export class JobsView extends HTMLElement {
  private lead = h("div", { class: "jobs-form" });
  private list = h("div", { class: "job-list", tabindex: 0, role: "region" });
  private known: Jobs | null = null;
  private refused = "";
  private form = { source: "", operation: "validate", to: "", profile: "", old: "", new: "" };
  private reports = new Map<string, Report>();
  private timer = 0;

  connectedCallback(): void {
    if (this.firstChild) return;
    this.append(h("div", { class: "split" }, h("section", { class: "column" }, this.lead), h("section", { class: "column wide" }, this.list)));
    changed.addEventListener("change", () => this.make());
    opened.addEventListener("rules", () => this.makeForm());
    this.make();
  }

  /** Looks at the jobs, now that the view is looked at. */
  shown(): void { void this.look(); }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    if (this.hidden) return;
    try {
      const before = JSON.stringify(this.known?.sources);
      this.known = await engine.send<Jobs>("/v1/bulk", { method: "GET" });
      this.refused = "";
      if (JSON.stringify(this.known.sources) !== before) this.makeForm();
      if (this.known.jobs.some((j) => j.state === "working")) this.timer = window.setTimeout(() => void this.look(), pause);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) { askKey(() => void this.look()); return; }
      this.known = null;
      this.refused = error instanceof Refusal ? (error.code === "BULK-NOT-SERVED" ? t("jobsOff") : error.message) : told(error);
      this.makeForm();
    }
    this.makeList();
  }

  private make(): void {
    this.list.setAttribute("aria-label", t("jobs"));
    this.makeForm();
    this.makeList();
  }

  private makeForm(): void {
    const sources = this.known?.sources ?? [];
    if (!sources.includes(this.form.source)) this.form.source = sources[0] ?? "";
    const select = (name: keyof typeof this.form, label: string, options: [string, string][], again = false) => {
      const box = h("select", { onchange: () => { this.form[name] = box.value; if (again) { this.form.to = makes[this.form.operation][0] ?? ""; this.makeForm(); } } }, options.map(([value, text]) => h("option", { value, selected: value === this.form[name] }, text)));
      return h("label", null, h("span", null, label), box);
    };
    const same = (names: string[]): [string, string][] => names.map((n) => [n, n]);
    fill(this.lead, h("h1", { "data-home": true, tabindex: -1 }, t("jobs")), h("p", { class: "hint" }, t("jobsLead")),
      sources.length === 0 ? null : h("form", { class: "form lower", onsubmit: (e: Event) => { e.preventDefault(); void this.begin(); } },
        select("source", t("jobSource"), same(sources)),
        select("operation", t("jobOperation"), Object.keys(makes).map((o) => [o, t(("job_" + o) as Word)]), true),
        makes[this.form.operation].length ? select("to", t("jobTo"), makes[this.form.operation].map((to) => [to, to.toUpperCase()])) : null,
        this.form.operation === "validate" ? select("profile", t("profile"), [["", t("byDocument")], ...(state.rules?.profiles ?? []).map((p): [string, string] => [p.id, p.name])]) : null,
        this.form.operation === "impact" ? [select("old", t("jobOld"), same(this.rulesets())), select("new", t("jobNew"), same(this.rulesets()))] : null,
        h("div", { class: "row" }, h("button", { class: "primary", id: "begin-job" }, icon("play"), t("jobBegin")))));
  }

  /** The rulesets that an impact compares; those chosen before are kept while they are there. */
  private rulesets(): string[] {
    const all = (state.rules?.rulesets ?? []).map((r) => r.name + "/" + r.version);
    if (!all.includes(this.form.old)) this.form.old = all[0] ?? "";
    if (!all.includes(this.form.new)) this.form.new = all[1] ?? "";
    return all;
  }

  private async begin(): Promise<void> {
    const query = new URLSearchParams({ source: this.form.source, operation: this.form.operation });
    if (makes[this.form.operation].length) query.set("to", this.form.to);
    if (this.form.operation === "validate" && this.form.profile) query.set("profile", this.form.profile);
    if (this.form.operation === "impact") { query.set("old", this.form.old); query.set("new", this.form.new); }
    await this.try(() => engine.send("/v1/bulk?" + query, { method: "POST" }));
  }

  private async try(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      await this.look();
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) askKey(() => void this.try(act));
      else report(told(error));
    }
  }

  private makeList(): void {
    const all = this.known?.jobs ?? [];
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.act;
    const nothing = this.refused || (this.known && all.length === 0 ? t(this.known.sources.length === 0 ? "jobsNoSource" : "jobsNone") : "");
    fill(this.list, nothing ? h("div", { class: "empty" }, icon("info"), h("p", { class: "jobs-nothing" }, nothing)) : null, all.map((j) => this.job(j)),
      this.known?.omitted ? h("p", { class: "hint" }, t("wordsOmitted", { n: this.known.omitted })) : null);
    if (focused) this.list.querySelector<HTMLElement>(`[data-act="${CSS.escape(focused)}"]`)?.focus();
  }

  private job(j: Job): HTMLElement {
    const number = (n: number) => n.toLocaleString(settings.language);
    const found = this.reports.get(j.id);
    const count = (n: number, word: Word, kind: string) => (n ? h("span", { class: "count " + kind }, h("b", null, number(n)), " ", t(word)) : null);
    return h("article", { class: "job", "data-state": j.state },
      h("div", { class: "change-head" }, h("b", null, j.source), h("span", { class: "muted" }, j.operation in makes ? t(("job_" + j.operation) as Word) : j.operation), h("span", { class: "chip where " + (j.state === "complete" ? "good" : j.state === "failed" ? "fatal" : "information") }, t(states[j.state]))),
      j.error ? h("p", { class: "hint" }, j.error) : null,
      h("progress", { max: Math.max(1, j.all), value: j.documents, "aria-label": `${number(j.documents)} ${t("of")} ${number(j.all)}` }),
      h("div", { class: "row" }, h("span", { class: "muted small" }, `${number(j.documents)} ${t("of")} ${number(j.all)}`), count(j.valid, counted(j.operation)[0], "good"), count(j.invalid, counted(j.operation)[1], j.operation === "impact" ? "warning" : "fatal"), count(j.unreadable, "unread", "warning"),
        j.others ? h("span", { class: "muted small" }, t("jobOthers", { n: number(j.others) })) : null,
        h("span", { class: "where row" },
          j.state === "working" ? h("button", { class: "small", "data-act": "cancel " + j.id, onclick: () => void this.try(() => engine.send(`/v1/bulk/${j.id}`, { method: "DELETE" })) }, t("jobCancel")) : null,
          h("button", { class: "small", "data-act": "report " + j.id, "aria-expanded": String(found !== undefined), onclick: () => void this.toggle(j) }, t("reports")),
          h("button", { class: "small", "data-act": "save " + j.id, onclick: () => void this.save(j) }, icon("save"), "HTML"))),
      found ? this.rules(found) : null);
  }

  private rules(found: Report): HTMLElement {
    const rules = Object.entries(found.rules ?? {}).sort(([, a], [, b]) => b.documents - a.documents);
    const largest = Math.max(1, ...rules.map(([, r]) => r.documents));
    if (rules.length === 0) return h("p", { class: "hint" }, t("noFindings"));
    return h("div", { class: "bars" }, rules.slice(0, mostRules).map(([id, r]) => h("div", { class: "bar-row" },
      h("span", { class: "bar-name" }, id), h("meter", { min: 0, max: largest, value: r.documents, "aria-label": `${id}: ${r.documents}` }), h("span", { class: "bar-count" }, r.documents.toLocaleString(settings.language)))),
    rules.length > mostRules ? h("p", { class: "hint" }, t("wordsOmitted", { n: rules.length - mostRules })) : null);
  }

  private async toggle(j: Job): Promise<void> {
    if (this.reports.delete(j.id)) { this.makeList(); return; }
    await this.try(async () => { this.reports.set(j.id, await engine.send<Report>(`/v1/bulk/${j.id}/report`, { method: "GET", headers: { Accept: "application/json" } })); });
  }

  private async save(j: Job): Promise<void> {
    await this.try(async () => download(`${j.source}.html`, "text/html", await engine.text(`/v1/bulk/${j.id}/report`, { headers: { Accept: "text/html" } })));
  }
}

customElements.define("jobs-view", JobsView);
