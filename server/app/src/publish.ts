// Publishing a draft, and taking it back. The server asks for a key with the scope "rules".

import { type Drafted, engine, Refusal } from "./api.ts";
import { showProposals } from "./approval.ts";
import { fill, h, icon } from "./dom.ts";
import { type Made, moment, post, proposals, settled, takeUp, today, type Version, versions } from "./publications.ts";
import { askKey, report, told } from "./shell.ts";
import { state, tell } from "./state.ts";
import { t } from "./words.ts";

const form = { who: "", why: "", from: today() };
// The newest version that whoever writes has seen: when the draft was begun, or when a refusal said what is newer.
let base: number | undefined;

/** The part of the view of rules that publishes; the draft may still be checked. */
export function publishPart(checked: Promise<Drafted | null>): HTMLElement {
  if (form.from < today()) form.from = today();
  const waiting = h("section", { class: "proposals", hidden: true });
  const history = h("div", { class: "versions", tabindex: 0, role: "region", "aria-label": t("history"), "data-home": true });
  const load = async () => {
    let at: HTMLElement = history;
    try {
      const all = await versions();
      if (Object.keys(state.draft).length === 0) base = all[0]?.version ?? 0;
      showVersions(history, all, load);
      at = waiting;
      showProposals(waiting, await proposals(), load);
    } catch (error) {
      if (error instanceof Refusal && error.code === "RULES-NOT-PUBLISHED") { // no form for what the server cannot do
        root.className = "empty";
        fill(root, h("h2", null, t("publish")), h("p", { class: "hint" }, told(error)), h("pre", null, "einvoice serve --rulesets my-rules"));
        return;
      }
      waiting.hidden = at !== waiting;
      refused(error, () => void load(), at);
    }
  };
  void load();
  const condition = (met: boolean, name: string) => h("li", null, h("span", { class: "chip " + (met ? "good" : "fatal") }, icon(met ? "check" : "cross"), " ", t(met ? "met" : "notMet")), " ", name);
  const input = (name: keyof typeof form, label: string, more: object = {}) => h("label", null, h("span", null, label), h("input", { value: form[name], required: true, maxlength: 500, oninput: (e: Event) => { form[name] = (e.target as HTMLInputElement).value; }, ...more }));
  const conditions = h("ul", { class: "conditions" }), now = h("button", { class: "primary", id: "publish-now" }, t("publishNow"));
  const judge = (drafted: Drafted | null) => {
    const some = Object.keys(state.draft).length > 0, sound = drafted?.mistakes.every((m) => m.warning) ?? false, passing = drafted?.examples.every((e) => !e.error) ?? false;
    fill(conditions, condition(some, t("draft")), condition(sound, t("noMistakes")), condition(passing, t("examplesPassed", { n: drafted?.passed ?? 0 })));
    now.disabled = !(some && sound && passing);
  };
  judge(null);
  void checked.then(judge);
  const publish = async () => {
    const sent = { ...state.draft }; // the draft may be written on while the server works
    now.disabled = true;
    try {
      const made = await post<Made>("publish", { files: sent, ...form, ...(base === undefined ? {} : { base }) });
      settled(made);
      for (const [name, text] of Object.entries(sent)) if (state.draft[name] === text) delete state.draft[name];
      if (Object.keys(state.draft).length === 0) state.usesDraft = false;
      else base = made.version ?? base; // what is left was written upon what was published
      tell("draft");
      judge(null);
      await Promise.all([takeUp(), load()]);
      waiting.querySelector(`[data-proposal="${made.proposal}"]`)?.scrollIntoView({ block: "nearest" });
    } catch (error) {
      now.disabled = false;
      refused(error, () => void publish(), null);
      if (error instanceof Refusal && error.code === "RULES-CHANGED") {
        const all = await versions();
        base = all[0]?.version;
        showVersions(history, all, load);
      }
    }
  };
  const root = h("div", { class: "split" },
    h("section", { class: "column" }, h("form", { class: "form lower", onsubmit: (e: Event) => { e.preventDefault(); void publish(); } },
      h("h2", null, t("publish")), h("p", { class: "hint" }, t("publishLead")),
      h("h3", null, t("conditions")), conditions,
      input("who", t("who")), input("why", t("whyPublish")), input("from", t("from"), { type: "date", min: today() }), h("p", { class: "hint" }, t("fromHint")),
      h("div", { class: "row" }, now))),
    h("section", { class: "column wide publications" }, waiting, h("h2", { class: "label pad" }, t("history")), history));
  return root;
}

function showVersions(into: HTMLElement, all: Version[], load: () => Promise<void>): void {
  const back = async (to: number) => {
    try {
      settled(await post<Made>("rollback", { version: to, who: form.who || "workbench", why: `${t("rollBack")}: ${to + 1}` }));
      await Promise.all([takeUp(), load()]);
    } catch (error) { refused(error, () => void back(to), null); }
  };
  fill(into, all.length === 0 ? h("p", { class: "hint" }, t("noHistory")) : null, all.map((v, i) => h("div", { class: "version" },
    h("div", { class: "version-head" }, h("b", null, v.version), h("span", null, v.why), i === 0 ? h("span", { class: "chip good" }, v.from > today() ? t("fromDay", { day: v.from }) : t("current")) : null),
    h("p", { class: "muted small" }, [v.who, v.approvedBy ? t("approvedBy", { who: v.approvedBy }) : "", v.from, moment(v.at)].filter(Boolean).join(" · ")),
    h("p", { class: "small" }, v.files.join(", ")),
    h("button", { class: "small", onclick: () => void back(v.version - 1) }, t("rollBack")))));
}

function refused(error: unknown, again: () => void, into: HTMLElement | null): void {
  if (error instanceof Refusal && error.status === 401) { askKey(again); return; }
  const text = told(error);
  if (!into) { report(text); return; }
  fill(into, h("p", { class: "hint" }, text), error instanceof Refusal && error.code === "KEY-FORBIDDEN" && engine.key ? h("button", { class: "small", onclick: () => askKey(again, false) }, t("otherKey")) : null);
}
