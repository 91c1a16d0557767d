// Blanks of several lines: what Enter, Tab, Backspace and a paste do in one, so that its lines stay where Python wants them.
// `column` of such a blank is where its statements stand; its first line has that indentation already, and it is locked.
import {insertNewlineKeepIndent} from "@codemirror/commands"
import {EditorView} from "@codemirror/view"
import {blanksOf} from "./blanks.js"

const STEP = 4
const opens = text => /:\s*(#.*)?$/.test(text)
const width = text => /^ */.exec(text)[0].length

// The blank of several lines that holds the whole selection.
function suiteOf(state) {
  const {from, to} = state.selection.main
  return blanksOf(state).find(one => one.column !== undefined && one.from <= from && to <= one.to)
}

function before(state) {
  const {from} = state.selection.main
  const line = state.doc.lineAt(from)
  return {line, text: line.text.slice(0, from - line.from)}
}

// A new line as deep as the one above it, and deeper after a colon.
export function newLine(view) {
  const {state} = view
  if (!suiteOf(state)) return insertNewlineKeepIndent(view)
  const {text} = before(state)
  const indent = " ".repeat(width(text) + (opens(text) ? STEP : 0))
  view.dispatch(state.replaceSelection(`\n${indent}`), {scrollIntoView: true, userEvent: "input"})
  return true
}

// Moves the selected lines by one step. False where there is none to move: in a blank that is empty, of one line or
// selected as a whole, as it is after going there. Then Tab goes on to the next blank.
export function indent(view, step) {
  const {state} = view
  const blank = suiteOf(state)
  const {from, to, empty} = state.selection.main
  if (!blank || (!empty && from === blank.from && to === blank.to)) return false
  const lines = linesOf(state, from, to).filter(line => line.from > blank.from)
  if (!lines.length) return false
  const changes = state.changes(lines.map(line => shift(line, step, blank.column)).filter(Boolean))
  view.dispatch({changes, selection: state.selection.map(changes, 1), scrollIntoView: true, userEvent: "input.indent"})
  return true
}

function linesOf(state, from, to) {
  const lines = []
  for (let at = from; at <= to; ) {
    const line = state.doc.lineAt(at)
    if (line.from < to || from === to || !lines.length) lines.push(line)
    at = line.to + 1
  }
  return lines
}

function shift(line, step, column) {
  const now = width(line.text), beyond = (now - column) % STEP
  if (step > 0) return {from: line.from + now, insert: " ".repeat(STEP - (beyond > 0 ? beyond : 0))}
  const less = Math.min(beyond > 0 ? beyond : STEP, now - column)
  return less > 0 ? {from: line.from + now - less, to: line.from + now} : null
}

// Backspace before the first letter of a line goes back to the end of the line above, where the line is not indented further.
export function joinLines(view) {
  const {state} = view
  const blank = suiteOf(state)
  const {line, text} = before(state)
  if (!blank || !state.selection.main.empty || line.from <= blank.from) return false
  if (text.trim() || text.length > blank.column) return false
  view.dispatch({changes: {from: line.from - 1, to: line.from + text.length}, scrollIntoView: true, userEvent: "delete.backward"})
  return true
}

// Pasted lines are moved together to where the cursor's line stands, whatever their indentation was.
export const pasting = EditorView.clipboardInputFilter.of((text, state) => {
  if (!suiteOf(state) || !/[\r\n]/.test(text)) return text
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n").map(spaced)
  const {text: typed} = before(state)
  const base = baseOf(lines)
  const [first, ...rest] = lines
  const moved = rest.map(line => line.trim() ? " ".repeat(Math.max(0, width(line) - base) + width(typed)) + line.trimStart() : "")
  return [typed.trim() ? first : first.trimStart(), ...moved].join("\n")
})

const spaced = line => line.replace(/^[ \t]+/, start => start.replace(/\t/g, " ".repeat(STEP)))

// The column that the lines start from. A first line that was copied without its indentation does not count.
function baseOf([first, ...rest]) {
  const widths = rest.filter(line => line.trim()).map(width)
  const least = Math.min(...widths)
  if (!widths.length) return 0
  if (width(first) > 0) return Math.min(width(first), least)
  return opens(first) && widths[0] === least ? 0 : least
}
