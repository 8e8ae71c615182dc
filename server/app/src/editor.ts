// A text editor as an element. CodeMirror is in a shadow root, where it adds its styles as
// constructed sheets, which a strict policy allows.

import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab, isolateHistory, redo, undo } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { xml } from "@codemirror/lang-xml";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { StateEffect, StateField } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import type { Span } from "./api.ts";

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "var(--code-tag)" },
  { tag: [tags.attributeName, tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-name)" },
  { tag: [tags.attributeValue, tags.string], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: "var(--muted)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-chosen": { backgroundColor: "var(--chosen)", borderRadius: "3px", boxShadow: "0 0 0 1px var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--rule)", borderRadius: "8px", boxShadow: "var(--shadow)", maxWidth: "min(34rem, 90vw)" },
  ".cm-tooltip-lint": { padding: "2px 0" },
  ".cm-diagnostic": { padding: "6px 12px", borderLeft: "3px solid" , fontFamily: "var(--sans)", fontSize: ".86rem"},
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--note)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.2px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warn) 1.2px", textUnderlineOffset: "3px" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted var(--note) 1.2px", textUnderlineOffset: "3px" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "1px solid var(--rule)", color: "var(--muted)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-hover": { padding: "8px 12px", whiteSpace: "pre-wrap", fontFamily: "var(--sans)", fontSize: ".86rem", maxHeight: "16rem", overflow: "auto" },
});

const choosing = StateEffect.define<Span | null>();
const chosenField = StateField.define({
  create: () => Decoration.none,
  update(set, transaction) {
    set = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(choosing)) set = effect.value && effect.value.to > effect.value.from ? Decoration.set([Decoration.mark({ class: "cm-chosen" }).range(effect.value.from, effect.value.to)]) : Decoration.none;
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface Mark extends Span { severity: "error" | "warning" | "info"; message: string; actions?: { name: string; text: string }[] }

export interface Help {
  complete?: (line: number, column: number) => Promise<{ label: string; detail: string; doc: string; kind: string }[]>;
  hover?: (line: number, column: number) => Promise<string>;
}

const kinds: Record<string, () => Extension> = { xml, json, yaml };

/** An editor of XML, JSON or YAML. It tells of "edit" and, as "place", of the cursor's offset. */
export class TextEditor extends HTMLElement {
  private view: EditorView;
  private language = new Compartment();
  private label = new Compartment();
  private history = new Compartment();
  private kind = "";
  private quiet = false;
  help: Help = {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: "",
        extensions: [
          lineNumbers(), foldGutter(), highlightActiveLineGutter(), highlightActiveLine(), this.history.of(history()), drawSelection(), bracketMatching(), closeBrackets(), indentUnit.of("  "),
          highlightSelectionMatches(), search({ top: true }), lintGutter(), chosenField, syntaxHighlighting(colours), look, EditorView.lineWrapping,
          this.language.of([]), this.label.of([]),
          autocompletion({ override: [(context) => this.complete(context)], activateOnTyping: true }),
          hoverTooltip((view, pos) => this.hover(view, pos)),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !this.quiet) this.dispatchEvent(new CustomEvent("edit"));
            if (update.selectionSet && !this.quiet && update.view.hasFocus) this.dispatchEvent(new CustomEvent("place", { detail: update.state.selection.main.head }));
          }),
        ],
      }),
    });
    this.view.scrollDOM.tabIndex = 0; // it scrolls by the keyboard, too
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:block;min-height:0;overflow:hidden}");
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }

  set named(text: string) {
    this.view.dispatch({ effects: this.label.reconfigure(EditorView.contentAttributes.of({ "aria-label": text })) });
  }

  private joined: { doc: Text; text: string } | null = null;

  get text(): string {
    const doc = this.view.state.doc;
    if (this.joined?.doc !== doc) this.joined = { doc, text: doc.toString() };
    return this.joined.text;
  }

  /** The edits of the text that can be undone. */
  get past(): unknown { return this.view.state.field(historyField); }

  /** Another text, with a new history or its own of earlier: undoing never leads into the text before. */
  show(text: string, kind: string, past?: unknown): void {
    this.quiet = true;
    if (kind !== this.kind) {
      this.kind = kind;
      this.view.dispatch({ effects: this.language.reconfigure(kinds[kind]?.() ?? []) });
    }
    if (text !== this.text || past) {
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, effects: this.history.reconfigure([]) });
      this.view.dispatch({ effects: this.history.reconfigure([history(), past ? historyField.init(() => past) : []]) });
    }
    this.quiet = false;
  }

  /** Replaces parts of the text, as one step of the history. */
  replace(edits: (Span & { text: string })[]): void {
    this.view.dispatch({ changes: edits.map((e) => ({ from: e.from, to: e.to, insert: e.text })), annotations: isolateHistory.of("full") });
  }

  undo(): void { undo(this.view); }
  redo(): void { redo(this.view); }

  mark(marks: Mark[]): void {
    const length = this.view.state.doc.length;
    const all: Diagnostic[] = marks.filter((m) => m.from <= length).map((m) => ({
      from: m.from, to: Math.min(m.to, length), severity: m.severity, message: m.message,
      actions: m.actions?.map((a) => ({ name: a.name, apply: (view: EditorView, from: number, to: number) => view.dispatch({ changes: { from, to, insert: a.text } }) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, all));
  }

  /** Shows a place; the focus stays where it is. */
  select(span: Span | null): void {
    const length = this.view.state.doc.length;
    if (!span || span.from > length) {
      this.view.dispatch({ effects: choosing.of(null) });
      return;
    }
    const within = { from: span.from, to: Math.min(span.to, length) };
    this.quiet = true;
    this.view.dispatch({ selection: { anchor: within.from }, effects: [choosing.of(within), EditorView.scrollIntoView(within.from, { y: "center" })] });
    this.quiet = false;
  }

  /** The offset of a line and column, which count from 1. */
  offset(line: number, column: number): number {
    const doc = this.view.state.doc;
    const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return Math.min(at.from + column - 1, at.to);
  }

  override focus(): void { this.view.focus(); }

  private where(pos: number): { line: number; column: number } {
    const line = this.view.state.doc.lineAt(pos);
    return { line: line.number, column: pos - line.from + 1 };
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    if (!this.help.complete) return null;
    const word = context.matchBefore(/[\w-]*/);
    const { line, column } = this.where(context.pos);
    const all = await this.help.complete(line, column);
    if (all.length === 0 || (!context.explicit && word?.text === "" && !/[.: ]$/.test(context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos)))) return null;
    return { from: word?.from ?? context.pos, options: all.map((c) => ({ label: c.label, detail: c.detail.slice(0, 60), info: c.doc || undefined, type: c.kind })), validFor: /^[\w-]*$/ };
  }

  private async hover(_: EditorView, pos: number) {
    if (!this.help.hover) return null;
    const { line, column } = this.where(pos);
    const text = await this.help.hover(line, column);
    if (!text) return null;
    return { pos, create: () => { const dom = document.createElement("div"); dom.className = "cm-hover"; dom.textContent = text.replace(/\*\*|`/g, ""); return { dom }; } };
  }
}

customElements.define("text-editor", TextEditor);
