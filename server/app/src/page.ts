// The page of the invoice as render makes it, in a shadow root, with the faults at their
// terms. The program escapes every text of the document; nothing of its page but elements,
// classes and the places of terms is taken over, so that nothing in it can run or load.

import type { Finding } from "./api.ts";

const elements = new Set(["MAIN", "SECTION", "DIV", "H1", "H2", "H3", "P", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "FIGURE", "SPAN", "BR", "IMG", "svg", "title", "path"]);
const attributes = new Set(["class", "data-term", "data-path", "scope", "alt", "role", "viewBox", "d", "colspan"]);

const rowsAtOnce = 200;

const own = `
:host{display:block;overflow:auto;background:var(--desk);height:100%}
.sheet{margin:1rem auto;max-width:186mm;background:#fff;box-shadow:0 1px 3px #0003,0 6px 24px #0001;border-radius:3px;padding:2mm 0 8mm;--text:#1a1a1a;--muted:#595959}
.sheet:empty{min-height:70vh}
.sheet.none:not(:empty){padding:1.5rem;color:#1a1a1a}
[data-path]{cursor:pointer;border-radius:2px}
[data-path]:hover{background:#0b5f5a14}
.fault{box-shadow:0 2px 0 #b3261e;background:#b3261e1a}
.fault.warning{box-shadow:0 2px 0 #8a5a00;background:#8a5a0018}
.fault.information{box-shadow:0 2px 0 #1f5fa8;background:#1f5fa818}
.chosen{outline:2px solid #0b5f5a;outline-offset:2px;background:#0b5f5a22}
tr.due{display:table-row!important;font-size:inherit!important}
tr.due span{border-top:0!important}
@media(min-width:150rem){.sheet{zoom:1.35}}
@media(min-width:212.5rem){.sheet{zoom:1.8}}
@media(forced-colors:active){.fault{outline:1px solid;outline-offset:1px}.chosen{outline:3px solid Highlight}}
@media(max-width:40rem){.sheet{margin:.5rem}}
`;

