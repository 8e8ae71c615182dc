// Runs the program as WebAssembly, away from the page. wasm_exec.js of Go defines Go.

interface Program { env: Record<string, string>; importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> }
declare function importScripts(url: string): void;
const scope = self as unknown as {
  Go: new () => Program; postMessage(message: unknown): void; onmessage: ((e: MessageEvent) => void) | null;
  einvoiceUse?: (own: string) => { json?: string; error?: { code: string; message: string } };
  einvoiceReady?: () => void; einvoiceCall?: (name: string, body: string) => { json?: string; error?: { code: string; message: string } };
};

importScripts("/app/wasm_exec.js");

/** Starts the program, which the page compiles while this worker starts. */
async function start(module: WebAssembly.Module): Promise<void> {
  const program = new scope.Go();
  program.env = { GOGC: "off", GOMEMLIMIT: "256MiB" }; // until the first verdict, of which collecting would be a fifth
  const instance = await WebAssembly.instantiate(module, program.importObject);
  const ready = new Promise<void>((resolve) => { scope.einvoiceReady = resolve; });
  void program.run(instance);
  await ready;
  scope.onmessage = (e) => scope.postMessage({ id: e.data.id, ...(e.data.name === "use" ? scope.einvoiceUse!(e.data.body) : scope.einvoiceCall!(e.data.name, e.data.body)) });
  scope.postMessage({ ready: true });
}

scope.onmessage = (e) => { start(e.data).catch((error) => scope.postMessage({ error: String(error) })); };

export {};
