// The module of WebAssembly and the little of WASI that it needs: a clock, random numbers, and
// what it prints when it dies. It is given no file and no connection.

const NO_FILE = 8, NOT_THERE = 52;

class Exit extends Error {}

/** Starts a compiled module; the result asks it: call(request) gives its answer. */
export async function start(module) {
  let memory, printed = "";
  const view = () => new DataView(memory.buffer);
  const none = (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; };
  const clock = (id) => BigInt(Math.round((id === 0 ? performance.timeOrigin : 0) * 1e6 + performance.now() * 1e6));
  const wasi = {
    args_sizes_get: none, environ_sizes_get: none, args_get: () => 0, environ_get: () => 0, sched_yield: () => 0,
    fd_prestat_get: () => NO_FILE,
    clock_time_get: (id, precision, at) => { view().setBigUint64(at, clock(id), true); return 0; },
    random_get: (at, length) => {
      for (let i = 0; i < length; i += 65536) crypto.getRandomValues(new Uint8Array(memory.buffer, at + i, Math.min(65536, length - i)));
      return 0;
    },
    fd_write: (fd, list, count, written) => {
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true);
        if (printed.length < 4000) printed += new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
        sum += length;
      }
      view().setUint32(written, sum, true);
      return 0;
    },
    // The module waits for nothing but its own clock: each thing that it waits for has come.
    poll_oneoff: (waited, events, count, come) => {
      for (let i = 0; i < count; i++) {
        view().setBigUint64(events + 32 * i, view().getBigUint64(waited + 48 * i, true), true);
        view().setUint16(events + 32 * i + 8, 0, true);
        view().setUint8(events + 32 * i + 10, view().getUint8(waited + 48 * i + 8));
      }
      view().setUint32(come, count, true);
      return 0;
    },
    proc_exit: (code) => { throw new Exit(`the module ended with ${code}: ${printed.slice(0, 300)}`); },
  };
  for (const { name } of WebAssembly.Module.imports(module)) wasi[name] ??= () => NOT_THERE;
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi });
  memory = exports.memory;
  exports._initialize();
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  return (request) => {
    const bytes = encoder.encode(JSON.stringify(request));
    const at = exports.einvoice_take(bytes.length) >>> 0;
    if (at !== 0) new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const length = exports.einvoice_answer() >>> 0;
    return JSON.parse(decoder.decode(new Uint8Array(memory.buffer, exports.einvoice_given() >>> 0, length)));
  };
}

/** Answers messages {id, request} by {id, answer} or {id, fault}. */
export function serve(module, send) {
  const started = start(module);
  started.catch(() => {}); // told to whoever asks
  return async ({ id, request }) => {
    try {
      send({ id, answer: (await started)(request) });
    } catch (fault) {
      send({ id, fault: String(fault?.message ?? fault) });
    }
  };
}
