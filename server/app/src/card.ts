// The card of a rule: what it says, what to do, terms, expression, examples, source, and how
// it was decided on the document.

import { type Card, engine, Refusal } from "./api.ts";
import { count, type Counted, isCounted, openPast } from "./archive.ts";
import { fill, h } from "./dom.ts";
import { settings } from "./settings.ts";
import { askKey, told } from "./shell.ts";
import { asked, card, given, state } from "./state.ts";
import { sentence, t, type Word } from "./words.ts";

const mostPast = 50;

export class RuleCard extends HTMLElement {
  private shown = "";

  /** What is said while nothing is shown. */
  constructor(private nothing: Word = "selectFinding") { super(); }

  connectedCallback(): void {
    this.tabIndex = 0;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", t("card"));
    if (!this.firstChild) this.empty();
  }

  /** Shows no rule, and says why. */
  empty(why = this.nothing): void {
    this.shown = "";
    fill(this, h("p", { class: "hint" }, t(why)));
  }

  /** Shows what is said without a rule of its own. */
  tell(title: string, message: string): void {
    this.shown = "";
    fill(this, h("h2", { class: "card-id" }, title), h("h3", null, t("mend")), h("p", { class: "lead" }, sentence(message)));
  }

  async show(rule: string, rulesets: string[], onDocument: boolean, message = "", language?: string): Promise<void> {
    const asking = rule + rulesets.join() + message;
    this.shown = asking;
    try {
      const found = await card(rule, rulesets);
      if (this.shown !== asking) return;
      const how = h("details", { class: "how" }, h("summary", null, t("expression")));
      const why = h("div", { class: "why" });
      const archive = h("div", { class: "card-archive" });
      const kind = onDocument ? state.current?.checked?.kind ?? "" : "";
      const forms = (found.forms ?? []).filter((f) => f.applies && (!f.syntax || !["ubl", "cii"].includes(kind) || f.syntax === kind));
      how.append(...forms.map((f) => h("div", null, f.syntax ? h("h3", null, f.syntax.toUpperCase()) : null, f.context ? h("pre", { tabindex: 0 }, f.context) : null, f.assert ? h("pre", { tabindex: 0 }, f.assert) : null)), why);
      fill(this, cardParts(found, message, message ? language : found.language), archive, forms.length > 0 ? how : null);
      how.open = !onDocument; // a clerk asks what to do; how it is decided is for who writes rules
      this.offerCount(rule, archive);
      if (onDocument && state.current?.checked?.kind && state.current.checked.kind !== "json") await this.explain(rule, why, asking);
    } catch (error) {
      if (this.shown === asking) fill(this, h("h2", { class: "card-id" }, rule), message ? h("p", { class: "lead", lang: language }, message) : null, h("p", { class: "hint" }, told(error)));
    }
  }

  /** Offers to count where the rule fires in the archive of the server, and shows it once it was counted. */
  private offerCount(rule: string, into: HTMLElement): void {
    if (isCounted()) { void this.counted(rule, into); return; }
    fill(into, h("h3", null, t("inArchive")), h("button", { class: "small count-archive", onclick: () => void this.counted(rule, into) }, t("countArchive")));
  }

