// Runs the program for browsers in node: each line of standard input is the name of a call, a
// tab and its request, each line of standard output its answer.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [, , program, runtime] = process.argv;
createRequire(import.meta.url)(runtime);
const go = new globalThis.Go();
const { instance } = await WebAssembly.instantiate(readFileSync(program), go.importObject);
const ready = new Promise((resolve) => { globalThis.einvoiceReady = resolve; });
go.run(instance);
await ready;
for await (const line of createInterface({ input: process.stdin })) {
  const tab = line.indexOf("\t");
  const answer = globalThis.einvoiceCall(line.slice(0, tab), line.slice(tab + 1));
  process.stdout.write((answer.json ?? JSON.stringify(answer)).trim() + "\n");
}
process.exit(0);
