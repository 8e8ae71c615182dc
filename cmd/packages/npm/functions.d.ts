/** What every call can be asked beside its document. */
export interface CallOptions {
  /** The language of messages, such as "de"; English without it. */
  language?: string;
  /** How long the call may take. */
  milliseconds?: number;
}

export interface ValidateOptions extends CallOptions {
  /** What the document is held against, such as "xrechnung"; the profile that it declares without it. */
  format?: string;
  /** The names of overlays to apply. */
  overlays?: string[];
  /** The day whose rules are run, such as "2026-11-20"; the issue date without it. */
  at?: string;
}

export interface MakeOptions extends CallOptions {
  /** Refuses what would lose something. */
  strict?: boolean;
}

/** Why a call has no result: code is the errorCode of the problem, problem has the rest. */
export class EinvoiceError extends Error {
  code: string;
  problem: Problem;
}

export class Validator {
  private constructor();
  /** Validates an invoice in XML. */
  validate(document: string | Uint8Array | ArrayBuffer, options?: ValidateOptions): Promise<ValidationResult>;
  /** Converts an invoice into the other syntax. */
  convert(document: string | Uint8Array | ArrayBuffer, to: "ubl" | "cii", options?: MakeOptions): Promise<ConvertedDocument>;
  /** Creates a document of a request. */
  create(request: CreateInvoiceRequest, to: "ubl" | "cii" | "xrechnung", options?: MakeOptions): Promise<MadeDocument>;
  /** Ends the worker. A call that is under way, and those after it, are refused as CLOSED. */
  close(): void;
}

/** Opens a validator; url is where a browser finds the module, if it is not beside the package. */
export function open(options?: { milliseconds?: number; url?: string | URL }): Promise<Validator>;
