// What the editor of a draft of rules has beside that of a document: YAML, closing brackets, completion
// and hover.

import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import type { EditorState, Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { Help } from "./editor.ts";

export function drafting(help: Help): Extension {
  return [yaml(), closeBrackets(), autocompletion({ override: [(context) => complete(help, context)], activateOnTyping: true }), hoverTooltip((view, pos) => hover(help, view.state, pos))];
}

function where(state: EditorState, pos: number): { line: number; column: number } {
  const line = state.doc.lineAt(pos);
  return { line: line.number, column: pos - line.from + 1 };
}

async function complete(help: Help, context: CompletionContext): Promise<CompletionResult | null> {
  if (!help.complete) return null;
  const word = context.matchBefore(/[\w-]*/);
  const { line, column } = where(context.state, context.pos);
  const all = await help.complete(line, column);
  if (all.length === 0 || (!context.explicit && word?.text === "" && !/[.: ]$/.test(context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos)))) return null;
  return { from: word?.from ?? context.pos, options: all.map((c) => ({ label: c.label, detail: c.detail.slice(0, 60), info: c.doc || undefined, type: c.kind })), validFor: /^[\w-]*$/ };
}

async function hover(help: Help, state: EditorState, pos: number) {
  if (!help.hover) return null;
  const { line, column } = where(state, pos);
  const text = await help.hover(line, column);
  if (!text) return null;
  return { pos, create: () => { const dom = document.createElement("div"); dom.className = "cm-hover"; dom.textContent = text.replace(/\*\*|`/g, ""); return { dom }; } };
}
