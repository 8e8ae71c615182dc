// The proposals that wait for the approval of another key, with the lines that they change.

import { engine, Refusal } from "./api.ts";
import { diff, groupsOf } from "./diff.ts";
import { fill, h } from "./dom.ts";
import { type FileChange, type Made, moment, post, type Proposal, settled, shortly, takeUp } from "./publications.ts";
import { askKey, report, told } from "./shell.ts";
import { t } from "./words.ts";

// Who decides, as typed with a key; another key is another person.
let decider = "";
let keyOfDecider = "";
// The reasons that were typed, by proposal.
const reasons: Record<string, string> = {};

/** Shows the proposals. Load gets them, and what was published, again. */
export function showProposals(into: HTMLElement, waiting: Proposal[], load: () => Promise<void>): void {
  if (keyOfDecider !== engine.key) [decider, keyOfDecider] = ["", engine.key];
  into.hidden = waiting.length === 0;
  fill(into, h("h2", { class: "label", tabindex: -1, "data-home": true }, t("waitingApproval")), waiting.map((p) => card(p, load)));
}

function card(p: Proposal, load: () => Promise<void>): HTMLElement {
  const alert = h("div", { class: "bad", role: "alert" });
  let busy = false;
  const decide = async (action: "approve" | "reject") => {
    if (busy) return;
    busy = true;
    fill(alert);
    try {
      const made = await post<Made>(action, { proposal: p.proposal, who: decider, why: reasons[p.proposal] });
      if (made.version) { settled(made); await takeUp(); } else report(t("rejected", { id: shortly(p.proposal) }));
      await load();
    } catch (error) { refused(error, alert, () => void decide(action), load); }
    busy = false;
  };
  const form = h("form", { class: "row", onsubmit: (e: SubmitEvent) => { e.preventDefault(); void decide((e.submitter as HTMLButtonElement | null)?.value === "reject" ? "reject" : "approve"); } },
    input("who", decider, (text) => { decider = text; }), input("whyPublish", reasons[p.proposal] ?? "", (text) => { reasons[p.proposal] = text; }),
    p.changed ? null : h("button", { class: "primary", value: "approve" }, t("approve")), h("button", { value: "reject" }, t(p.own ? "takeBack" : "reject")));
  return h("article", { class: "proposal", "data-proposal": p.proposal, "aria-label": `${t("proposal")} ${shortly(p.proposal)}` },
    h("div", { class: "version-head" }, h("h3", null, h("bdi", null, p.changed ? shortly(p.proposal) : p.why)), p.changed ? null : h("span", { class: "chip" }, t("fromDay", { day: p.from })), p.undoes ? h("span", { class: "chip" }, t("rollBack")) : null),
    p.changed ? h("p", { class: "hint" }, t("changedByHand")) : h("p", { class: "muted small" }, t("proposedBy"), " ", h("bdi", null, p.who), ` · ${t("key")} ${p.key} · ${moment(p.at)} · ${shortly(p.proposal)}`),
    p.files.map(changedFile),
    p.own ? h("p", { class: "hint" }, t("ownProposal")) : null, form, alert);
}

function input(label: "who" | "whyPublish", value: string, keep: (text: string) => void): HTMLElement {
  return h("label", null, h("span", null, t(label)), h("input", { value, required: true, maxlength: 500, oninput: (e: Event) => keep((e.target as HTMLInputElement).value) }));
}

// Characters that would show a line otherwise than the service reads it.
const unseen = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;
const seen = (text: string) => text.replace(/\n$/, "").replace(unseen, (c) => "\\u" + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0"));

/** The lines that change in a file. Signs say what colours do. */
function changedFile(f: FileChange): HTMLElement {
  const groups = groupsOf(diff(f.before ?? "", f.after ?? ""));
  return h("div", { class: "changed-file" },
    h("p", { class: "small" }, h("code", null, f.name), f.before === null ? ` (${t("added")})` : f.after === null ? ` (${t("removed")})` : ""),
    h("pre", { class: "diff", tabindex: 0, role: "group", "aria-label": f.name }, groups.map((group) => [
      h("span", { class: "muted" }, t("line", { n: group[0].at })),
      group.map((line) => h(line.kind === "old" ? "del" : line.kind === "new" ? "ins" : "span", null, { old: "- ", new: "+ ", same: "  " }[line.kind] + seen(line.text)))])));
}

function refused(error: unknown, alert: HTMLElement, again: () => void, load: () => Promise<void>): void {
  if (error instanceof Refusal && error.status === 401) { askKey(again); return; }
  fill(alert, h("p", null, told(error)), error instanceof Refusal && error.code === "KEY-FORBIDDEN" && engine.key ? h("button", { class: "small", type: "button", onclick: () => askKey(() => void load(), false) }, t("otherKey")) : null);
}
