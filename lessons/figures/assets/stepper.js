// Turns over drawings that Python has rendered. Stepping stays in the browser: nothing is sent to the server.

const SKELETON = `
  <div class="stepper" role="group" tabindex="0">
    <label class="menu"><span></span> <select></select></label>
    <div class="bar">
      <button type="button" class="back"></button>
      <button type="button" class="next"></button>
      <button type="button" class="leap"></button>
      <button type="button" class="last"></button>
      <span class="where"></span>
    </div>
    <div aria-live="polite"><p class="title"></p><p class="sentence"></p></div>
    <p class="links"></p>
    <div class="stage">
      <div class="drawing" role="img"></div>
      <div class="tokens">
        <div class="chips" role="group"></div>
        <p class="told"></p>
        <div class="detail"></div>
      </div>
    </div>
  </div>`;

export default function ({ data, parentElement }) {
  const host = parentElement.querySelector(".stepper-host");
  const stepper = (host.stepper ??= new Stepper(host));
  stepper.take(data);
}

class Stepper {
  constructor(host) {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("stepper.css" + new URL(import.meta.url).search, import.meta.url).href;
    // Until its style has come the figure would flash by unstyled.
    style.onload = style.onerror = () => { this.find(".stepper").hidden = false; };
    host.innerHTML = SKELETON;
    host.prepend(style);
    this.host = host;
    this.at = 0;
    this.find(".stepper").hidden = true;
    this.find(".back").onclick = () => this.go(this.at - 1);
    this.find(".next").onclick = () => this.go(this.at + 1);
    this.find(".leap").onclick = () => this.go(this.leap());
    this.find(".last").onclick = () => this.go(Infinity);
    this.find("select").onchange = (event) => this.go(event.target.selectedIndex);
    this.find(".drawing").onclick = (event) => {
      const leads = event.target.closest("[data-step]");
      if (leads) this.go(Number(leads.dataset.step));
    };
    host.addEventListener("keydown", (event) => this.press(event));
  }

  find(selector) {
    return this.host.querySelector(selector);
  }

  take(data) {
    if (this.data?.run !== data.run) [this.at, this.chosen] = [data.start, undefined];
    this.data = data;
    const root = this.find(".stepper");
    root.style.cssText = data.colours;
    root.setAttribute("aria-label", data.labels.region);
    for (const name of ["back", "next", "leap", "last"]) this.find("." + name).textContent = data.labels[name];
    this.find(".leap").hidden = !data.leaps?.length;
    this.find(".chips").setAttribute("aria-label", data.labels.chips);
    this.fillMenu();
    this.go(this.at);
  }

  leap() {
    return this.data.leaps?.find((step) => step > this.at) ?? Infinity;
  }

  fillMenu() {
    this.find(".menu").hidden = !this.data.menu;
    this.find(".menu span").textContent = this.data.menu;
    this.find("select").replaceChildren(...this.data.steps.map((step) => new Option(step.title)));
  }

  press(event) {
    if (event.target.matches("select")) return; // it has arrow keys of its own
    const target = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: Infinity }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.go(target);
  }

  go(wanted) {
    const end = this.data.steps.length - 1;
    const moved = this.at;
    this.at = Math.max(0, Math.min(end, wanted));
    const step = this.data.steps[this.at];
    this.write(".where", step.position);
    this.write(".title", step.title);
    this.write(".sentence", step.sentence);
    const drawing = this.find(".drawing");
    drawing.innerHTML = step.columns.map((column) => `<div>${column.map((at) => this.data.drawings[at]).join("")}</div>`).join("");
    drawing.setAttribute("aria-label", step.alt);
    for (const leads of drawing.querySelectorAll("[data-step]")) {
      leads.classList.toggle("here", Number(leads.dataset.step) === this.at);
      leads.classList.toggle("passed", Number(leads.dataset.step) < this.at);
    }
    this.find("select").selectedIndex = this.at;
    this.link(step.links);
    drawing.classList.remove("changed");
    if (moved !== this.at) requestAnimationFrame(() => drawing.classList.add("changed"));
    this.chips(step, moved !== this.at);
    // Not `disabled`: a button that is disabled while it has the focus loses it, and the arrow keys with it.
    this.find(".back").setAttribute("aria-disabled", this.at === 0);
    for (const name of [".next", ".leap", ".last"]) this.find(name).setAttribute("aria-disabled", this.at === end);
  }

  // The chips of a step that has some. A rerun of the page with the same step leaves the reader's choice alone.
  chips(step, moved) {
    this.find(".tokens").hidden = !step.chips?.length;
    if (!step.chips?.length) return;
    this.find(".told").setAttribute("aria-live", "polite");
    const box = this.find(".chips");
    const had = box.contains(this.host.getRootNode().activeElement);
    box.replaceChildren(...step.chips.map((number, at) => {
      const chip = this.data.chips[number];
      const button = document.createElement("button");
      button.type = "button";
      button.className = "token " + chip.kind;
      for (const [name, text] of [["sign", chip.label], ["word", chip.word]]) {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        button.append(part);
      }
      button.setAttribute("aria-label", `${chip.said} ${chip.word}`);
      button.onclick = () => this.choose(at);
      return button;
    }));
    if (moved || this.chosen === undefined || this.chosen >= step.chips.length) this.chosen = step.chosen;
    this.choose(this.chosen);
    if (had) box.children[this.chosen].focus();
  }

  choose(at) {
    const chip = this.data.chips[this.data.steps[this.at].chips[at]];
    this.chosen = at;
    [...this.find(".chips").children].forEach((button, place) => button.setAttribute("aria-pressed", place === at));
    this.write(".told", chip.told);
    this.find(".detail").innerHTML = this.data.drawings[chip.drawing];
  }

  link(links) {
    this.find(".links").hidden = links.length === 0;
    const anchors = this.find(".links").children;
    while (anchors.length > links.length) anchors[links.length].remove();
    links.forEach(([text, href], at) => {
      // A link that is there already is changed, not replaced: it may have the focus.
      const anchor = anchors[at] ?? this.find(".links").appendChild(document.createElement("a"));
      Object.assign(anchor, { textContent: text, href, target: href.startsWith("?") ? "" : "_blank", rel: "noopener" });
    });
  }

  write(selector, text) {
    const place = this.find(selector);
    if (place.textContent !== text) place.textContent = text; // the same text again would be read out again
  }
}
