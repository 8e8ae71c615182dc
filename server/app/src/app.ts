// The page: its head with views and settings, and what is dropped on it.

import { engine, Refusal, type Rules } from "./api.ts";
import { isKept, keepSoon, restore } from "./keep.ts";
import { past } from "./archive.ts";
import { CheckView } from "./check.ts";
import { fill, h } from "./dom.ts";
import { loadEditor } from "./editor.ts";
import type { ImpactView } from "./impact.ts";
import type { JobsView } from "./jobs.ts";
import type { ParseView } from "./parse.ts";
import type { RulesView } from "./rules.ts";
import { apply, changed, choose, link, settings } from "./settings.ts";
import { askKey, hush, report, told } from "./shell.ts";
import { loadRules, opened, state, tell } from "./state.ts";
import { t } from "./words.ts";

interface Views { check: CheckView; rules: RulesView; impact: ImpactView; parse: ParseView; jobs: JobsView }
type Name = keyof Views;

void engine.start(); // what a verdict waits for longest begins before the page is drawn
const check = new CheckView();

// The views that the first verdict does not need are loaded when they are looked at, or a while after it.
const makers: { [N in Name]: () => Promise<Views[N]> } = {
  check: async () => check,
  rules: async () => new (await import("./rules.ts")).RulesView(),
  impact: async () => {
    const impact = new (await import("./impact.ts")).ImpactView();
    impact.addEventListener("draft", () => { location.hash = "rules"; void withView("rules", (rules) => rules.showDraft([])); });
    return impact;
  },
  parse: async () => {
    const parse = new (await import("./parse.ts")).ParseView();
    parse.addEventListener("create", (e) => { location.hash = "check"; check.openText("parsed.json", (e as CustomEvent<string>).detail); });
    return parse;
  },
  jobs: async () => new (await import("./jobs.ts")).JobsView(),
};
const names = Object.keys(makers) as Name[];
const views: Partial<Views> = {};
const making: { [N in Name]?: Promise<Views[N]> } = {};

/** A view, which is loaded at its first use. */
function view<N extends Name>(name: N): Promise<Views[N]> {
  const load = async (): Promise<Views[N]> => {
    const made = await makers[name]();
    views[name] = made;
    made.hidden = name !== current();
    main.append(made);
    return made;
  };
  const made: Promise<Views[N]> = making[name] ?? load();
  (making as Record<string, unknown>)[name] = made;
  made.catch(() => { delete making[name]; }); // the next use tries again
  return made;
}

/** Does something with a view when it is there. */
async function withView<N extends Name>(name: N, act: (view: Views[N]) => unknown): Promise<void> {
  try { await act(await view(name)); } catch { report(t("partMissing")); }
}

check.addEventListener("pages", (e) => { location.hash = "parse"; void withView("parse", (parse) => parse.open([(e as CustomEvent<File>).detail])); });
check.addEventListener("rule", (e) => { location.hash = "rules"; void withView("rules", (rules) => rules.showRule((e as CustomEvent<string>).detail)); });

const head = h("header", { class: "head" });
const offer = h("div", { class: "offer", role: "status" }); // there from the start, so that what it says is read out
const main = h("main", { id: "content", tabindex: -1 });
main.addEventListener("past", (e) => void openPast((e as CustomEvent<Past>).detail));

interface Past { name: string; draft: boolean; file?: File }

/** Opens a past invoice in Check, judged with the draft or by the rules in force. */
async function openPast({ name, draft, file }: Past): Promise<void> {
  try {
    const found = file ?? (await past(name));
    state.usesDraft = draft && Object.keys(state.draft).length > 0;
    location.hash = "check";
    await check.open([found]);
    tell("draft");
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) askKey(() => void openPast({ name, draft, file }));
    else report(told(error));
  }
}

function current(): Name {
  const name = location.hash.slice(1).split("?")[0] as Name;
  return names.includes(name) ? name : "check";
}