export class InvoicePage extends HTMLElement {
  private sheet = document.createElement("div");
  private styles = new CSSStyleSheet();
  private places = new Map<string, HTMLElement[]>();
  private near = new Map<string, HTMLElement>(); // the first term of each group
  private wanted = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(own);
    root.adoptedStyleSheets = [this.styles, sheet];
    this.sheet.className = "sheet";
    this.sheet.tabIndex = 0;
    root.append(this.sheet);
    this.sheet.addEventListener("click", (e) => {
      const at = (e.target as HTMLElement).closest<HTMLElement>("[data-path]");
      if (at) this.dispatchEvent(new CustomEvent("path", { detail: at.dataset.path }));
    });
  }

  set named(text: string) { this.sheet.setAttribute("role", "region"); this.sheet.setAttribute("aria-label", text); }

  /** Shows a page, or says why there is none, and tells when all of it is there. */
  show(html: string, nothing: string, done: () => void): void {
    if (!html) {
      this.wanted++;
      this.places.clear();
      this.near.clear();
      this.sheet.className = "sheet none";
      this.sheet.textContent = nothing;
      return;
    }
    const style = html.match(/<style>([\s\S]*?)<\/style>/)?.[1] ?? "";
    const parsed = new DOMParser().parseFromString(html.replace("<style>" + style + "</style>", () => ""), "text/html");
    // The sheet is paper, also on a dark desk.
    this.styles.replaceSync(style.replace(/:root/g, ".sheet").replace(/(^|\n)body\{/g, "$1.sheet{").replace(/(^|\n)main\{/g, "$1.main{").replace(/@font-face\{[^}]*\}/g, "").replace(/@media screen and \(prefers-color-scheme:dark\)\{[^{]*\{[^}]*\}\}/g, "").replace(/--muted:[^;}]*/g, "--muted:#595959"));
    this.sheet.className = "sheet " + (parsed.body.className === "letter" ? "letter" : "plain");
    this.wanted++;
    void this.take(parsed, this.wanted, done);
  }

  /** Takes the page over, some rows at a time, so that a person can type meanwhile. */
  private async take(parsed: Document, asked: number, done: () => void): Promise<void> {
    const all: Node[] = [], later: { to: Node; rows: Node[] }[] = [];
    for (const child of parsed.body.children) {
      const copy = taken(child, later);
      if (copy) all.push(copy);
    }
    this.sheet.replaceChildren(...all);
    for (const { to, rows } of later) {
      for (let i = 0; i < rows.length; i += rowsAtOnce) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        if (asked !== this.wanted) return; // another page is wanted by now
        to.appendChild(fragment(rows.slice(i, i + rowsAtOnce)));
      }
    }
    this.places.clear();
    this.near.clear();
    for (const at of this.sheet.querySelectorAll<HTMLElement>("[data-path]")) {
      const path = at.dataset.path!, known = this.places.get(path);
      if (known) known.push(at);
      else this.places.set(path, [at]);
      for (let group = path; group.includes("."); ) {
        group = group.slice(0, group.lastIndexOf("."));
        if (this.near.has(group)) break;
        this.near.set(group, at);
      }
    }
    done();
  }

  /** Marks the terms of findings; those of a term that is not there at what is nearest. */
  mark(findings: Finding[]): void {
    for (const at of this.sheet.querySelectorAll(".fault")) at.classList.remove("fault", "warning", "information");
    for (const finding of [...findings].reverse()) {
      for (const at of this.at(finding)) {
        at.classList.remove("warning", "information");
        at.classList.add("fault");
        if (finding.level !== "fatal") at.classList.add(finding.level);
      }
    }
  }

  private at(finding: Finding): HTMLElement[] {
    const all = (finding.fields ?? []).flatMap((path) => this.places.get(path) ?? []);
    if (all.length > 0) return all;
    for (const path of finding.fields ?? []) {
      for (let group = path; group.includes("."); ) {
        group = group.slice(0, group.lastIndexOf("."));
        const near = this.near.get(group);
        if (near) return [near];
      }
    }
    return [];
  }

  choose(paths: string[], finding?: Finding): void {
    for (const at of this.sheet.querySelectorAll(".chosen")) at.classList.remove("chosen");
    const chosen = finding ? this.at(finding) : paths.flatMap((path) => this.places.get(path) ?? []);
    for (const at of chosen) at.classList.add("chosen");
    const first = chosen[0];
    if (first) {
      const box = first.getBoundingClientRect(), frame = this.getBoundingClientRect();
      this.scrollTo({ top: this.scrollTop + box.top - frame.top - frame.height / 3 });
    }
  }
}

/** A copy of a node with the elements and attributes that pages have; null for any other. Rows
 * of long tables are left for later. */
function taken(node: Node, later: { to: Node; rows: Node[] }[]): Node | null {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent ?? "");
  if (!(node instanceof Element) || !elements.has(node.tagName)) return null;
  const copy = node.tagName === "MAIN" ? document.createElement("div") : document.createElementNS(node.namespaceURI, node.localName);
  if (node.tagName === "MAIN") copy.className = "main";
  for (const a of node.attributes) if (attributes.has(a.name)) copy.setAttribute(a.name, a.value);
  if (node.tagName === "IMG" && /^data:image\/(png|jpeg);base64,/.test(node.getAttribute("src") ?? "")) copy.setAttribute("src", node.getAttribute("src")!);
  const children = [...node.childNodes];
  const now = node.tagName === "TBODY" ? children.splice(0, rowsAtOnce) : children.splice(0);
  for (const child of now) {
    const inner = taken(child, later);
    if (inner) copy.appendChild(inner);
  }
  if (children.length > 0) later.push({ to: copy, rows: children });
  return copy;
}

function fragment(rows: Node[]): DocumentFragment {
  const made = document.createDocumentFragment();
  for (const row of rows) {
    const copy = taken(row, []);
    if (copy) made.appendChild(copy);
  }
  return made;
}

customElements.define("invoice-page", InvoicePage);
