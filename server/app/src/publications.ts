// The calls of the server about publications of rules, and what it says of them.

import { engine } from "./api.ts";
import { report } from "./shell.ts";
import { loadRules } from "./state.ts";
import { t } from "./words.ts";

export interface Version { version: number; who: string; why: string; from: string; at: string; undoes: number; files: string[]; approvedBy?: string }
export interface FileChange { name: string; before: string | null; after: string | null }
export interface Proposal { proposal: string; who: string; key: string; own: boolean; why: string; from: string; at: string; undoes: number; files: FileChange[]; changed: boolean }
/** What came of a request: a version in force, a proposal, or neither where one was rejected. */
export interface Made { version?: number; proposal?: string }

export const today = () => new Date().toISOString().slice(0, 10);

/** A moment as the lists show it. */
export const moment = (at: string) => at.replace("T", " ").slice(0, 16);

/** The first digits of the digest of a proposal. */
export const shortly = (proposal: string) => proposal.slice(0, 12);

export function post<T>(path: string, body: object): Promise<T> {
  return engine.send<T>("/v1/rules/" + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** What was published, the newest first. */
export const versions = async () => (await post<{ versions: Version[] }>("versions", {})).versions;

/** What waits for the approval of another key, the oldest first. */
export const proposals = async () => (await post<{ proposals: Proposal[] }>("proposals", {})).proposals;

/** Says what came of a request to publish. */
export function settled(made: Made): void {
  report(made.version ? t("published2", { n: made.version }) : t("proposed", { id: shortly(made.proposal ?? "") }));
}

/** Takes the rules in force into the page. */
export async function takeUp(): Promise<void> {
  await engine.renew();
  await loadRules();
}
