// The editor of the playground: CodeMirror as an element <update-editor>. make editor bundles it into editor.min.js.
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, drawSelection, keymap } from "@codemirror/view";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { tags } from "@lezer/highlight";

// Words that stand out before the matcher has come, which says what the language has.
const types = /^(bool|[iu](8|16|32|64)|u31|f(32|64)|(u?int(8|16|32|64)(_t)?)|int|unsigned|float|double|Int|UInt|Float|Bool)\b/;
const declarations = /^(Func|Var|RVar|RDom|ImageParam|Buffer|Param|Tuple|Expr|auto|const|let|where|until|update)\b/;

const language = StreamLanguage.define({
  name: "update",
  startState: () => ({ comment: false }),
  token(s, state) {
    if (state.comment) { state.comment = !s.match(/^.*?\*\//); if (state.comment) s.skipToEnd(); return "comment"; }
    if (s.eatSpace()) return null;
    if (s.match("//")) { s.skipToEnd(); return "comment"; }
    if (s.match("/*")) { state.comment = true; return "comment"; }
    if (s.match(/^(0x[\da-fA-F]+|\d+(\.\d*)?([eE][-+]?\d+)?f?)/)) return "number";
    if (s.match(declarations)) return "keyword";
    if (s.match(types)) return "typeName";
    if (s.match(/^(true|false|tmin|tmax|inf|nan)\b/)) return "atom";
    if (s.match(/^[xyk]\d+\b/)) return "propertyName";
    if (s.match(/^[A-Za-z_]\w*(?=\s*\()/)) return "keyword-call";
    if (s.match(/^[A-Za-z_]\w*/)) return "variableName";
    if (s.match(/^[-+*/%<>=!&|^~?:]+/)) return "operator";
    s.next();
    return null;
  },
  tokenTable: { "keyword-call": tags.function(tags.variableName) },
  languageData: { commentTokens: { line: "//" } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: [tags.number, tags.atom], color: "var(--code-number)" },
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.function(tags.variableName), color: "var(--code-function)" },
  { tag: tags.propertyName, fontWeight: "bold" },
]);

const look = EditorView.theme({
  "&": { color: "CanvasText", backgroundColor: "Canvas", border: "1px solid var(--line)", borderRadius: "4px", minHeight: "inherit" },
  "&.cm-focused": { outline: "2px solid var(--link)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", fontSize: ".95em", lineHeight: "1.5", minHeight: "inherit" },
  ".cm-content": { caretColor: "CanvasText", minHeight: "inherit" },
  ".cm-cursor": { borderLeftColor: "CanvasText" },
  ".cm-wrong": { textDecoration: "underline wavy var(--bad) 1px", textUnderlineOffset: "3px" },
  ".cm-why": { color: "var(--bad)", padding: "0 .4em .2em 1em", fontFamily: "system-ui, sans-serif", whiteSpace: "normal" },
  ".cm-tooltip": { backgroundColor: "Canvas", color: "CanvasText", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--root) !important", color: "CanvasText !important" },
});

// Why is a message below the line that has a mistake.
class Why extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const e = document.createElement("div");
    e.className = "cm-why";
    e.textContent = this.text;
    return e;
  }
}

const setWrong = StateEffect.define();
const wrong = StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    for (const e of tr.effects) if (e.is(setWrong)) return e.value;
    return tr.docChanged ? marks.map(tr.changes) : marks;
  },
  provide: f => EditorView.decorations.from(f),
});

class UpdateEditor extends HTMLElement {
  #view; #words = []; #own = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true }); // where styles need no permission of the page
    const submit = () => (this.dispatchEvent(new CustomEvent("submit")), true);
    this.#view = new EditorView({
      root, parent: root,
      state: EditorState.create({
        extensions: [
          keymap.of([{ key: "Mod-Enter", run: submit }]), history(), drawSelection(), bracketMatching(), closeBrackets(), EditorView.lineWrapping,
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]), language, syntaxHighlighting(colours), look, wrong,
          autocompletion({ override: [c => this.#complete(c)], icons: false }),
          EditorView.contentAttributes.of({ "aria-label": this.getAttribute("aria-label") || "", spellcheck: "false", autocapitalize: "off" }),
          EditorView.updateListener.of(u => { if (u.docChanged && !this.#own) this.dispatchEvent(new Event("input")); }),
        ],
      }),
    });
  }

  #complete(context) {
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (!word || word.to - word.from < 2 && !context.explicit) return null;
    return { from: word.from, options: this.#words, validFor: /^\w*$/ };
  }

  get value() { return this.#view.state.doc.toString(); }

  // Setting a text is no input.
  set value(text) {
    if (text === this.value) return;
    this.#own = true;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, effects: setWrong.of(Decoration.none) });
    this.#own = false;
  }

  // words are completed: groups of names by what they are.
  set words(groups) {
    this.#words = Object.entries(groups).flatMap(([detail, names]) => names.map(label => ({ label, detail, apply: detail === "function" ? label + "(" : label })));
  }

  // mark underlines what stands at places, each with a line, a column and a message. Both count from 1, the column in bytes.
  mark(places) {
    const doc = this.#view.state.doc, marks = [];
    for (const { line, column, message } of places) {
      const l = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const before = new TextDecoder().decode(new TextEncoder().encode(l.text).slice(0, column - 1));
      const at = l.from + Math.min(before.length, l.length);
      const word = /^\w+|^[^\s\w]/.exec(l.text.slice(at - l.from)), to = at + (word ? word[0].length : 0);
      const from = to > at ? at : Math.max(l.from, at - 1); // at the end of a line the character before
      if (from < Math.max(to, at)) marks.push(Decoration.mark({ class: "cm-wrong" }).range(from, Math.max(to, at)));
      marks.push(Decoration.widget({ widget: new Why(message), block: true, side: 1 }).range(l.to));
    }
    this.#view.dispatch({ effects: setWrong.of(Decoration.set(marks, true)) });
  }

  focus() { this.#view.focus(); }
}
customElements.define("update-editor", UpdateEditor);
