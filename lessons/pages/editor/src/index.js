// A Streamlit component (components v2): Python with locked lines and blanks to fill in.
// data: {segments, rev, label, help, refused, position, wait}; state `typed`: {blanks, rev}; trigger `check`: the same.
import {closeBrackets, closeBracketsKeymap} from "@codemirror/autocomplete"
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands"
import {bracketMatching, indentUnit} from "@codemirror/language"
import {python} from "@codemirror/lang-python"
import {EditorState, Prec} from "@codemirror/state"
import {EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers} from "@codemirror/view"
import {blanksOf, lockedExcept, moveTo, readSegments, arrive, selectBlank, textOf} from "./blanks.js"
import {look} from "./look.js"
import {indent, joinLines, newLine, pasting} from "./suites.js"

const editors = new WeakMap() // host element -> Editor: a rerun of the page finds its editor again, text, cursor and undo kept

class Editor {
  constructor(host, component) {
    this.component = component
    this.host = host
    this.view = new EditorView({parent: host.querySelector(".code"), root: host.getRootNode(), state: this.fresh()})
    host.querySelector(".help").textContent = component.data.help
  }

  // Streamlit ran the page again. Only a new `rev` replaces the text: anything else would undo what is being typed.
  update(component) {
    const {rev} = this.component.data
    this.component = component
    if (component.data.rev !== rev) {
      clearTimeout(this.timer)
      this.view.setState(this.fresh())
    }
    this.host.querySelector(".help").textContent = component.data.help
  }

  fresh() {
    const {doc, blanks} = readSegments(this.component.data.segments)
    const texts = blanks.map(({from, to}) => doc.slice(from, to))
    this.sent = JSON.stringify(texts)
    return EditorState.create({
      doc, selection: blanks.length ? arrive(blanks[0], texts[0]) : undefined,
      extensions: [this.keys(), this.texts(), this.saving(), lockedExcept(blanks, () => this.refuse()), pasting, look, basics],
    })
  }

  keys() {
    const move = (step, wrap) => view => moveTo(view, step, wrap, blank => this.position(blank))
    const tab = step => view => indent(view, step) || move(step, false)(view)
    return Prec.highest(keymap.of([
      {key: "Mod-Enter", run: () => this.check()},
      {key: "Enter", run: newLine},
      {key: "Backspace", run: joinLines},
      {key: "Tab", run: tab(1), shift: tab(-1)}, // past the last blank the browser's own Tab leaves
      {key: "Alt-ArrowDown", run: move(1, true)},
      {key: "Alt-ArrowUp", run: move(-1, true)},
      {key: "Mod-a", run: selectBlank},
    ]))
  }

  texts() {
    const {label} = this.component.data
    return EditorView.contentAttributes.of({"aria-label": label, "aria-describedby": "help", spellcheck: "false"})
  }

  saving() {
    return [
      EditorView.updateListener.of(update => {
        if (!update.docChanged) return
        this.notice("")
        clearTimeout(this.timer)
        this.timer = setTimeout(() => this.save(), this.component.data.wait)
      }),
      EditorView.domEventHandlers({blur: () => { this.save() }}),
    ]
  }

  typed() {
    return {blanks: textOf(this.view.state), rev: this.component.data.rev}
  }

  save() {
    clearTimeout(this.timer)
    const typed = this.typed()
    const text = JSON.stringify(Object.values(typed.blanks))
    if (text === this.sent) return
    this.sent = text
    this.component.setStateValue("typed", typed)
  }

  check() {
    this.save()
    this.component.setTriggerValue("check", this.typed())
    return true
  }

  position(blank) {
    const blanks = blanksOf(this.view.state)
    const number = blanks.findIndex(one => one.id === blank.id) + 1
    const slots = {number, count: blanks.length, label: blank.label}
    return this.component.data.position.replace(/\{(\w+)\}/g, (_, name) => slots[name])
  }

  refuse() {
    this.notice(this.component.data.refused)
  }

  notice(text) {
    const place = this.host.querySelector(".notice")
    if (place.textContent !== text) place.textContent = text
  }

  stop() {
    clearTimeout(this.timer)
    this.view.destroy()
    editors.delete(this.host)
  }
}

const basics = [
  lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(),
  indentUnit.of("    "), EditorState.tabSize.of(4), python(),
  keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
]

export default function (component) {
  const host = component.parentElement.querySelector(".editor")
  if (editors.has(host)) editors.get(host).update(component)
  else editors.set(host, new Editor(host, component))
  // Streamlit may call this for a run that was overtaken while the page stays: then the editor must live on.
  return () => { if (!host.isConnected) editors.get(host)?.stop() }
}
