// A fresh result comes into view: the code may end far below the blank that was changed, and the result stands below
// both. `nearest` moves nothing where the headline can be seen already; its margins (course.css) leave room for more.
requestAnimationFrame(() => document.querySelector(".st-key-headline")?.scrollIntoView({ block: "nearest" }))
