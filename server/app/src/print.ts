// What is printed: the verdict with all findings and what decided, and the card of the rule that is
// chosen; nothing of the page around them.

import type { Finding } from "./api.ts";
import { h } from "./dom.ts";
import { settings } from "./settings.ts";
import type { Open } from "./state.ts";
import { sentence, sentences, t, type Word } from "./words.ts";

export function printed(d: Open, findings: Finding[], card: HTMLElement | null, heading: "h1" | "h2" = "h1"): Node[] {
  const c = d.checked;
  if (!c || d.failure) return [h(heading, null, d.name), h("p", { class: "printed-verdict" }, h("b", null, t(d.failure ? "unchecked" : "waiting")), " ", sentence(d.failure))];
  const shown = card?.querySelector(".card-id");
  const copy = h("div", { class: "printed-card" }, [...(card?.children ?? [])].map((part) => part.cloneNode(true)));
  for (const details of copy.querySelectorAll("details")) details.open = true;
  for (const button of copy.querySelectorAll("button, .card-archive")) button.remove();
  const title = [c.number, c.seller].filter(Boolean).join(" · ");
  return [
    h(heading, null, title || d.name),
    h("p", null, [title ? d.name : "", c.profile, c.kind.toUpperCase(), c.issueDate, c.payable].filter(Boolean).join(" · ")),
    h("p", { class: "printed-verdict" }, h("b", null, t(c.problem ? "unread" : c.valid ? "valid" : "invalid")), " ", c.problem ? sentences(c.problem.message, c.problem.remedy) : (["fatal", "warning", "information"] as const).filter((level) => c.counts[level]).map((level) => `${c.counts[level]} ${t(c.counts[level] === 1 ? (level + "One") as Word : level)}`).join(", ")),
    findings.length ? h("table", null, h("thead", null, h("tr", null, [t("rule"), t("level"), t("lineNumber"), t("message")].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", null, findings.map((f) => h("tr", null, h("td", null, f.rule), h("td", null, t((f.level + "One") as Word)), h("td", null, f.line ? t("line", { n: f.line }) : t("nowhere")), h("td", { lang: f.language }, c.problem ? sentence(f.message) : f.message))))) : h("p", null, c.problem ? "" : t("noFindings")),
    c.omitted ? h("p", null, t("wordsOmitted", { n: c.omitted })) : "",
    shown ? copy : "",
    h("p", { class: "printed-foot" }, [t("decidedBy"), ...(c.rulesets ?? []).map((s) => `${s.name} ${s.version}`), ...(c.overlays ?? []).filter((o) => o.applied).map((o) => o.name), c.date ? t("decidedDay", { day: c.date.day }) : "", new Date().toLocaleString(settings.language), c.digest && "SHA-256 " + c.digest].filter(Boolean).join(" · ")),
  ].map((part) => (typeof part === "string" ? document.createTextNode(part) : part));
}
