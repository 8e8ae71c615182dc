// The operations, by the program in this page (WebAssembly, in a worker) where it was built,
// else by the server. Both answer the same JSON.

import { settings } from "./settings.ts";

export interface Span { from: number; to: number }
export type Level = "fatal" | "warning" | "information";

export interface Finding {
  rule: string; layer: string; level: Level; publishedLevel?: Level; overlay?: string; line: number | null; column: number | null;
  location?: string; message: string; language?: string; btCodes: string[] | null; fields: string[] | null; raw: string; span: Span | null; failed?: boolean;
}

export interface Trouble { code: string; message: string; remedy: string; line?: number; column?: number; span: Span | null }

export interface Checked {
  valid: boolean; verdict: string; source: string; kind: string; attachment?: string; profile: string; number: string; seller: string;
  issueDate: string; payable: string; counts: { fatal: number; warning: number; information: number }; findings: Finding[]; omitted: number;
  rulesets: { name: string; version: string; sha256: string; rules: number }[] | null; rulesRun: number;
  overlays: { name: string; title: string; applied: boolean; reason?: string }[] | null; date?: { day: string; by: string }; digest: string; problem?: Trouble;
}

export interface Field { path: string; bt: string; name: string; value: string; span: Span | null; edit: Span | null }
export interface View { html: string; fields: Field[]; groups: Record<string, string>; omitted: number; losses: number; problem?: Trouble }
export interface Adding { possible: boolean; bt: string; name: string; edits: (Span & { text: string })[] }
export interface Remedy { rules: string[]; path: string; bt: string; name: string; kind: "computed" | "code" | "zeros" | "missing"; was: string; becomes: string; edits: (Span & { text: string })[] }

export interface Card {
  id: string; ruleset: string; version: string; layer: string; level: Level; text: string; message: string; language?: string;
  terms: { code: string; name: string }[]; fields: string[] | null; forms: { syntax?: string; applies: boolean; level: Level; context?: string; assert?: string; reason?: string }[] | null;
  examples: string[]; file: string; line: number; neverFires?: string; source?: { title?: string; url?: string; [key: string]: unknown };
  rulesets?: string[]; profiles?: string[]; overlays?: { overlay: string; level: Level; reason: string; owner?: string; until?: string; where?: string }[];
}

export interface Part { expression?: string; value?: unknown; terms?: unknown[]; parts?: Part[]; [key: string]: unknown }

export interface RuleEntry { id: string; level: Level; text: string; language?: string; btCodes: string[]; examples: number; never: boolean }
export interface RulesetEntry { name: string; version: string; layer: string; extends?: string; newest: boolean; own: boolean; effective: { from?: string; until?: string }; rules: RuleEntry[] }
export interface Rules {
  rulesets: RulesetEntry[]; profiles: { id: string; name: string; standard: string; rulesets: string[]; overlays: string[] }[];
  overlays: { name: string; title: string; owner: string }[]; usual: string[]; languages: string[];
}

export interface Mistake { file?: string; line: number; column: number; end: number; message: string; warning?: boolean; fixes?: { title: string; text: string }[] }
export interface Drafted {
  mistakes: Mistake[]; examples: { rule: string; file: string; line: number; fires: boolean; error?: string }[]; passed: number; overlays: string[]; rulesets: string[];
}
export interface Fired { rule: string; level: Level }
export interface Change { document: string; seller: string; month: string; validBefore: boolean; validAfter: boolean; gone: Fired[]; new: Fired[] }
export interface Impact { same: number; documents: number; unread: string[]; changes: Change[]; next: string | null; total: number; rules: string }
export interface Value { location: string; span: Span | null; value: unknown; error?: string }
export interface Evaluated { values: Value[]; more: number; mistake?: Mistake; notInRules?: string }
export interface Made { data: string; mediaType: string; fileName: string; lost: number; losses: { kind: string; bt: string; field: string; value: string; reason: string }[]; refused?: Checked }
export interface Completion { label: string; detail: string; doc: string; kind: string }

/** A refusal of the server or the program, with what to do. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string, readonly status: number) { super(message); }
}

interface Waiting { resolve: (value: unknown) => void; reject: (reason: Error) => void }

/** A worker with the program in it, which answers one call after the other. */
class Program {
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private constructor(private worker: Worker) {
    worker.onmessage = (e) => this.answered(e.data);
  }

  /** Starts a worker, which gets ready for the program while that is compiled. */
  static start(compiled: Promise<WebAssembly.Module>): Promise<Program> {
    const worker = new Worker("/app/engine-worker.js");
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => { worker.terminate(); reject(error); };
      worker.onmessage = (e) => (e.data.ready ? resolve(new Program(worker)) : fail(new Error(e.data.error)));
      worker.onerror = () => fail(new Error("the worker does not start"));
      compiled.then((module) => worker.postMessage(module), fail);
    });
  }

  private answered(answer: { id: number; json?: string; error?: { code: string; message: string } }): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.error) waiting?.reject(new Refusal(answer.error.code, answer.error.message, 422));
    else waiting?.resolve(JSON.parse(answer.json!));
  }

  call<T>(name: string, body: string): Promise<T> {
    const id = this.next++;
    this.worker.postMessage({ id, name, body });
    return new Promise<T>((resolve, reject) => this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject }));
  }
}

// The calls that a person waits for while typing have a worker to themselves.
const atOnce = new Set(["check", "draft", "complete", "hover", "evaluate"]);

/** The answers of a server that has no place just now. */
export const busyStates = [429, 503];

const mostTries = 6; // of a call to a busy server, with ever longer pauses
const pause = 500; // milliseconds

