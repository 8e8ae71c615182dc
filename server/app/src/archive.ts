// The server's folder of past invoices: which rules fire in it, and its documents.

import { engine, Refusal } from "./api.ts";
import { fromBase64 } from "./dom.ts";
import { asked } from "./state.ts";
import { t } from "./words.ts";

export interface Violations { document: string; seller: string; month: string; valid: boolean; rules: string[] }
interface Fires { documents: number; unread: string[]; next: string | null; total: number; rules: string; fired: Violations[] }

/** What a run through the archive found, by rule. */
export interface Counted { documents: number; byRule: Map<string, Violations[]> }

const decides = () => JSON.stringify([asked(), engine.era]);

let run: { settings: string; counted: Promise<Counted> } | null = null;

/** Runs the rules that are chosen on the archive, once for each choice. */
export function count(progress: (looked: number, total: number) => void): Promise<Counted> {
  const settings = decides();
  if (run?.settings !== settings) {
    const counted = through(progress);
    run = { settings, counted };
    counted.catch(() => { run = null; }); // to be tried again
  }
  return run.counted;
}

/** Whether the archive was run through with the rules that are chosen. */
export function isCounted(): boolean { return run?.settings === decides(); }

/** The rules that decide a run. Where others came into force meanwhile, its numbers would be of both. */
export function sameRules(before: string, now: string): string {
  if (before && before !== now) throw new Refusal("RULES-CHANGED", t("rulesChanged"), 0);
  return now;
}

async function through(progress: (looked: number, total: number) => void): Promise<Counted> {
  const counted: Counted = { documents: 0, byRule: new Map() };
  const settings = structuredClone(asked()); // of the whole run, whatever is edited meanwhile
  let looked = 0, rules = "";
  for (let next: string | null = ""; next !== null; ) {
    const some: Fires = await engine.call<Fires>("fires", { ...settings, archive: next });
    rules = sameRules(rules, some.rules);
    counted.documents += some.documents;
    looked += some.documents + some.unread.length;
    for (const v of some.fired) for (const rule of v.rules) {
      const known = counted.byRule.get(rule);
      if (known) known.push(v);
      else counted.byRule.set(rule, [v]);
    }
    next = some.next;
    progress(looked, some.total);
  }
  return counted;
}

/** A document of the archive. */
export async function past(name: string): Promise<File> {
  const found = await engine.call<{ file: string; name: string }>("archived", { name });
  return new File([fromBase64(found.file)], found.name);
}

/** Asks the page to open a document of the archive, with the draft or without it. */
export function openPast(from: HTMLElement, name: string, draft: boolean, file?: File): void {
  from.dispatchEvent(new CustomEvent("past", { detail: { name, draft, file }, bubbles: true }));
}
