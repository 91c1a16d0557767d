// Colours and layout. Every colour is a variable of Streamlit's theme, so light and dark need no switch here.
import {HighlightStyle, syntaxHighlighting} from "@codemirror/language"
import {RangeSetBuilder} from "@codemirror/state"
import {Decoration, EditorView, ViewPlugin} from "@codemirror/view"
import {tags} from "@lezer/highlight"

const colours = HighlightStyle.define([
  {tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], color: "var(--editor-keyword)"},
  {tag: [tags.string, tags.special(tags.string)], color: "var(--editor-string)"},
  {tag: [tags.number, tags.bool, tags.null], color: "var(--editor-number)"},
  {tag: [tags.comment, tags.docString], color: "var(--editor-comment)"},
  {tag: [tags.function(tags.definition(tags.variableName)), tags.function(tags.variableName)], color: "var(--editor-function)"},
])

const layout = EditorView.theme({
  "&": {color: "var(--st-text-color)", backgroundColor: "var(--st-code-background-color)"},
  "&.cm-focused": {outline: "2px solid var(--st-primary-color)", outlineOffset: "1px"},
  ".cm-scroller": {fontFamily: "var(--st-code-font), monospace", lineHeight: "1.6"},
  ".cm-content": {caretColor: "var(--st-text-color)", padding: "0.5rem 0"},
  ".cm-cursor": {borderLeftColor: "var(--st-text-color)", borderLeftWidth: "2px"},
  ".cm-gutters": {color: "var(--editor-comment)", backgroundColor: "transparent", border: "none"},
  ".cm-activeLine, .cm-activeLineGutter": {backgroundColor: "color-mix(in srgb, var(--st-text-color) 6%, transparent)"},
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--st-primary-color) 35%, transparent)",
  },
})

// A long line wraps, and what follows hangs two columns to the right of where it began: readable at 390 px.
function hangingIndents(view) {
  const marks = new RangeSetBuilder()
  for (const {from, to} of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at)
      const columns = Math.min(/^ */.exec(line.text)[0].length + 2, 16)
      const style = `padding-left: calc(${columns}ch + 6px); text-indent: -${columns}ch`
      marks.add(line.from, line.from, Decoration.line({attributes: {style}}))
      at = line.to + 1
    }
  }
  return marks.finish()
}

const wrapping = ViewPlugin.define(view => ({
  decorations: hangingIndents(view),
  update(change) {
    if (change.docChanged || change.viewportChanged) this.decorations = hangingIndents(change.view)
  },
}), {decorations: plugin => plugin.decorations})

export const look = [syntaxHighlighting(colours), layout, EditorView.lineWrapping, wrapping]