function show(): void {
  const name = current();
  for (const [other, element] of Object.entries(views)) element.hidden = other !== name;
  for (const at of head.querySelectorAll<HTMLElement>("[data-view]")) {
    if (at.dataset.view === name) { at.setAttribute("aria-current", "page"); at.scrollIntoView({ block: "nearest", inline: "nearest" }); }
    else at.removeAttribute("aria-current");
  }
  void withView(name, (made) => { if (name === "jobs" && !made.hidden) (made as JobsView).shown(); });
  document.title = `${t(name)} · einvoice`;
}

function makeHead(): void {
  const open = head.querySelector<HTMLDetailsElement>(".settings")?.open ?? false;
  fill(head,
    h("a", { class: "skip", href: "#content", onclick: (e: Event) => { e.preventDefault(); main.focus(); } }, t("skip")),
    h("a", { class: "brand", href: "#check" }, h("img", { src: "/app/icon.svg", alt: "", width: 24, height: 24 }), "einvoice"),
    h("nav", { "aria-label": t("views") }, names.map((name) => h("a", { href: "#" + name, "data-view": name, onclick: hush }, t(name)))),
    makeSettings(open));
  show();
}

function makeSettings(open: boolean): HTMLElement {
  const option = (value: string, label: string, chosen: boolean) => h("option", { value, selected: chosen }, label);
  const select = (label: string, change: (value: string) => void, options: HTMLElement[]) => {
    const box = h("select", { onchange: () => change(box.value) }, options);
    return h("label", null, h("span", null, label), box);
  };
  const at = h("input", { type: "date", value: settings.at, onchange: () => choose({ at: at.value }) });
  const overlays = state.rules?.overlays ?? [];
  const chosen = settings.overlays ?? state.rules?.usual ?? [];
  const box = h("details", { class: "settings menu", open },
    h("summary", { class: "button quiet" }, h("span", null, t("settings")), h("span", { class: "settings-now" }, [settings.language.toUpperCase(), settings.profile, settings.at].filter(Boolean).join(" · "))),
    h("div", { class: "menu-box form" },
      select(t("profile"), (profile) => choose({ profile }), [option("", t("byDocument"), !settings.profile), ...(state.rules?.profiles ?? []).map((p) => option(p.id, p.name, p.id === settings.profile))]),
      h("label", null, h("span", null, t("date")), at, h("span", { class: "muted small" }, settings.at ? "" : t("ofDocument"))),
      overlays.length ? h("fieldset", null, h("legend", null, t("overlays")), overlays.map((o) => {
        const tick = h("input", { type: "checkbox", onchange: () => choose({ overlays: tick.checked ? [...new Set([...chosen, o.name])] : chosen.filter((n) => n !== o.name) }) });
        tick.checked = chosen.includes(o.name);
        return h("label", { class: "tick" }, tick, h("span", null, o.name, " ", h("span", { class: "muted small" }, o.title)));
      })) : null,
      select(t("language"), (language) => choose({ language }), [option("en", "English", settings.language === "en"), option("de", "Deutsch", settings.language === "de"), option("fr", "Français", settings.language === "fr")]),
      select(t("theme"), (theme) => choose({ theme }), [option("", t("auto"), !settings.theme), option("light", t("light"), settings.theme === "light"), option("dark", t("dark"), settings.theme === "dark")]),
      engine.key || engine.lacksRules ? h("button", { onclick: () => askKey(() => void newKey(), false) }, t(engine.key ? "otherKey" : "key")) : null,
      h("button", { onclick: () => void navigator.clipboard.writeText(link(current())).then(() => report(t("copied"))) }, t("copyLink"))));
  box.addEventListener("keydown", (e) => { if (e.key === "Escape") { box.open = false; box.querySelector("summary")!.focus(); } });
  return box;
}

document.addEventListener("click", (e) => {
  const box = head.querySelector<HTMLDetailsElement>(".settings");
  if (box?.open && !box.contains(e.target as Node)) box.open = false;
});

