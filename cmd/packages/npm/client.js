/** Why a call has no result: code is the errorCode of the problem, problem has the rest. */
export class EinvoiceError extends Error {
  constructor(problem) {
    super(problem.detail);
    this.name = "EinvoiceError";
    this.code = problem.errorCode;
    this.problem = problem;
  }
}

const closed = () => new EinvoiceError({ errorCode: "CLOSED", detail: "The validator was closed. Open another one." });

function bytesOf(document) {
  if (typeof document === "string") return new TextEncoder().encode(document);
  if (document instanceof ArrayBuffer) return new Uint8Array(document);
  if (ArrayBuffer.isView(document)) return new Uint8Array(document.buffer, document.byteOffset, document.byteLength);
  throw new EinvoiceError({ errorCode: "REQUEST-INVALID", detail: "The document is neither a text nor bytes. Hand in a string, a Uint8Array or an ArrayBuffer." });
}

function base64(document) {
  const bytes = bytesOf(document);
  if (typeof Buffer !== "undefined") return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

// A request as the module takes it, in JSON.
function plain(request) {
  try {
    return JSON.parse(JSON.stringify(request));
  } catch (e) {
    throw new EinvoiceError({ errorCode: "REQUEST-INVALID", detail: `The request cannot be written as JSON: ${e.message.split("\n")[0]}. Hand in objects, lists, texts, numbers and booleans.` });
  }
}

// NaN and Infinity are null in JSON, which is no time at all: the module refuses the text.
const timeOf = (milliseconds) => (typeof milliseconds === "number" && !Number.isFinite(milliseconds) ? String(milliseconds) : milliseconds);

/**
 * Asks the module in a worker, one call after the other. A worker that takes longer than a call
 * may, or dies, is ended, and the next call begins with another one.
 */
export class Validator {
  #begin; #milliseconds; #worker; #settle; #last = Promise.resolve(); #closed = false;

  /** begin() starts a worker: {listen(to), rest(), post(message), end()}. It rests between calls. */
  constructor(begin, { milliseconds = 60000 } = {}) {
    this.#begin = begin;
    this.#milliseconds = milliseconds;
  }

  /** Validates an invoice in XML, a string or bytes. */
  async validate(document, options = {}) {
    return this.#call({ ...options, operation: "validate", document: base64(document) });
  }

  /** Converts an invoice into "ubl" or "cii". */
  async convert(document, to, options = {}) {
    return this.#call({ ...options, operation: "convert", document: base64(document), to });
  }

  /** Creates a document ("ubl", "cii", "xrechnung") of a request. */
  async create(request, to, options = {}) {
    return this.#call({ ...options, operation: "create", request: plain(request), to });
  }

  /** Ends the worker. A call that is under way, and those after it, are refused. */
  close() {
    this.#closed = true;
    this.#settle?.({ closed: true });
    this.#end();
  }

  #end() {
    this.#worker?.end();
    this.#worker = undefined;
  }

  #call(request) {
    const turn = this.#last.then(() => this.#ask({ ...request, milliseconds: timeOf(request.milliseconds ?? this.#milliseconds) }));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #ask(request) {
    if (this.#closed) throw closed();
    const reply = new Promise((resolve) => { this.#settle = resolve; });
    const worker = this.#worker ??= await this.#begin();
    if (this.#closed) { this.#end(); throw closed(); }
    worker.listen(this.#settle);
    // The module looks at the clock itself, and is ended where it does not. It refuses times that
    // no call can have, for which a timer would be at its end at once.
    const milliseconds = Math.min(Math.max(Number(request.milliseconds) || 0, 0), 600000);
    const late = setTimeout(() => this.#settle({ late: true }), milliseconds + 5000);
    let answer, fault, isLate, isClosed;
    try {
      worker.post({ id: 0, request });
      ({ answer, fault, late: isLate, closed: isClosed } = await reply);
    } finally {
      clearTimeout(late);
      worker.rest();
    }
    if (isClosed) throw closed();
    if (answer === undefined) this.#end();
    if (isLate) throw new EinvoiceError({ errorCode: "VALIDATION-TIMEOUT", detail: "The call took longer than it may and was ended." });
    if (fault !== undefined) throw new EinvoiceError({ errorCode: "INTERNAL", detail: `The module ended: ${fault}` });
    if (answer.problem) throw new EinvoiceError(answer.problem);
    return answer.result;
  }
}