/** Asks again where the server has no place just now, until that is the answer. */
async function patiently(ask: () => Promise<Response>, signal?: AbortSignal | null): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    if (!busyStates.includes(answer.status) || tries === mostTries || signal?.aborted) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause * tries));
  }
}

class Engine {
  private first: Program | null = null;
  private second: Promise<Program> | null = null;
  private module: Promise<WebAssembly.Module> | null = null;
  private state: Promise<boolean> | null = null;
  /** The key for the server; kept as long as the page is open and nowhere else. */
  key = "";

  /** Whether the program runs in this page, so that documents stay on this computer. */
  get local(): boolean { return this.first !== null; }
  /** Whether the server has rules of its own that the program in this page does not have. */
  lacksRules = false;
  /** Tells when other rules came into force at the server than those of the answers so far. */
  readonly news = new EventTarget();
  private inForce = ""; // what the server tells its rules by
  private looked = 0;
  /** How often other rules came into force: what was found by those of before is not of now. */
  era = 0;
  private own: string | null = null; // rules of the server's own, as the program takes them

  start(): Promise<boolean> {
    this.state ??= this.begin();
    return this.state;
  }

  private async begin(): Promise<boolean> {
    try {
      if (!("program" in document.documentElement.dataset)) return false; // the server has none
      const asked = fetch("/app/einvoice.wasm");
      this.module = WebAssembly.compileStreaming(asked); // by other threads, while the page is drawn
      this.first = await Program.start(this.module);
      if ((await asked).headers.has("Own-Rules")) await this.takeRules();
      return true;
    } catch {
      return false;
    }
  }

  /** Gives the rules of the server's own to the program in this page. */
  async takeRules(): Promise<void> {
    try {
      this.own = await this.text("/v1/workbench/own", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
      const { rules } = JSON.parse(this.own) as { rules: string };
      if (this.inForce !== "" && this.inForce !== rules) this.era++;
      this.inForce = rules;
      await this.first!.call("use", this.own);
      if (this.second) await (await this.second).call("use", this.own);
      this.lacksRules = false;
    } catch (error) {
      this.lacksRules = true;
      if (this.first === null) throw error;
    }
  }

  private async another(): Promise<Program> {
    try {
      const program = await Program.start(this.module!);
      if (this.own !== null && !this.lacksRules) await program.call("use", this.own);
      return program;
    } catch { return this.first!; }
  }

  private program(name: string): Promise<Program> | Program {
    if (atOnce.has(name)) return this.first!;
    this.second ??= this.another();
    return this.second;
  }

  /** Takes up what this page itself has published. */
  async renew(): Promise<void> {
    if (this.local) { await this.takeRules(); return; }
    this.inForce = ""; // the next look tells what it is now
    this.era++;
  }

  /** Looks whether somebody has published other rules, or the key has others. A page is open for days. */
  async lookAgain(at = Date.now()): Promise<void> {
    if (at - this.looked < 5_000 || this.local && this.own === null) return;
    this.looked = at;
    try {
      const { rules } = await this.post<{ rules: string }>("own", JSON.stringify({ onlyRules: true }));
      const others = this.inForce !== "" && this.inForce !== rules;
      if (!others) { this.inForce = rules; return; }
      if (this.local) await this.takeRules();
      else { this.inForce = rules; this.era++; }
      this.news.dispatchEvent(new Event("rules"));
    } catch { /* offline, or without a key: asked again later */ }
  }

  private under = 0;

  /** Waits until nothing was asked for a moment. */
  async rest(): Promise<void> {
    for (let still = 0; still < 3; still = this.under === 0 ? still + 1 : 0) await new Promise((resolve) => setTimeout(resolve, 200));
  }

  /** Calls an operation. The server stops working on it when the signal says so. */
  async call<T>(name: string, request: object, signal?: AbortSignal): Promise<T> {
    this.under++;
    try {
      return await this.answer<T>(name, request, signal);
    } finally {
      this.under--;
    }
  }

  private async answer<T>(name: string, request: object, signal?: AbortSignal): Promise<T> {
    await this.start();
    const body = JSON.stringify(request);
    if (this.first && !("archive" in request) && name !== "archived") {
      void this.lookAgain();
      return (await this.program(name)).call<T>(name, body);
    }
    const found = await this.post<T>(name, body, signal);
    void this.lookAgain();
    return found;
  }

  /** Calls an operation of the server, also where the program runs in this page: what is sent leaves this computer. */
  atServer<T>(name: string, request: object): Promise<T> { return this.post<T>(name, JSON.stringify(request)); }

  private post<T>(name: string, body: string, signal?: AbortSignal): Promise<T> {
    return this.send<T>("/v1/workbench/" + name, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
  }

  /** Calls the server itself, which answers JSON. */
  async send<T>(path: string, init: RequestInit): Promise<T> { return JSON.parse(await this.text(path, init)) as T; }

  /** Calls the server itself, for a text. */
  async text(path: string, init: RequestInit): Promise<string> {
    const headers = new Headers(init.headers);
    headers.set("Accept-Language", settings.language);
    if (this.key) headers.set("Authorization", "Bearer " + this.key);
    const answer = await patiently(() => fetch(path, { ...init, headers }), init.signal);
    const text = await answer.text();
    if (answer.ok) return text;
    let problem: { errorCode?: string; detail?: string } = {};
    try { problem = JSON.parse(text); } catch { /* a proxy's page */ }
    throw new Refusal(problem.errorCode ?? "HTTP-" + answer.status, problem.detail ?? answer.statusText, answer.status);
  }
}

export const engine = new Engine();

/** What all calls about documents have: the settings, without a draft. */
export function chosen(): object {
  return { profile: settings.profile, overlays: settings.overlays, at: settings.at, language: settings.language };
}