// The arrow keys go through tabs.
document.addEventListener("keydown", (e) => {
  const tab = (e.target as HTMLElement).closest?.("[role=tab]"), by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!tab || !by) return;
  const tabs = [...tab.closest("[role=tablist]")!.querySelectorAll<HTMLElement>("[role=tab]")].filter((other) => other.checkVisibility()), at = tabs.indexOf(tab as HTMLElement);
  e.preventDefault();
  const next = tabs[(at + by + tabs.length) % tabs.length], name = next.dataset.part;
  next.click();
  (name ? document.querySelector<HTMLElement>(`[data-part=${name}]`)! : next).focus(); // some are made anew by the click
});

/** Opens files in the view that is looked at, or else in Check. */
function openFiles(files: File[]): Promise<void> {
  const name = current(), rules = files.filter((f) => /\.ya?ml$/i.test(f.name));
  if (name === "rules" && rules.length > 0) return withView("rules", (view) => view.showDraft(rules));
  if (name === "impact") return withView("impact", (impact) => impact.open(files));
  if (name === "parse") return withView("parse", (parse) => parse.open(files));
  location.hash = "check";
  return check.open(files);
}

// What is dropped anywhere on the page is checked, with the files of folders.
let depth = 0;
document.addEventListener("dragenter", (e) => { e.preventDefault(); depth++; document.body.classList.add("dropping"); });
document.addEventListener("dragleave", () => { if (--depth <= 0) document.body.classList.remove("dropping"); });
document.addEventListener("dragover", (e) => e.preventDefault());
document.addEventListener("drop", (e) => {
  e.preventDefault();
  depth = 0;
  document.body.classList.remove("dropping");
  void dropped(e.dataTransfer!).then(openFiles);
});
document.addEventListener("paste", (e) => {
  if (e.target instanceof HTMLElement && e.target.closest("input, textarea, text-editor")) return;
  const text = e.clipboardData?.getData("text") ?? "";
  if (/^\s*[<{]/.test(text) && current() === "check") void check.openText("pasted", text);
});

async function dropped(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((e) => e !== null);
  if (entries.length === 0) return [...data.files];
  const files: File[] = [];
  for (const entry of entries) await collect(entry, files);
  return files;
}

async function collect(entry: FileSystemEntry, into: File[]): Promise<void> {
  if (into.length >= 20_000) return;
  if (entry.isFile) {
    into.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const one of some) await collect(one, into);
  }
}

/** Has the page work without the network from its first visit on. The worker takes the page over
 * at once, and keeps the program when the page has it. */
async function keepOffline(): Promise<void> {
  if (!("program" in document.documentElement.dataset) || !("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/app/offline.js", { scope: "/app" });
    navigator.serviceWorker.addEventListener("message", () => { document.documentElement.dataset.offline = "true"; });
    const ready = await navigator.serviceWorker.ready;
    if (engine.local) ready.active?.postMessage("keep");
  } catch { /* no secure context, or a browser that keeps nothing */ }
}

function goHome(): void {
  const home = [...main.querySelectorAll<HTMLElement>("[data-home]")].find((e) => e.checkVisibility());
  (home ?? main).focus({ preventScroll: true });
}

/** Offers a draft that was kept, and is not in use; verdicts are without it until a person wants it. */
function offerDraft(): void {
  const files = Object.keys(state.draft).sort(), done = (use: boolean) => { fill(offer); if (use) { state.usesDraft = true; tell("draft"); } goHome(); };
  if (files.length === 0) return;
  fill(offer, h("span", null, t("draftKept", { names: files.join(", ") })),
    h("button", { class: "small", id: "use-draft", onclick: () => done(true) }, t("useDraft")),
    h("button", { class: "quiet small", "aria-label": t("closeAll"), onclick: () => done(false) }, "×"));
  opened.addEventListener("draft", () => { if (state.usesDraft || Object.keys(state.draft).length === 0) fill(offer); });
}

