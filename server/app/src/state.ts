// What is open: documents and a draft of rules.

import { type Card, type Checked, chosen, engine, type Remedy, type Rules, type View } from "./api.ts";
import { toBase64 } from "./dom.ts";
import { settings } from "./settings.ts";

export interface Open {
  name: string;
  /** The bytes that were dropped; null for a text. */
  bytes: Uint8Array | null;
  /** The text that is edited; null before the first verdict, and of a PDF that was not edited. */
  text: string | null;
  /** The text as it was opened, which changes are told from. */
  first: string | null;
  /** The editor's history of the text, while another document is open. */
  past: unknown;
  original: View | null;
  checked: Checked | null;
  /** Why the text as it is has no verdict: what the server or the network said; "" where nothing did. */
  failure: string;
  view: View | null;
  remedies: Remedy[];
  /** The texts that the view and the remedies are of: their places are in these alone. */
  viewOf: string | null;
  remediesOf: string | null;
  took: number;
  /** Whether it was changed since it was opened or saved. */
  edited: boolean;
}

export const state = {
  documents: [] as Open[],
  current: null as Open | null,
  draft: {} as Record<string, string>,
  usesDraft: false,
  rules: null as Rules | null,
};

/** What tells views that something else is open, or that the draft changed. */
export const opened = new EventTarget();
export function tell(what: "documents" | "draft" | "rules"): void { opened.dispatchEvent(new Event(what)); }

export type Kind = "unchecked" | "waiting" | "unread" | "valid" | "invalid";

/** What is known of a document. */
export function kindOf(d: Open): Kind {
  return d.failure ? "unchecked" : !d.checked ? "waiting" : d.checked.problem ? "unread" : d.checked.valid ? "valid" : "invalid";
}

/** The document as calls have it. */
export function given(d: Open): object {
  return d.text !== null ? { text: d.text, name: d.name } : { file: toBase64(d.bytes!), name: d.name };
}

/** The settings as calls have them, with the draft where it is in use. */
export function asked(): object {
  if (!state.usesDraft) return chosen();
  const overlays = Object.keys(state.draft).filter((name) => name.startsWith("overlays/")).map((name) => name.slice(9, -5));
  const usual = settings.overlays ?? state.rules?.usual ?? [];
  return { ...chosen(), overlays: [...new Set([...usual, ...overlays])], draft: state.draft };
}

export function newDocument(name: string, bytes: Uint8Array | null, text: string | null): Open {
  return { name, bytes, text, first: text, past: undefined, original: null, checked: null, failure: "", view: null, remedies: [], viewOf: null, remediesOf: null, took: 0, edited: false };
}

const cards = new Map<string, Promise<Card>>();

export function card(rule: string, rulesets: string[]): Promise<Card> {
  const request = { ...asked(), rule, rulesets };
  const key = JSON.stringify(request);
  let found = cards.get(key);
  if (!found) {
    found = engine.call<Card>("card", request);
    cards.set(key, found);
    if (cards.size > 200) cards.delete(cards.keys().next().value!);
  }
  return found;
}

export async function loadRules(): Promise<Rules> {
  state.rules = await engine.call<Rules>("rules", { language: settings.language });
  cards.clear();
  tell("rules");
  return state.rules;
}
