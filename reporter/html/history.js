"use strict";
// Histories: the pictures of the page can be zoomed and show the value under the pointer. Only the
// field of a picture is scaled, by its viewBox, and only sideways: what has `data-x` keeps its
// shape. Texts out of data only ever become text nodes.
(() => {
  const MARGIN = 8;        // of the field, for the marks at its ends
  const LEAST_RANGE = 4;   // positions
  const STEP = 0.5;        // of the range, for a button or a key
  const REACH = 4;         // CSS pixels: among commits so near, the value decides
  const VALUE_STEPS = 1e5; // as reporter/html/trend_data.cpp

  // ---- the data: parsed when it is first needed

  const parsed = new Map();

  function parse(id, read) {
    if (!parsed.has(id)) {
      const element = document.getElementById(id);
      const script = element.matches("script") ? element : element.querySelector("script");
      parsed.set(id, read(JSON.parse(script.textContent)));
    }
    return parsed.get(id);
  }

  /// The line of commits: positions from the steps between them.
  const line = () => parse("line", data => {
    let position = 0;
    data.at = data.at.map(step => position += step);
    return data;
  });

  /// A series: its points as commits (indices), positions and values, ordered along the line.
  const series = id => parse(id, data => {
    data.commits = [];
    for (let run = 0; run < data.at.length; run += 2)
      for (let i = 0; i < data.at[run + 1]; ++i) data.commits.push(data.at[run] + i);
    data.positions = data.commits.map(commit => line().at[commit]);
    return data;
  });

  /// Index of the first of sorted values that is not below the value.
  function lowerBound(values, value) {
    let low = 0, high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
  }

  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const percent = share => (share < 0 ? "-" : "+") +
    (Math.abs(share) * 100).toFixed(Math.abs(share) < 0.01 ? 2 : 1) + " %";

  /// An axis of the picture: "values and coordinates of its ends".
  function axis(text) {
    const [low, high, from, to] = text.split(" ").map(Number);
    return { low, high, from, to,
             at: value => from + (value - low) / (high - low) * (to - from),
             value: place => low + (place - from) / (to - from) * (high - low) };
  }

  function make(name, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    element.append(...children);
    return element;
  }

  function element(name, classes, words) {
    return Object.assign(document.createElement(name), { className: classes, textContent: words });
  }

  // ---- one history

  class History {
    constructor(box) {
      this.box = box;
      this.data = series(box.dataset.series);
      this.svg = box.querySelector("svg");
      this.natural = this.svg.width.baseVal.value;
      this.height = this.svg.height.baseVal.value;
      const group = this.svg.querySelector(".field");
      this.across = axis(group.dataset.across);
      this.upwards = axis(group.dataset.upwards);
      this.left = this.across.from - MARGIN;
      [this.from, this.to] = [this.left, this.natural];
      this.upright = Array.from(group.querySelectorAll("[data-x]"));
      this.marks = new Map(Array.from(group.querySelectorAll("[data-at]"), mark =>
        [Number(mark.dataset.at), mark.querySelector("title").textContent]));
      this.cursor = null;
      this.fingers = new Map();
      this.build(group);
      this.listen();
      new ResizeObserver(() => this.resize()).observe(box);
      this.resize();
    }

    build(group) {
      const bar = element("div", "history-bar", "");
      const button = (sign, words, action) => {
        const made = Object.assign(element("button", "", sign), { type: "button", title: words });
        made.setAttribute("aria-label", words);
        made.addEventListener("click", action);
        bar.append(made);
        return made;
      };
      this.said = element("p", "said", "");
      bar.append(this.said);
      button("\u2212", "zoom out", () => this.zoom(1 / STEP));
      button("+", "zoom in", () => this.zoom(STEP));
      this.all = button("all", "show all commits", () => this.showAll());
      const { from: bottom, to: top } = this.upwards;
      this.pointer = make("g", { class: "pointer", display: "none" },
                          make("line", { class: "muted", y1: top, y2: bottom }),
                          make("circle", { class: "ring", r: 5 }));
      this.chosen = make("rect", { class: "chosen", y: top, height: bottom - top, width: 0 });
      this.field = make("svg", { x: this.left, height: this.height, preserveAspectRatio: "none" });
      group.replaceWith(this.field);
      this.field.append(group, this.chosen, this.pointer);
      this.svg.classList.add("live");
      this.svg.setAttribute("tabindex", "0");
      this.box.prepend(bar);
    }

    /// A narrow window shows all commits too, closer together.
    resize() {
      const width = clamp(Math.floor(this.box.clientWidth), 280, this.natural);
      if (width === this.width) return;
      this.width = width;
      this.svg.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
      this.svg.setAttribute("width", width);
      this.field.setAttribute("width", width - this.left);
      this.draw();
    }

    /// Units of the picture in a pixel of the field, which it is scaled by.
    scale() { return (this.to - this.from) / (this.width - this.left); }
    unit(pixel) { return this.from + (pixel - this.left) * this.scale(); }

    draw() {
      const scale = this.scale();
      this.field.setAttribute("viewBox", `${this.from} 0 ${this.to - this.from} ${this.height}`);
      this.field.style.setProperty("--upright", scale);
      for (const part of this.upright) this.keepShape(part, part.dataset.x);
      this.arrangeTexts();
      this.all.disabled = this.from <= this.left && this.to >= this.natural;
      this.point(this.cursor);
      this.box.dataset.range = `${this.from.toFixed(2)} ${this.to.toFixed(2)}`;
    }

    keepShape(part, x) {
      const scale = this.scale();
      part.setAttribute("transform", `translate(${x * (1 - scale)}) scale(${scale} 1)`);
    }

    /// Texts on one line: one that would meet an earlier one, or is out of sight, is hidden.
    arrangeTexts() {
      const taken = [];
      for (const part of this.upright) {
        for (const text of part.querySelectorAll("text")) {
          const x = Number(part.dataset.x), place = this.left + (x - this.from) / this.scale();
          text.removeAttribute("display");
          const width = text.getComputedTextLength();
          if (part.matches(".lane")) {  // beside its line, where there is room
            const atEnd = place + width + 8 > this.width;
            text.setAttribute("x", x + (atEnd ? -4 : 4));
            text.setAttribute("text-anchor", atEnd ? "end" : "start");
          }
          const share = { middle: 0.5, end: 1 }[text.getAttribute("text-anchor")] || 0;
          const begin = place + Number(text.getAttribute("x")) - x - share * width;
          const y = text.getAttribute("y"), end = begin + width;
          const meets = taken.some(one => one.y === y && begin < one.end && one.begin < end);
          if (meets || begin < this.left - 1 || end > this.width + 1) text.setAttribute("display", "none");
          else taken.push({ y, begin, end: end + 6 });
        }
      }
    }

    // ---- what is under the pointer

    x(index) { return this.across.at(this.data.positions[index]); }
    share(index) { return this.data.values[index] / VALUE_STEPS; }
    y(index) {
      const { from, to } = this.upwards;
      return from + clamp(this.share(index), 0, 1) * (to - from);
    }

    /// The point nearest to a place on the screen.
    nearest(pixel, y) {
      const { positions } = this.data, scale = this.scale();
      const bound = by => lowerBound(positions, this.across.value(this.unit(pixel + by)));
      const last = Math.min(bound(REACH), positions.length - 1);
      let best = null, least = Infinity;
      for (let i = Math.max(0, bound(-REACH) - 1); i <= last; ++i) {
        const dx = (this.x(i) - this.unit(pixel)) / scale, dy = this.y(i) - y;
        const distance = 16 * dx * dx + dy * dy;
        if (distance < least) { least = distance; best = i; }
      }
      return best;
    }

    point(index) {
      this.cursor = index;
      this.said.replaceChildren(...this.words(index).flatMap(piece => [piece, " "]));
      this.pointer.setAttribute("display", index === null ? "none" : "inline");
      if (index === null) return;
      const x = this.x(index), [stroke, ring] = this.pointer.children;
      stroke.setAttribute("x1", x);
      stroke.setAttribute("x2", x);
      ring.setAttribute("cx", x);
      ring.setAttribute("cy", this.y(index));
      this.keepShape(this.pointer, x);
    }

    /// Of a point its value, its commit and what happened there; else the days in sight.
    words(index) {
      const { oid, subject, day, at } = line();
      if (index === null) {
        if (this.all.disabled || !at.length) return [];
        const days = [this.from, this.to].map(x =>
          day[Math.min(at.length - 1, lowerBound(at, this.across.value(x)))]);
        return [element("span", "number dim", days.join(" to "))];
      }
      const position = this.data.positions[index], commit = this.data.commits[index];
      const value = this.upwards.low + this.share(index) * (this.upwards.high - this.upwards.low);
      const pieces = [element("strong", "number", value.toFixed(this.data.decimals + 1) + this.data.suffix)];
      const level = this.data.levels.find(one => one[0] <= position && position <= one[1]);
      if (level && level[2] !== 0)
        pieces.push(element("span", "number dim", percent((value - level[2]) / Math.abs(level[2])) + " from its level"));
      pieces.push(element("code", "", oid[commit]), element("bdi", "subject", subject[commit]),
                  element("span", "number dim", day[commit]));
      if (this.marks.has(position)) pieces.push(element("span", "warn", this.marks.get(position)));
      return pieces;
    }

    // ---- the range in sight

    show(from, to) {
      const { low, high, from: begin, to: end } = this.across, whole = this.natural - this.left;
      const range = clamp(to - from, Math.min(whole, LEAST_RANGE / (high - low) * (end - begin)), whole);
      this.from = clamp((from + to - range) / 2, this.left, this.natural - range);
      this.to = this.from + range;
      if (!this.waiting) {  // many moves of a wheel, one frame
        this.waiting = true;
        requestAnimationFrame(() => { this.waiting = false; this.draw(); });
      }
    }

    showAll() { this.show(this.left, this.natural); }

    /// By a factor around a place, else around the middle.
    zoom(factor, around = (this.from + this.to) / 2) {
      this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
    }

    pan(share) {
      const by = (this.to - this.from) * share;
      this.show(this.from + by, this.to + by);
    }

    listen() {
      const on = (name, action, options) => this.svg.addEventListener(name, action.bind(this), options);
      on("pointerdown", this.down);
      on("pointermove", this.move);
      on("pointerup", this.up);
      on("pointercancel", this.up);
      on("pointerleave", event => {
        if (event.pointerType === "mouse" && !this.fingers.size) this.point(null);
      });
      on("dblclick", this.showAll);
      on("wheel", this.wheel, { passive: false });
      on("keydown", this.key);
    }

    place(event) {
      const box = this.svg.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    }

    down(event) {
      if (event.button !== 0) return;
      this.svg.setPointerCapture(event.pointerId);
      const [pixel, y] = this.place(event), touch = event.pointerType !== "mouse";
      this.fingers.set(event.pointerId, pixel);
      const [p, q] = Array.from(this.fingers.values(), one => this.unit(one));
      this.drag = this.fingers.size > 1 ? { kind: "pinch", places: [p, q] }
        : { kind: touch ? "point" : event.shiftKey ? "pan" : "choose", at: p };
      if (touch) this.point(this.nearest(pixel, y));
    }

    move(event) {
      const [pixel, y] = this.place(event), drag = this.drag || {}, at = this.unit(pixel);
      if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, pixel);
      if (drag.kind === "pinch") return this.pinch();
      if (drag.kind === "pan") return this.show(this.from + drag.at - at, this.to + drag.at - at);
      if (drag.kind === "choose") {
        this.chosen.setAttribute("x", Math.min(at, drag.at));
        this.chosen.setAttribute("width", Math.abs(at - drag.at));
      }
      this.point(this.nearest(pixel, y));
    }

    /// Keeps what was under the fingers under the fingers.
    pinch() {
      const [a, b] = this.fingers.values(), [p, q] = this.drag.places;
      const scale = (q - p) / (b - a);
      if (Math.abs(b - a) < 10 || !(scale > 0)) return;
      this.show(p - (a - this.left) * scale, p + (this.width - a) * scale);
    }

    up(event) {
      const drag = this.drag, at = this.unit(this.place(event)[0]);
      this.fingers.delete(event.pointerId);
      if (this.fingers.size) return;
      this.drag = null;
      this.chosen.setAttribute("width", 0);
      if (event.type === "pointerup" && drag && drag.kind === "choose" &&
          Math.abs(at - drag.at) > 6 * this.scale())
        this.show(Math.min(at, drag.at), Math.max(at, drag.at));
    }

    wheel(event) {
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!event.ctrlKey && !sideways) return;
      event.preventDefault();
      if (event.ctrlKey) this.zoom(Math.exp(clamp(event.deltaY / 200, -1, 1)), this.unit(this.place(event)[0]));
      else this.pan((event.deltaX || event.deltaY) / this.width);
    }

    /// Points at a commit, and brings it in sight.
    go(index) {
      const last = this.data.positions.length - 1;
      if (last < 0) return;
      this.point(clamp(index, 0, last));
      const by = this.x(this.cursor) - (this.from + this.to) / 2;
      if (Math.abs(by) > (this.to - this.from) / 2) this.show(this.from + by, this.to + by);
    }

    step(by) {
      const begin = lowerBound(this.data.positions, this.across.value(by > 0 ? this.from : this.to));
      this.go(this.cursor !== null ? this.cursor + by : by > 0 ? begin : begin - 1);
    }

    key(event) {
      const actions = {
        ArrowLeft: () => event.shiftKey ? this.pan(-STEP / 2) : this.step(-1),
        ArrowRight: () => event.shiftKey ? this.pan(STEP / 2) : this.step(1),
        Home: () => this.go(0), End: () => this.go(Infinity),
        "+": () => this.zoom(STEP), "=": () => this.zoom(STEP), "-": () => this.zoom(1 / STEP),
        "0": () => this.showAll(), Escape: () => this.showAll(),
      };
      if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      actions[event.key]();
    }
  }

  // ---- the histories of a page: when they are first seen, those of the list when they open

  function enliven(box) {
    if (!box.dataset.live) {
      box.dataset.live = "yes";
      new History(box);
    }
  }

  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      enliven(entry.target);
    }
  });
  // A series that the address opens may be open before this script listens.
  for (const box of document.querySelectorAll(".alert .history, .series[open] .history")) seen.observe(box);
  document.addEventListener("toggle", event => {
    const box = event.target.matches(".series[open]") && event.target.querySelector(".history");
    if (box) enliven(box);
  }, true);
})();