// The focus is never lost: where what has it is taken away, it goes to what the view says first.
let focused: HTMLElement | null = null;
document.addEventListener("focusin", (e) => { focused = e.target as HTMLElement; });
document.addEventListener("pointerdown", (e) => { if (!(e.target as HTMLElement).closest?.("a, button, input, select, textarea, summary, [tabindex], text-editor")) focused = null; });
new MutationObserver(() => {
  if (!focused || document.querySelector("dialog[open]") || (focused.isConnected && focused.checkVisibility())) return;
  if (document.activeElement !== document.body && document.activeElement !== focused) return;
  focused = null;
  goHome();
}).observe(main, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden"] });

document.addEventListener("keydown", (e) => {
  if (!(e.ctrlKey || e.metaKey) || e.altKey || !["z", "y"].includes(e.key.toLowerCase()) || current() !== "check" || e.defaultPrevented) return;
  if ((e.target as HTMLElement).closest?.("input, textarea, select, text-editor, dialog")) return; // which undo their own
  e.preventDefault();
  if (e.shiftKey || e.key.toLowerCase() === "y") check.redo();
  else check.undo();
});

async function begin(): Promise<void> {
  apply();
  document.body.append(head, offer, main);
  await view("check");
  makeHead();
  window.addEventListener("hashchange", show);
  for (const what of ["documents", "draft"]) opened.addEventListener(what, keepSoon);
  if (await restore()) { report(t("kept")); check.resume(); tell("draft"); offerDraft(); }
  check.lookFor(new URLSearchParams(location.hash.split("?")[1] ?? "").get("finding") ?? "");
  changed.addEventListener("change", () => { makeHead(); void rules(); });
  opened.addEventListener("rules", () => { makeHead(); if (state.rules) leaveUnknown(state.rules); });
  const local = await engine.start();
  for (const at of document.querySelectorAll(".promise-text")) at.textContent = t(local ? "local" : "remote");
  if (engine.lacksRules) tell("rules"); // the verdicts say so
  document.documentElement.dataset.ready = "true";
  if (local) await engine.rest(); // what is not needed for the first verdict does not delay it
  void keepOffline();
  await rules();
  await Promise.all([loadEditor(), import("./list.ts"), ...names.map((name) => view(name))]).catch(() => undefined); // what cannot be loaded now is tried again at its use
}

/** Leaves what a link or an earlier visit chose and this server does not have. */
function leaveUnknown({ profiles, overlays }: Rules): void {
  const profile = profiles.some((p) => p.id === settings.profile) ? settings.profile : "";
  const chosen = settings.overlays?.filter((name) => overlays.some((o) => o.name === name)) ?? null;
  const unknown = [settings.profile !== profile ? settings.profile : "", ...(settings.overlays ?? []).filter((name) => !chosen!.includes(name))].filter(Boolean);
  if (unknown.length === 0) return;
  report(t("unknownChosen", { names: unknown.join(", ") }));
  choose({ profile, overlays: chosen });
}

/** Goes on with another key. */
async function newKey(): Promise<void> {
  if (engine.lacksRules || engine.local) await engine.takeRules(); // a key may have overlays of its own
  await rules();
  makeHead();
  changed.dispatchEvent(new Event("change"));
}

async function rules(): Promise<void> {
  try {
    await loadRules();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) askKey(() => void rules());
    else report(told(error));
  }
}

engine.news.addEventListener("rules", () => void rules().then(() => {
  changed.dispatchEvent(new Event("change")); // what is open is validated again
  report(t("rulesTaken"));
}));
addEventListener("visibilitychange", () => { if (!document.hidden) void engine.lookAgain(); });

// What is open is kept in this browser: leaving it asks only where it could not be.
addEventListener("beforeunload", (e) => { if (!isKept && (Object.keys(state.draft).length > 0 || state.documents.some((d) => d.edited))) e.preventDefault(); });

void begin();
