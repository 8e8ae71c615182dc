// A text editor as an element. What makes it an editor (CodeMirror) is most of the page's script, and
// no verdict needs it: it is loaded when there is a text to show.

import type { Span } from "./api.ts";
import type { CodeEditor } from "./codemirror.ts";

export interface Mark extends Span { severity: "error" | "warning" | "info"; message: string; actions?: { name: string; text: string }[] }

export interface Help {
  complete?: (line: number, column: number) => Promise<{ label: string; detail: string; doc: string; kind: string }[]>;
  hover?: (line: number, column: number) => Promise<string>;
}

let loading: Promise<typeof import("./codemirror.ts")> | null = null;

/** Loads what makes text an editor; once. */
export function loadEditor(): Promise<typeof import("./codemirror.ts")> {
  loading ??= import("./codemirror.ts");
  loading.catch(() => { loading = null; }); // the next text tries again
  return loading;
}

/** An editor of XML, JSON or YAML. It tells of "edit" and, as "place", of the cursor's offset; of
 * "missing" where the editor cannot be loaded. */
export class TextEditor extends HTMLElement {
  private root = this.attachShadow({ mode: "open" });
  private editor: CodeEditor | null = null;
  help: Help = {};
  // What the editor shows when it is there.
  private has = { text: "", kind: "", name: "", marks: [] as Mark[], place: null as Span | null };

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:block;min-height:0;overflow:hidden}");
    this.root.adoptedStyleSheets = [sheet];
  }

  /** Makes the editor, with all that was shown meanwhile. */
  private async make(): Promise<CodeEditor> {
    const { CodeEditor } = await loadEditor();
    if (this.editor) return this.editor;
    const editor = (this.editor = new CodeEditor(this.root, {
      edit: () => this.dispatchEvent(new CustomEvent("edit")),
      place: (detail) => this.dispatchEvent(new CustomEvent("place", { detail })),
      help: () => this.help,
    }));
    const { text, kind, name, marks, place } = this.has;
    editor.named = name;
    editor.show(text, kind);
    editor.mark(marks);
    editor.select(place);
    const waits = document.activeElement === this;
    this.removeAttribute("tabindex");
    if (waits) editor.focus();
    return editor;
  }

  private with(act: (editor: CodeEditor) => void): void {
    if (this.editor) act(this.editor);
    else void this.make().then(act, () => this.dispatchEvent(new CustomEvent("missing")));
  }

  set named(name: string) {
    this.has.name = name;
    if (this.editor) this.editor.named = name;
  }

  get text(): string { return this.editor?.text ?? this.has.text; }

  /** The edits of the text that can be undone. */
  get past(): unknown { return this.editor?.past; }

  /** Another text, with a new history or its own of earlier: undoing never leads into the text before. */
  show(text: string, kind: string, past?: unknown): void {
    if (this.editor) { this.editor.show(text, kind, past); return; }
    const shown = text.replace(/\r\n?/g, "\n");
    if (shown !== this.has.text) Object.assign(this.has, { text: shown, marks: [], place: null });
    this.has.kind = kind;
    if (text) this.with(() => undefined);
  }

  /** Replaces parts of the text, as one step of the history. */
  replace(edits: (Span & { text: string })[]): void {
    const of = this.text;
    this.with((editor) => { if (editor.text === of) editor.replace(edits); });
  }

  undo(): void { this.editor?.undo(); }
  redo(): void { this.editor?.redo(); }

  mark(marks: Mark[]): void {
    if (this.editor) this.editor.mark(marks);
    else this.has.marks = marks;
  }

  /** Shows a place; the focus stays where it is. */
  select(place: Span | null): void {
    if (this.editor) this.editor.select(place);
    else this.has.place = place;
  }

  /** The offset of a line and column, which count from 1. */
  offset(line: number, column: number): number {
    const text = this.text;
    let from = 0;
    for (let next: number; line > 1 && (next = text.indexOf("\n", from)) >= 0; line--) from = next + 1;
    const end = text.indexOf("\n", from);
    return Math.min(from + column - 1, end < 0 ? text.length : end);
  }

  override focus(): void {
    if (this.editor) { this.editor.focus(); return; }
    this.tabIndex = -1; // it has the focus until the editor takes it
    super.focus();
    this.with(() => undefined);
  }
}

customElements.define("text-editor", TextEditor);
