// Two distributions as pairs of bars whose tops are pulled by mouse, finger or arrow keys. A row keeps its sum: the other
// bars of the row keep their proportions. Nothing is sent while a bar moves, and one message when it is let go.
// Whole thousandths inside, so that a row's sum is one exactly.

const ROWS = ["target", "draft"];
const WHOLE = 1000, STEP = 10, LEAP = 100;
const FULL = 150, TOP = 26, BASE = TOP + FULL, WIDTH = 340;
const KEY_WAIT = 400; // milliseconds without a key after which a bar moved by keys counts as let go

export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement.querySelector(".bars-host");
  (host.bars ??= new Bars(host)).take(data, setStateValue);
}

class Bars {
  constructor(host) {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("bars.css" + new URL(import.meta.url).search, import.meta.url).href;
    style.onload = style.onerror = () => { this.place.hidden = false; };
    this.place = document.createElement("div");
    this.place.hidden = true; // unstyled it would flash by
    host.append(style, this.place);
  }

  take(data, send) {
    this.send = send;
    if (this.held || this.timer) return; // the reader is moving a bar: theirs is the newer state
    const shape = JSON.stringify([data.names, data.labels]);
    this.data = data;
    this.rows = Object.fromEntries(ROWS.map((row) => [row, shares(data.rows[row], WHOLE)]));
    if (shape !== this.shape) this.build();
    this.shape = shape;
    this.draw();
  }

