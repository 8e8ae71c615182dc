import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Validator } from "./client.js";

export { EinvoiceError, Validator } from "./client.js";

let compiled;

/** Opens a validator. The module is compiled once a process. */
export async function open(options) {
  compiled ??= readFile(new URL("./einvoice.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
  const module = await compiled;
  return new Validator(async () => {
    const worker = new Worker(new URL("./worker-node.js", import.meta.url), { workerData: module, resourceLimits: { stackSizeMb: 64 } });
    worker.unref();
    let told = () => {};
    worker.on("message", (m) => told(m));
    worker.on("error", (e) => told({ fault: e.message }));
    worker.on("exit", () => told({ fault: "the worker ended" }));
    return {
      listen: (to) => { told = to; worker.ref(); },
      post: (m) => worker.postMessage(m),
      end: () => worker.terminate(),
    };
  }, options);
}
