// What Streamlit's page lacks for keyboards and screen readers.
{
  const JOINED = { mfrac: ["/"], msup: ["^"], msub: ["_"], munder: ["_"], msubsup: ["_", "^"], munderover: ["_", "^"] }

  // A formula as one would type it.
  const spoken = node => {
    if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/[\u2061-\u2064]/g, "") // invisible operators
    if (node.localName === "annotation" || node.ariaHidden === "true") return ""
    const parts = [...node.childNodes].map(spoken)
    const signs = JOINED[node.localName]
    if (signs) return parts.map(part => part.length > 1 ? `(${part})` : part).reduce((all, part, at) => all + signs[at - 1] + part)
    return node.localName === "msqrt" ? `√(${parts.join("")})` : parts.join("")
  }

  // Browsers leave MathML out of an option's name: one that is a formula would have no name at all.
  const nameOptions = () => {
    for (const label of document.querySelectorAll("label:has(.katex)")) {
      const input = label.querySelector("input")
      if (input) input.ariaLabel = spoken(label).replace(/\s+/g, " ").trim()
    }
  }

  // What scrolls sideways in its own place must be reached by the keyboard, and only while it does scroll.
  const SCROLLING = '[data-testid="stTable"] > div, [data-testid="stMarkdownContainer"] table, .katex-display'
  const reachScrolling = () => {
    for (const place of document.querySelectorAll(SCROLLING)) {
      if (place.scrollWidth > place.clientWidth) place.tabIndex = 0
      else place.removeAttribute("tabindex")
    }
  }

  // One watcher for each opening of the document: options and tables come and go with figures and pages.
  if (!document.documentElement.dataset.watched) {
    document.documentElement.dataset.watched = "true"
    let waiting = false, later
    const look = () => {
      if (waiting) return
      waiting = true
      requestAnimationFrame(() => { waiting = false; nameOptions(); reachScrolling() })
      clearTimeout(later)
      later = setTimeout(reachScrolling, 300) // fonts and a menu that slides change widths without a change in the page
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    addEventListener("resize", look)
    document.fonts.addEventListener("loadingdone", look)
    addEventListener("toggle", look, { capture: true }) // a fold that opens
    look()
  }
}