  build() {
    const { names, labels, colours } = this.data;
    const step = WIDTH / names.length;
    const width = Math.min(44, step / 2 - 2);
    const bar = (row, token) => {
      const x = step * (token + 0.5) + (row === "target" ? -width : 0);
      return `<g class="bar ${row}" data-row="${row}" data-token="${token}" role="slider" tabindex="0"
        aria-orientation="vertical" aria-valuemin="0" aria-valuemax="1">
        <rect class="rest" x="${x}" width="${width}" fill="url(#pull-${row})"/><rect class="shared" x="${x}" width="${width}"/>
        <rect class="edge" x="${x + 1}" width="${width - 2}"/>
        <rect class="grip" x="${x + 2}" width="${width - 4}" height="8" rx="4"/>
        <text class="value" x="${x + width / 2}" text-anchor="middle"></text>
        <rect class="hold" x="${x}" width="${width}" height="44"/></g>`;
    };
    const hatch = (row, turn) => `<pattern id="pull-${row}" width="7" height="7" patternUnits="userSpaceOnUse"
      patternTransform="rotate(${turn})"><rect width="3" height="7" fill="var(--figure-${row})"/></pattern>`;
    this.place.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${BASE + 26}" role="group" style="${colours}"
      class="${names.length > 4 ? "many" : "few"}"><defs>${hatch("target", 45)}${hatch("draft", -45)}</defs>
      ${names.map((_, token) => ROWS.map((row) => bar(row, token)).join("")).join("")}
      <path class="base" d="M0 ${BASE}H${WIDTH}"/></svg>`;
    const svg = this.place.firstElementChild;
    svg.setAttribute("aria-label", labels.region);
    names.forEach((name, token) => {
      const text = document.createElementNS(svg.namespaceURI, "text");
      text.textContent = name;
      for (const [key, value] of Object.entries({ x: step * (token + 0.5), y: BASE + 18, "text-anchor": "middle" })) text.setAttribute(key, value);
      svg.append(text);
    });
    for (const one of svg.querySelectorAll(".bar")) this.listen(one);
  }

  listen(bar) {
    const { row, token } = bar.dataset;
    bar.setAttribute("aria-label", `${this.data.labels[row]}, ${this.data.names[token]}`);
    bar.addEventListener("pointerdown", (event) => this.hold(bar, event));
    bar.addEventListener("pointermove", (event) => this.held === bar && this.move(bar, this.under(event)));
    for (const end of ["pointerup", "pointercancel"]) bar.addEventListener(end, () => this.held === bar && this.letGo());
    bar.addEventListener("keydown", (event) => this.press(bar, event));
    bar.addEventListener("blur", () => this.timer && this.letGo());
  }

  hold(bar, event) {
    event.preventDefault();
    bar.focus({ focusVisible: false });
    bar.setPointerCapture(event.pointerId);
    bar.classList.add("held");
    this.begin(bar);
    this.held = bar;
    const { row, token } = bar.dataset;
    this.offset = this.rows[row][token] - this.under(event); // the bar doesn't jump to where it was touched
  }

  // The share at the pointer's height, in thousandths.
  under(event) {
    const box = this.place.firstElementChild.getBoundingClientRect();
    const y = (event.clientY - box.top) * (WIDTH / box.width);
    return ((BASE - y) / FULL) * WHOLE;
  }

  press(bar, event) {
    const { row, token } = bar.dataset;
    const now = this.rows[row][token];
    const steps = { ArrowUp: STEP, ArrowRight: STEP, ArrowDown: -STEP, ArrowLeft: -STEP, PageUp: LEAP, PageDown: -LEAP };
    const wanted = { Home: 0, End: WHOLE }[event.key] ?? (event.key in steps ? now + steps[event.key] : null);
    if (wanted === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (this.moving !== bar) this.begin(bar);
    this.offset = 0;
    this.move(bar, wanted);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.letGo(), KEY_WAIT);
  }

  // Proportions are those at the beginning of a move: down to nothing and up again brings all bars back.
  begin(bar) {
    this.moving = bar;
    this.start = [...this.rows[bar.dataset.row]];
  }

  move(bar, wanted) {
    const { row, token } = bar.dataset;
    const share = Math.max(0, Math.min(WHOLE, Math.round((wanted + this.offset) / STEP) * STEP));
    this.rows[row] = withShare(this.start, Number(token), share);
    this.draw();
  }

  letGo() {
    clearTimeout(this.timer);
    this.held?.classList.remove("held");
    const row = this.moving.dataset.row;
    this.held = this.timer = this.moving = null;
    if (this.rows[row].some((share, at) => share !== this.start[at])) this.send("moved", { ...this.rows, turn: Date.now() });
  }

  draw() {
    const height = (share) => (FULL * share) / WHOLE;
    for (const bar of this.place.querySelectorAll(".bar")) {
      const { row, token } = bar.dataset;
      const share = this.rows[row][token];
      const both = Math.min(...ROWS.map((one) => height(this.rows[one][token])));
      const top = BASE - height(share);
      const put = (part, y, tall) => {
        const rect = bar.querySelector("." + part);
        rect.setAttribute("y", y);
        if (tall !== undefined) rect.setAttribute("height", Math.max(0, tall));
      };
      put("rest", top, height(share) - both);
      put("shared", BASE - both, both);
      put("edge", top, height(share));
      put("hold", top - 22);
      put("grip", top - 4);
      put("value", top - 9);
      const digits = this.data.names.length > 4 ? 2 : 3;
      bar.querySelector(".value").textContent = (share / WHOLE).toFixed(digits).replace(/^0(?=\.)/, digits === 2 ? "" : "0");
      bar.setAttribute("aria-valuenow", share / WHOLE);
      bar.setAttribute("aria-valuetext", (share / WHOLE).toFixed(3));
    }
  }
}

// The row with `share` thousandths at `token`; the others share the rest as before, or equally where they had nothing.
function withShare(row, token, share) {
  const others = row.map((old, at) => (at === token ? 0 : old));
  const some = others.some((old) => old > 0);
  const parts = shares(some ? others : others.map((_, at) => (at === token ? 0 : 1)), WHOLE - share);
  parts[token] = share;
  return parts;
}

// `whole` thousandths in the proportions of `weights`: rounded down, and what is left goes to the largest remainders.
function shares(weights, whole) {
  const sum = weights.reduce((all, one) => all + one, 0);
  const exact = weights.map((one) => (one / sum) * whole);
  const parts = exact.map((one) => Math.floor(one + 1e-9));
  const order = exact.map((_, at) => at).sort((one, other) => exact[other] - parts[other] - (exact[one] - parts[one]));
  const left = whole - parts.reduce((all, one) => all + one, 0);
  for (const at of order.slice(0, left)) parts[at] += 1;
  return parts;
}
