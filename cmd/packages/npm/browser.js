import { Validator } from "./client.js";

export { EinvoiceError, Validator } from "./client.js";

let compiled;

/** Opens a validator; url is where the module is, if it is not beside this file. */
export async function open({ url = new URL("./einvoice.wasm", import.meta.url), ...options } = {}) {
  compiled ??= WebAssembly.compileStreaming(fetch(url));
  compiled.catch(() => { compiled = undefined; });
  const module = await compiled;
  return new Validator(async () => {
    const worker = new Worker(new URL("./worker-browser.js", import.meta.url), { type: "module" });
    let told = () => {};
    worker.onmessage = ({ data }) => told(data);
    worker.onerror = (e) => told({ fault: e.message ?? "the worker ended" });
    worker.postMessage({ module });
    return { listen: (to) => { told = to; }, rest: () => {}, post: (m) => worker.postMessage(m), end: () => worker.terminate() };
  }, options);
}
