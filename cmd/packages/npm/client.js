/** Why a call has no result: code is the errorCode of the problem, problem has the rest. */
export class EinvoiceError extends Error {
  constructor(problem) {
    super(problem.detail);
    this.name = "EinvoiceError";
    this.code = problem.errorCode;
    this.problem = problem;
  }
}

function base64(document) {
  const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document;
  if (typeof Buffer !== "undefined") return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

/**
 * Asks the module in a worker, one call after the other. A worker that takes longer than a call
 * may, or dies, is ended, and the next call begins with another one.
 */
export class Validator {
  #begin; #milliseconds; #worker; #last = Promise.resolve(); #closed = false;

  /** begin(onMessage, onFault) starts a worker: {post(message), end()}. */
  constructor(begin, { milliseconds = 60000 } = {}) {
    this.#begin = begin;
    this.#milliseconds = milliseconds;
  }

  /** Validates an invoice in XML, a string or bytes. */
  validate(document, options = {}) {
    return this.#call({ operation: "validate", document: base64(document), ...options });
  }

  /** Converts an invoice into "ubl" or "cii". */
  convert(document, to, options = {}) {
    return this.#call({ operation: "convert", document: base64(document), to, ...options });
  }

  /** Creates a document ("ubl", "cii", "xrechnung") of a request. */
  create(request, to, options = {}) {
    return this.#call({ operation: "create", request, to, ...options });
  }

  /** Ends the worker. Calls after it are refused. */
  close() {
    this.#closed = true;
    this.#end();
  }

  #end() {
    this.#worker?.end();
    this.#worker = undefined;
  }

  #call(request) {
    const turn = this.#last.then(() => this.#ask({ milliseconds: this.#milliseconds, ...request }));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #ask(request) {
    if (this.#closed) throw new EinvoiceError({ errorCode: "CLOSED", detail: "The validator was closed. Open another one." });
    let settle;
    const reply = new Promise((resolve) => { settle = resolve; });
    this.#worker ??= await this.#begin();
    this.#worker.listen(settle);
    // The module looks at the clock itself, and is ended where it does not.
    const late = setTimeout(() => settle({ late: true }), request.milliseconds + 5000);
    this.#worker.post({ id: 0, request });
    const { answer, fault, late: isLate } = await reply;
    clearTimeout(late);
    if (answer === undefined) this.#end();
    if (isLate) throw new EinvoiceError({ errorCode: "VALIDATION-TIMEOUT", detail: "The call took longer than it may and was ended." });
    if (fault !== undefined) throw new EinvoiceError({ errorCode: "INTERNAL", detail: `The module ended: ${fault}` });
    if (answer.problem) throw new EinvoiceError(answer.problem);
    return answer.result;
  }
}
