// Elements are made by these functions alone. Texts become text nodes, so that nothing that
// a document, a file name or a rule says can become markup.

type Child = Node | string | number | null | undefined | false | Child[];
type Props = Record<string, unknown>;

/** Makes an element: properties that begin with "on" are listeners, others attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props?: Props | null, ...children: Child[]): HTMLElementTagNameMap[K];
export function h(tag: string, props?: Props | null, ...children: Child[]): HTMLElement;
export function h(tag: string, props?: Props | null, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value") (element as HTMLInputElement).value = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

function add(to: Node, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) add(to, child);
    else if (child instanceof Node) to.appendChild(child);
    else if (child !== null && child !== undefined && child !== false) to.appendChild(document.createTextNode(String(child)));
  }
}

/** Replaces what is in an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  add(element, children);
}

const controls = "a[href], button, input, select, textarea, summary, [tabindex]";

/** Replaces what is in an element by something alike: the control at the place of the one with the focus has it then. */
export function refill(element: Element, ...children: Child[]): void {
  const at = [...element.querySelectorAll(controls)].indexOf(document.activeElement!);
  fill(element, ...children);
  if (at >= 0) element.querySelectorAll<HTMLElement>(controls)[at]?.focus({ preventScroll: true });
}

const svgNames = "http://www.w3.org/2000/svg";

const icons: Record<string, string> = {
  check: "m4 10.5 4 4 8-9",
  cross: "m5 5 10 10M15 5 5 15",
  warn: "M10 6v5M10 14v.5M10 2 1.8 17h16.4z",
  info: "M10 9v5M10 6v.5M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  file: "M5 2h7l4 4v12H5zM12 2v4h4",
  drop: "M10 3v9m-4-4 4 4 4-4M3 14v3h14v-3",
  wand: "m4 16 9-9M14 2v4M12 4h4M16 9v3M14.5 10.5h3M6 3v2M5 4h2",
  moon: "M16 12.5A7 7 0 0 1 7.5 4 7 7 0 1 0 16 12.5z",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1 1M14.7 14.7l1 1M4.3 15.7l1-1M14.7 5.3l1-1",
  save: "M10 3v9m-4-4 4 4 4-4M4 16h12",
  back: "m12 4-6 6 6 6",
  search: "M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zM13.5 13.5 18 18",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  play: "m6 4 10 6-10 6z",
};

/** Makes a small picture that screen readers pass over. */
export function icon(name: keyof typeof icons): SVGElement {
  const svg = document.createElementNS(svgNames, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svgNames, "path");
  path.setAttribute("d", icons[name]);
  svg.appendChild(path);
  return svg;
}

/** Saves bytes as a file of the person's. */
export function download(name: string, type: string, data: BlobPart): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([data], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The bytes of a text in base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

/** Runs the last of several calls that come within some milliseconds. */
export function later(wait: number, run: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(run, wait);
  };
}

/** Runs once, some milliseconds after the first of several calls. */
export function soon(wait: number, run: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; run(); }, wait);
  };
}
