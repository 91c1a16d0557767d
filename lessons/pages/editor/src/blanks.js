// The blanks: where they are, what they look like, what may be changed, and how to move between them.
import {EditorSelection, EditorState, Prec, RangeSetBuilder, StateField} from "@codemirror/state"
import {Decoration, EditorView, WidgetType} from "@codemirror/view"

class EmptyBlank extends WidgetType {
  constructor(blank) { super(); this.blank = blank }
  eq({blank}) { return blank.id === this.blank.id && blank.label === this.blank.label }
  ignoreEvent() { return false } // a click on it puts the cursor into the blank
  toDOM() {
    const box = document.createElement("span")
    box.className = "cm-blank cm-blank-empty"
    box.dataset.blank = this.blank.id
    box.textContent = this.blank.label
    return box
  }
}

function decorate(state) {
  const marks = new RangeSetBuilder()
  for (const blank of blanksOf(state)) {
    const attributes = {"data-blank": blank.id, title: blank.label}
    const mark = Decoration.mark({class: "cm-blank", attributes})
    if (blank.to === blank.from) marks.add(blank.from, blank.from, Decoration.widget({widget: new EmptyBlank(blank), side: 1}))
    for (const [from, to] of stretches(state, blank)) marks.add(from, to, mark)
  }
  return marks.finish()
}

// What of a blank gets a box: all of it, or of several lines what stands right of the given indentation.
function* stretches(state, blank) {
  for (let at = blank.from; at <= blank.to; ) {
    const line = state.doc.lineAt(at)
    const given = Math.min(blank.column ?? 0, /^ */.exec(line.text)[0].length)
    const from = Math.max(blank.from, line.from + given), to = Math.min(blank.to, line.to)
    if (from < to) yield [from, to]
    at = line.to + 1
  }
}

// [{id, label, column, from, to}] in document order; `column` of a blank of several lines only. Text typed at either edge of a blank belongs to it.
const blanksField = StateField.define({
  create: () => [],
  update(blanks, transaction) {
    if (!transaction.docChanged) return blanks
    const {changes} = transaction
    return blanks.map(blank => ({...blank, from: changes.mapPos(blank.from, -1), to: changes.mapPos(blank.to, 1)}))
  },
  provide: field => Prec.lowest(EditorView.decorations.compute([field], decorate)), // lowest: one box around all other marks
})

// A change is allowed only where all of it lies inside one blank or several; else nothing of it happens, the cursor stays.
function lock(onRefused) {
  return EditorState.transactionFilter.of(transaction => {
    const blanks = blanksOf(transaction.startState)
    let allowed = true
    transaction.changes.iterChanges((from, to) => {
      if (!blanks.some(blank => from >= blank.from && to <= blank.to)) allowed = false
    })
    if (allowed) return transaction
    queueMicrotask(onRefused)
    return []
  })
}

// segments: [{text}] is locked, [{id, label, text}] is a blank, with `column` one of several lines.
export function readSegments(segments) {
  const blanks = []
  let doc = ""
  for (const {id, label, column, text} of segments) {
    if (id) blanks.push({id, label, column, from: doc.length, to: doc.length + text.length})
    doc += text
  }
  return {doc, blanks}
}

export function lockedExcept(blanks, onRefused) {
  return [blanksField.init(() => blanks), lock(onRefused)]
}

export function blanksOf(state) {
  return state.field(blanksField)
}

export function textOf(state) {
  return Object.fromEntries(blanksOf(state).map(({id, from, to}) => [id, state.sliceDoc(from, to)]))
}

export function select(blank) {
  return EditorSelection.single(blank.from, blank.to)
}

// Where the cursor goes when it comes to a blank: it selects what stands there, so that typing replaces it. Not where that
// is several lines: one key would take all of a text that is to be repaired.
export function arrive(blank, text) {
  return text.includes("\n") ? EditorSelection.single(blank.from) : select(blank)
}

// Goes to the next blank (step 1) or the one before (step -1). False where there is none and `wrap` is not set.
export function moveTo(view, step, wrap, announce) {
  const blanks = blanksOf(view.state)
  const {from, to} = view.state.selection.main
  const ahead = step > 0 ? blanks.filter(blank => blank.from > to) : blanks.filter(blank => blank.to < from).reverse()
  const others = step > 0 ? blanks : [...blanks].reverse()
  const blank = ahead[0] ?? (wrap ? others[0] : undefined)
  if (!blank) return false
  const selection = arrive(blank, view.state.sliceDoc(blank.from, blank.to))
  view.dispatch({selection, scrollIntoView: true, effects: EditorView.announce.of(announce(blank))})
  return true
}

// Select all: the blank that the cursor is in first, everything when that is selected already. An empty blank stays as it
// is: with everything selected, the next key would be refused.
export function selectBlank(view) {
  const {from, to, empty} = view.state.selection.main
  const blank = blanksOf(view.state).find(one => one.from <= from && to <= one.to)
  if (!blank || (!empty && blank.from === from && blank.to === to)) return false
  view.dispatch({selection: select(blank)})
  return true
}
