// The editor itself: CodeMirror, which is loaded when there is something to edit. It adds its styles to
// a shadow root as constructed sheets, which a strict policy allows.

import { defaultKeymap, history, historyField, historyKeymap, indentWithTab, isolateHistory, redo, undo } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { xml } from "@codemirror/lang-xml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { StateEffect, StateField } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import type { Span } from "./api.ts";
import type { Help, Mark } from "./editor.ts";

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

const kinds: Record<string, () => Extension> = { xml, json };

const labelled = (name: string) => EditorView.contentAttributes.of({ "aria-label": name });

/** What an editor tells of: a change by the person, and the cursor's offset. */
export interface Listener { edit(): void; place(offset: number): void; help(): Help }

/** An editor of XML, JSON or YAML in a shadow root. */
export class CodeEditor {
  private view: EditorView;
  private language = new Compartment();
  private label = new Compartment();
  private kind = "";
  private name = "";
  private quiet = false;

  constructor(root: ShadowRoot, private listener: Listener) {
    this.view = new EditorView({ root, parent: root, state: this.begin("") });
    this.view.scrollDOM.tabIndex = 0; // it scrolls by the keyboard, too
  }

  /** A text of the present kind and name, with the history that it had before, or none. */
  private begin(doc: string, past?: unknown): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(), foldGutter(), highlightActiveLineGutter(), highlightActiveLine(), history(), past ? historyField.init(() => past) : [], drawSelection(), bracketMatching(), indentUnit.of("  "),
        highlightSelectionMatches(), search({ top: true }), lintGutter(), chosenField, syntaxHighlighting(colours), look, EditorView.lineWrapping,
        this.language.of(this.extension()), this.label.of(labelled(this.name)),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.listener.edit();
          if (update.selectionSet && !this.quiet && update.view.hasFocus) this.listener.place(update.state.selection.main.head);
        }),
      ],
    });
  }

  /** What the kind of text needs: drafts of rules have more, which comes when it is loaded. */
  private extension(): Extension {
    if (this.kind !== "yaml") return kinds[this.kind]?.() ?? [];
    if (this.drafting) return this.drafting;
    void import("./drafting.ts").then(({ drafting }) => {
      this.drafting = drafting(this.listener.help());
      if (this.kind === "yaml") this.view.dispatch({ effects: this.language.reconfigure(this.drafting) });
    }, () => undefined); // without it the text can be written all the same
    return [];
  }
  private drafting: Extension | null = null;

  set named(text: string) {
    this.name = text;
    this.view.dispatch({ effects: this.label.reconfigure(labelled(text)) });
  }

  private joined: { doc: Text; text: string } | null = null;

  get text(): string {
    const doc = this.view.state.doc;
    if (this.joined?.doc !== doc) this.joined = { doc, text: doc.toString() };
    return this.joined.text;
  }

  /** The edits of the text that can be undone. */
  get past(): unknown { return this.view.state.field(historyField); }

  /** Another text, with a new history (null) or its own of earlier. */
  show(text: string, kind: string, past?: unknown): void {
    const same = text === this.text && past === undefined;
    if (same && kind === this.kind) return;
    this.kind = kind;
    if (same) this.view.dispatch({ effects: this.language.reconfigure(this.extension()) });
    else this.view.setState(this.begin(text, past));
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

  focus(): void { this.view.focus(); }
}
