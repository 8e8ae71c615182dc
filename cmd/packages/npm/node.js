import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Validator } from "./client.js";

export { EinvoiceError, Validator } from "./client.js";

let compiled;

/** Opens a validator. The module is compiled once a process. */
export async function open(options) {
  compiled ??= readFile(new URL("./einvoice.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
  compiled.catch(() => { compiled = undefined; }); // the next one tries again
  const module = await compiled;
  return new Validator(async () => {
    const worker = new Worker(new URL("./worker-node.js", import.meta.url), { workerData: module, resourceLimits: { stackSizeMb: 64 } });
    worker.unref();
    let told = () => {}, ended = false;
    worker.on("message", (m) => told(m));
    worker.on("error", (e) => told({ fault: e.message }));
    worker.on("exit", () => { ended = true; told({ fault: "the worker ended" }); });
    return {
      listen: (to) => {
        told = to;
        if (ended) told({ fault: "the worker ended" });
        worker.ref();
      },
      rest: () => worker.unref(), // a program may end between calls without close()
      post: (m) => worker.postMessage(m),
      end: () => worker.terminate(),
    };
  }, options);
}