  private async counted(rule: string, into: HTMLElement): Promise<void> {
    const bar = h("progress", { "aria-label": t("inArchive") });
    fill(into, h("h3", null, t("inArchive")), bar);
    try {
      const found = await count((looked, total) => { bar.max = Math.max(1, total); bar.value = looked; });
      fill(into, h("h3", null, t("inArchive")), this.hits(rule, found));
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) askKey(() => void this.counted(rule, into));
      fill(into, h("h3", null, t("inArchive")), h("p", { class: "hint" }, told(error)));
    }
  }

  private hits(rule: string, found: Counted): HTMLElement {
    const all = found.byRule.get(rule) ?? [];
    return h("div", null, h("p", { class: "archive-count" }, t("archiveCount", { n: all.length.toLocaleString(settings.language), all: found.documents.toLocaleString(settings.language) })),
      h("ul", { class: "past-list" }, all.slice(0, mostPast).map((v) => h("li", null, h("button", { class: "link", onclick: () => openPast(this, v.document, state.usesDraft) }, v.document), h("span", { class: "muted small" }, [v.seller, v.month].filter(Boolean).join(" · "))))),
      all.length > mostPast ? h("p", { class: "hint" }, t("wordsOmitted", { n: all.length - mostPast })) : null);
  }

  private async explain(rule: string, into: HTMLElement, asking: string): Promise<void> {
    interface Node { location: string; line: number; holds: boolean; assertion?: Assertion }
    interface Assertion { expression: string; value?: unknown; noValue?: string; btCode?: string; written?: string; line?: number; parts?: Assertion[] }
    let answer: { explanations: { nodes: Node[] }[] };
    try {
      answer = await engine.call("explain", { ...asked(), ...given(state.current!), rule });
    } catch { return; } // rules of the schema or of the program have no expression to explain
    if (this.shown !== asking) return;
    const part = (p: Assertion): HTMLElement => h("li", null,
      h("code", null, p.expression), " ", h("b", { class: p.value === true ? "good" : p.value === false ? "bad" : "" }, p.noValue ?? short(p.value)),
      p.btCode ? h("span", { class: "muted" }, ` ${p.btCode}${p.line ? ", " + t("line", { n: p.line }) : ""}`) : null,
      p.parts?.length ? h("ul", null, p.parts.map(part)) : null);
    const nodes = answer.explanations.flatMap((e) => e.nodes ?? []).filter((n) => n.assertion).slice(0, 3);
    if (nodes.length > 0) fill(into, h("h3", null, t("why")), nodes.map((n) => h("ul", { class: "parts" }, part(n.assertion!))));
  }
}

function short(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : JSON.stringify(value) ?? "";
  return text.length > 80 ? text.slice(0, 80) + "…" : text;
}

/** What is said of a rule. */
function cardParts(c: Card, message: string, language?: string): (HTMLElement | null)[] {
  const link = c.source?.url as string | undefined;
  return [
    h("div", { class: "card-head" }, h("h2", { class: "card-id" }, c.id), h("span", { class: "chip " + c.level }, t((c.level + "One") as Word))),
    h("p", { class: "card-set" }, `${c.ruleset} ${c.version}`),
    h("h3", null, t("mend")), h("p", { class: "lead", lang: language }, message || c.message),
    h("h3", null, t("says")), h("p", { lang: c.language }, c.text),
    c.terms.length ? h("h3", null, t("terms")) : null,
    c.terms.length ? h("ul", { class: "terms" }, c.terms.map((term) => h("li", null, h("code", null, term.code), " ", term.name))) : null,
    c.neverFires ? h("p", { class: "hint" }, t("neverFires"), ": ", c.neverFires) : null,
    c.examples.length ? h("details", null, h("summary", null, `${t("examples")} (${c.examples.length})`), h("ul", { class: "examples" }, c.examples.map((e) => h("li", null, h("code", null, e))))) : null,
    c.overlays?.length ? h("h3", null, t("loweredBy")) : null,
    c.overlays?.length ? h("ul", { class: "terms" }, c.overlays.map((o) => h("li", null, h("b", null, o.overlay), " ", h("span", { class: "chip " + o.level }, t((o.level + "One") as Word)), " ", o.reason, o.until ? ` (≤ ${o.until})` : ""))) : null,
    c.source ? h("h3", null, t("published")) : null,
    c.source ? h("p", { class: "small" }, h("cite", null, `${c.source.artefact ?? ""} ${c.source.version ?? ""}`), c.source.clause ? `, ${c.source.clause}` : "", link && /^https:\/\//.test(link) ? [" ", h("a", { href: link, rel: "noreferrer noopener", target: "_blank" }, new URL(link).host)] : null) : null,
    c.profiles?.length ? h("details", null, h("summary", null, `${t("runBy")} (${c.profiles.length})`), h("p", { class: "small" }, c.profiles.join(", "))) : null,
  ];
}

customElements.define("rule-card", RuleCard);
