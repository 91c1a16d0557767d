// Runs in the browser on arrival at a page. What it must know stands in the data attributes of its script element.
{
  const { page, tag } = document.querySelector("script[data-page]").dataset
  document.documentElement.lang = tag // for screen readers

  // On a phone the menu covers the page. Streamlit closes it for links of its own navigation only.
  if (innerWidth < 768) document.querySelector(
    '[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button')?.click()

  // A link to a place on the page: Streamlit goes there as soon as its heading is there, and whatever is drawn above it
  // later pushes it away again. So hold on to it until the reader does something.
  const place = location.hash.slice(1)
  const root = document.documentElement
  if (place && !root.dataset.arrived) {
    const growth = new ResizeObserver(() => document.getElementById(place)?.scrollIntoView())
    growth.observe(document.querySelector('[data-testid="stMainBlockContainer"]'))
    const letGo = () => growth.disconnect()
    for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"])
      addEventListener(kind, letGo, { once: true, passive: true, capture: true })
  }
  root.dataset.arrived = page // once for each opening of the document: a reader who changes the language stays put
}
