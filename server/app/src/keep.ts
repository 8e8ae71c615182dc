// What a person works on is kept in this browser until it is closed, so that a reload or a crash
// loses nothing. It is never sent.

import { newDocument, state } from "./state.ts";
import { later } from "./dom.ts";

const mostKept = 64 << 20; // bytes of all documents together

interface Kept { documents: { name: string; bytes: Uint8Array | null; text: string | null; first: string | null; edited: boolean }[]; current: number; draft: Record<string, string> }

/** Whether what is open now is kept: where it is, leaving the page loses nothing. */
export let isKept = true;

let opening: Promise<IDBDatabase> | null = null;

function store(): Promise<IDBDatabase> {
  return (opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("einvoice", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("work");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  }));
}

async function within<T>(mode: IDBTransactionMode, act: (work: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await store()).transaction("work", mode), asked = act(transaction.objectStore("work"));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

const keepLater = later(300, () => void keep());

/** Keeps what is open, a moment after the last change. */
export function keepSoon(): void {
  isKept = false;
  keepLater();
}

async function keep(): Promise<void> {
  const documents = state.documents.map(({ name, bytes, text, first, edited }) => ({ name, bytes, text, first: first === text ? null : first, edited }));
  const size = documents.reduce((sum, d) => sum + (d.bytes?.length ?? 0) + (d.text?.length ?? 0) + (d.first?.length ?? 0), 0);
  try {
    if ((documents.length === 0 && Object.keys(state.draft).length === 0) || size > mostKept) {
      await within("readwrite", (work) => work.delete("open"));
      isKept = size === 0;
      return;
    }
    const kept: Kept = { documents, current: state.documents.indexOf(state.current!), draft: state.draft };
    await within("readwrite", (work) => work.put(kept, "open"));
    isKept = true;
  } catch { isKept = false; } // a private window, or a full disk
}

/** Opens again what was open; false if nothing was. */
export async function restore(): Promise<boolean> {
  let kept: Kept | undefined;
  try { kept = await within("readonly", (work) => work.get("open") as IDBRequest<Kept | undefined>); } catch { return false; }
  if (!kept) return false;
  state.draft = kept.draft;
  state.documents = kept.documents.map((d) => Object.assign(newDocument(d.name, d.bytes, d.text), { edited: d.edited, first: d.first ?? d.text }));
  state.current = state.documents[kept.current] ?? state.documents[0] ?? null;
  return state.documents.length > 0 || Object.keys(state.draft).length > 0;
}
