"use strict";
// Histories: pictures that zoom and tell what is under the pointer. Without it the page shows the
// same pictures at rest. Texts of a page are data: they only ever become text nodes.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const HEIGHT = 260, LEFT = 66, RIGHT = 14, TOP = 34, BOTTOM = 26;
  const SIGNS = 14, CHANGES = 28;  // lanes above the field, base lines
  const COLUMN = 1.6, APART = 14;  // CSS pixels: points so near are one stroke
  const LEAST_RANGE = 4;           // positions: no closer look than that
  const STEP = 0.5;                // of the range, for a button or a key
  const NOISES = 4, LEAST_NOISE = 0.001, ROOM_FOR_ALL = 3;  // as reporter/trend/series_history.cpp

  // ---- the data: parsed when it is first drawn

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
    const commits = [];
    for (let run = 0; run < data.at.length; run += 2)
      for (let i = 0; i < data.at[run + 1]; ++i) commits.push(data.at[run] + i);
    const at = line().at;
    data.commits = commits;
    data.positions = commits.map(commit => at[commit]);
    // Not a product with a power of ten: 10^-320 is none.
    data.values = data.values.map(rest => Number(data.base + rest + "e" + data.exponent));
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

  const percent = share => (share < 0 ? "-" : "+") +
    (Math.abs(share) * 100).toFixed(Math.abs(share) < 0.01 ? 2 : 1) + " %";

  /// A value with one digit more than its level is told with.
  const quantity = (data, value) =>
    (value / data.factor).toFixed(data.decimals + 1) + data.suffix;

  // ---- drawing

  function make(name, attributes, parent) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (parent) parent.append(element);
    return element;
  }

  function write(parent, x, y, words, attributes) {
    make("text", {x: x.toFixed(1), y: y.toFixed(1), ...attributes}, parent).textContent = words;
  }

  function titled(parent, classes, words) {
    const group = make("g", {class: classes}, parent);
    if (words) make("title", {}, group).textContent = words;
    return group;
  }

  const stroke = (parent, x1, y1, x2, y2, classes) => make("line", {
    x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), class: classes
  }, parent);

  /// 1, 2 or 5 times powers of ten within the range, about so many.
  function ticks(low, high, about) {
    const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(digit => digit * power >= rough * (1 - 1e-9));
    const values = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
      values.push(i * step);
    return {values, decimals: Math.min(12, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))};
  }

  /// Texts on one base line; one that would meet an earlier one is left out.
  function lane(y, right) {
    const taken = [];
    return (parent, x, words, classes) => {
      const width = words.length * 7 + 8, atEnd = x + width > right;
      const from = atEnd ? x - width : x;
      if (taken.some(([begin, end]) => from < end && begin < from + width)) return;
      taken.push([from, from + width]);
      write(parent, x + (atEnd ? -4 : 4), y, words,
            {class: classes, "text-anchor": atEnd ? "end" : "start"});
    };
  }

  const TONES = {worse: "regressed", better: "improved", suspect: "inconclusive"};

  function shape(parent, x, y, r, kind, falls, classes) {
    const corners = list => make("polygon", {
      class: classes, points: list.map(([dx, dy]) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`).join(" ")
    }, parent);
    if (kind === "worse") {
      const tip = falls ? r : -r;
      corners([[-r, -tip * 0.8], [r, -tip * 0.8], [0, tip]]);
    } else if (kind === "event") {
      corners([[-r * 0.8, -r * 0.8], [r * 0.8, -r * 0.8], [r * 0.8, r * 0.8], [-r * 0.8, r * 0.8]]);
    } else if (kind === "suspect") {
      corners([[-r, 0], [0, -r], [r, 0], [0, r]]);
    } else {
      make("circle", {class: classes, cx: x.toFixed(1), cy: y.toFixed(1),
                      r: (kind === "refuted" ? r * 0.7 : r * 0.85).toFixed(1)}, parent);
    }
  }

  /// Points as strokes from the lowest to the highest of a column, in pieces where they are apart.
  function strokes(xs, ys) {
    let path = "";
    for (let i = 0; i < xs.length;) {
      const column = Math.floor(xs[i] / COLUMN), begin = i;
      while (i < xs.length && Math.floor(xs[i] / COLUMN) === column) ++i;
      const x = (i - begin === 1 ? xs[begin] : (column + 0.5) * COLUMN).toFixed(1);
      const values = ys.slice(begin, i).sort((a, b) => a - b);
      for (let k = 0; k < values.length;) {
        const low = values[k];
        while (k + 1 < values.length && values[k + 1] - values[k] <= APART) ++k;
        path += `M${x} ${low.toFixed(1)}V${values[k++].toFixed(1)}`;
      }
    }
    return path;
  }

  // ---- one history

  class History {
    constructor(box) {
      this.box = box;
      this.data = series(box.dataset.series);
      const at = line().at;
      this.first = at[0];
      this.last = Math.max(at[at.length - 1], this.first + LEAST_RANGE);
      [this.from, this.to] = [this.first, this.last];
      this.cursor = null;
      this.fingers = new Map();
      this.build();
      this.listen();
      new ResizeObserver(() => this.resize()).observe(box);
      this.resize();
    }

    build() {
      this.said = document.createElement("p");
      this.said.className = "said";
      const bar = document.createElement("div");
      bar.className = "history-bar";
      const button = (sign, words, action) => {
        const element = document.createElement("button");
        element.type = "button";
        element.textContent = sign;
        element.title = words;
        element.setAttribute("aria-label", words);
        element.addEventListener("click", action);
        bar.append(element);
        return element;
      };
      bar.append(this.said);
      button("\u2212", "zoom out", () => this.zoom(1 / STEP));
      button("+", "zoom in", () => this.zoom(STEP));
      this.all = button("all", "show the whole line", () => this.show(this.first, this.last));
      this.svg = make("svg", {class: "picture live", role: "img", tabindex: "0",
                              "aria-label": "history of " + this.data.label});
      this.field = make("g", {}, this.svg);
      this.pointer = make("g", {class: "pointer"}, this.svg);
      this.chosen = make("rect", {class: "chosen", y: TOP, height: HEIGHT - TOP - BOTTOM, width: 0},
                         this.svg);
      this.box.replaceChildren(bar, this.svg);
    }

    resize() {
      const width = Math.max(280, Math.floor(this.box.clientWidth));
      if (width === this.width) return;
      this.width = width;
      this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
      this.svg.setAttribute("width", width);
      this.svg.setAttribute("height", HEIGHT);
      this.draw();
    }

    x(position) {
      return LEFT + (position - this.from) / (this.to - this.from) * (this.width - LEFT - RIGHT);
    }

    position(x) {
      return this.from + (x - LEFT) / (this.width - LEFT - RIGHT) * (this.to - this.from);
    }

    y(value) {
      const share = (value - this.low) / (this.high - this.low);
      return HEIGHT - BOTTOM - Math.min(1, Math.max(0, share)) * (HEIGHT - BOTTOM - TOP);
    }

    /// Indices of the points in sight: [begin, end).
    sight(data) {
      return [lowerBound(data.positions, this.from), lowerBound(data.positions, this.to + 1e-9)];
    }

    /// All values in sight, or, where a few would leave no room for the rest, levels and noise.
    measure() {
      let low = Infinity, high = -Infinity, inner = [Infinity, -Infinity], bands = inner;
      const [begin, end] = this.sight(this.data);
      for (let i = begin; i < end; ++i) {
        low = Math.min(low, this.data.values[i]); high = Math.max(high, this.data.values[i]);
      }
      for (const [from, to, value, noise] of this.data.levels) {
        if (to < this.from || from > this.to) continue;
        const reach = NOISES * Math.max(noise, LEAST_NOISE) * Math.abs(value);
        inner = [Math.min(inner[0], value - reach), Math.max(inner[1], value + reach)];
        bands = [Math.min(bands[0], value - reach / 2), Math.max(bands[1], value + reach / 2)];
      }
      if (inner[1] > inner[0] && !(high - low <= ROOM_FOR_ALL * (inner[1] - inner[0])))
        [low, high] = inner;
      else if (low <= high)
        [low, high] = [Math.min(low, bands[0]), Math.max(high, bands[1])];
      if (!(low <= high)) [low, high] = [this.low || 0, this.high || 1];
      for (const other of this.others()) {
        const [first, last] = this.sight(other);
        let all = [low, high];
        for (let i = first; i < last; ++i)
          all = [Math.min(all[0], other.values[i]), Math.max(all[1], other.values[i])];
        if (all[1] - all[0] <= ROOM_FOR_ALL * (high - low)) [low, high] = all;
      }
      const margin = (high - low) * 0.05 || Math.abs(low) * 0.05 || 1;
      this.low = low - margin;
      this.high = high + margin;
    }

    others() { return this.data.beside.map(index => series("s" + index)); }

    draw() {
      this.measure();
      this.field.replaceChildren();
      this.drawAxes();
      this.drawSurroundings();
      for (const other of this.others()) this.drawPoints(other, "axis");
      this.drawLevels("band");
      this.drawPoints(this.data, "base");
      this.drawLevels("level");
      this.drawMarks();
      this.point(this.cursor);
      this.all.disabled = this.from <= this.first && this.to >= this.last;
      this.box.dataset.range = `${this.from.toFixed(2)} ${this.to.toFixed(2)}`;
    }

    drawAxes() {
      const {values, decimals} = ticks(this.low / this.data.factor, this.high / this.data.factor, 4);
      for (const value of values) {
        const y = this.y(value * this.data.factor);
        stroke(this.field, LEFT, y, this.width - RIGHT, y, "grid");
        write(this.field, LEFT - 6, y + 4, value.toFixed(decimals) + this.data.suffix,
              {class: "muted", "text-anchor": "end"});
      }
      const {at, day} = line(), labels = Math.max(2, Math.floor((this.width - LEFT) / 150));
      let last = -1;
      for (let i = 0; i < labels; ++i) {
        const wanted = this.from + (this.to - this.from) * i / (labels - 1);
        const index = Math.min(at.length - 1, lowerBound(at, wanted));
        if (index === last || at[index] > this.to || day[index] === day[last]) continue;
        last = index;
        const x = this.x(at[index]);
        const anchor = x < LEFT + 40 ? "start" : x > this.width - RIGHT - 40 ? "end" : "middle";
        write(this.field, x, HEIGHT - BOTTOM + 16, day[index],
              {class: "muted", "text-anchor": anchor});
      }
    }

    inSight(position) { return position >= this.from && position <= this.to; }

    drawSurroundings() {
      for (const index of this.data.events) {
        const [from, to, words] = line().events[index];
        if (to < this.from || from > this.to) continue;
        const left = this.x(Math.max(from, this.from)) - 1, right = this.x(Math.min(to, this.to)) + 1;
        make("rect", {class: "reach unchanged", x: left.toFixed(1), y: TOP,
                      width: (right - left).toFixed(1), height: HEIGHT - TOP - BOTTOM},
             titled(this.field, "", words));
      }
      const signs = lane(SIGNS, this.width);
      const sign = (list, classes, before) => {
        for (const [position, name, words] of list) {
          if (!this.inSight(position)) continue;
          const group = titled(this.field, classes, words), x = this.x(position);
          stroke(group, x, SIGNS - 8, x, HEIGHT - BOTTOM, "dashed");
          signs(group, x, before + name, "");
        }
      };
      sign(this.data.pins, "head", "");
      sign(this.data.breaks, "muted", "machine ");
    }

    drawPoints(data, classes) {
      const [begin, end] = this.sight(data), xs = [], ys = [];
      let beyond = "";
      for (let i = begin; i < end; ++i) {
        const x = this.x(data.positions[i]), value = data.values[i];
        if (value >= this.low && value <= this.high) {
          xs.push(x); ys.push(this.y(value));
        } else if (data === this.data) {
          const y = this.y(value), away = value > this.high ? 5 : -5;
          beyond += `M${(x - 3).toFixed(1)} ${y + away}L${(x + 3).toFixed(1)} ${y + away}L${x.toFixed(1)} ${y}Z`;
        }
      }
      make("path", {class: "points faint " + classes, d: strokes(xs, ys)}, this.field);
      if (beyond) make("path", {class: classes, d: beyond}, this.field);
    }

    drawLevels(part) {
      for (const [from, to, value, noise] of this.data.levels) {
        if (to < this.from || from > this.to) continue;
        const left = this.x(Math.max(from, this.from));
        const right = Math.max(left + 3, this.x(Math.min(to, this.to)));
        const reach = 2 * noise * Math.abs(value);
        const top = this.y(value + reach), bottom = this.y(value - reach);
        if (part === "band")
          make("rect", {class: "band", x: left.toFixed(1), y: top.toFixed(1),
                        width: (right - left).toFixed(1), height: (bottom - top).toFixed(1)}, this.field);
        else
          stroke(this.field, left, this.y(value), right, this.y(value), "strong");
      }
      if (part === "level" && this.data.slope.length)
        this.drawSlope();
    }

    drawSlope() {
      const slope = this.data.slope, points = [];
      for (let i = 0; i + 1 < slope.length; ++i) {  // only the pieces in sight, cut at its borders
        const [[p0, v0], [p1, v1]] = [slope[i], slope[i + 1]];
        const from = Math.max(p0, this.from), to = Math.min(p1, this.to);
        if (from > to || p1 === p0) continue;
        const value = position => v0 + (v1 - v0) * (position - p0) / (p1 - p0);
        for (const position of [from, to])
          points.push(this.x(position).toFixed(1) + "," + this.y(value(position)).toFixed(1));
      }
      make("polyline", {class: "inconclusive strong dashed outline", points: points.join(" ")},
           this.field);
    }

    drawMarks() {
      const changes = lane(CHANGES, this.width);
      const marks = this.data.marks.filter(mark => this.inSight(mark[0]));
      marks.sort((a, b) => b[3] - a[3]);  // the news keeps its words where there is no room for all
      for (const [position, value, kind, fresh, change, words] of marks) {
        const tone = kind === "worse" || kind === "better" ? TONES[kind] : "muted";
        const group = titled(this.field, "step " + tone, words), x = this.x(position);
        stroke(group, x, TOP, x, HEIGHT - BOTTOM, "faint");
        changes(group, x, change + (fresh ? " new" : ""), fresh ? "heading" : "");
        const r = fresh ? 7 : 5.5, falls = change.startsWith("-"), y = this.y(value);
        shape(group, x, y, r, kind, falls, TONES[kind] || "unchanged");
        if (!fresh && kind !== "better") shape(group, x, y, r * 0.55, kind, falls, "paper");
      }
    }

    // ---- what is under the pointer

    /// The point nearest to a place on the screen; commits side by side are told apart by value.
    nearest(x, y) {
      const [begin, end] = this.sight(this.data);
      let best = null, least = Infinity;
      const reach = (this.to - this.from) / (this.width - LEFT - RIGHT) * 4;
      const at = lowerBound(this.data.positions, this.position(x));
      for (let i = Math.max(begin, at - 1); i < Math.min(end, at + 1); ++i) consider(this, i);
      for (let i = at - 1; i >= begin && this.data.positions[i] > this.position(x) - reach; --i)
        consider(this, i);
      for (let i = at; i < end && this.data.positions[i] < this.position(x) + reach; ++i)
        consider(this, i);
      return best;

      function consider(history, i) {
        const dx = history.x(history.data.positions[i]) - x;
        const dy = history.y(history.data.values[i]) - y;
        const distance = 16 * dx * dx + dy * dy;
        if (distance < least) { least = distance; best = i; }
      }
    }

    point(index) {
      this.cursor = index;
      this.pointer.replaceChildren();
      if (index === null) {
        this.said.replaceChildren();
        return;
      }
      const {positions, values, commits} = this.data;
      this.say(commits[index], positions[index], values[index]);
      if (!this.inSight(positions[index])) return;
      const x = this.x(positions[index]), y = this.y(values[index]);
      stroke(this.pointer, x, TOP, x, HEIGHT - BOTTOM, "muted");
      make("circle", {cx: x.toFixed(1), cy: y.toFixed(1), r: 5, class: "ring"}, this.pointer);
    }

    say(commit, position, value) {
      const {oid, subject, day} = line();
      const piece = (name, classes, words) => {
        const element = document.createElement(name);
        element.className = classes;
        element.textContent = words;
        return element;
      };
      const level = this.data.levels.find(one => one[0] <= position && position <= one[1]);
      const pieces = [piece("strong", "number", quantity(this.data, value))];
      if (level && level[2] !== 0)
        pieces.push(piece("span", "number dim", percent((value - level[2]) / Math.abs(level[2])) + " from its level"));
      pieces.push(piece("code", "", oid[commit]), piece("bdi", "subject", subject[commit]),
                  piece("span", "number dim", day[commit]));
      const mark = this.data.marks.find(one => one[0] === position);
      if (mark) pieces.push(piece("span", "warn", mark[5]));
      this.said.replaceChildren(...pieces.flatMap(one => [one, " "]));
    }

    // ---- the range in sight

    show(from, to) {
      const whole = this.last - this.first;
      const range = Math.min(whole, Math.max(LEAST_RANGE, to - from));
      const middle = (from + to) / 2;
      this.from = Math.min(this.last - range, Math.max(this.first, middle - range / 2));
      this.to = this.from + range;
      if (!this.waiting) {  // many moves of a wheel, one picture
        this.waiting = true;
        requestAnimationFrame(() => { this.waiting = false; this.draw(); });
      }
    }

    /// By a factor around a position, else around the middle.
    zoom(factor, around = (this.from + this.to) / 2) {
      this.show(around - (around - this.from) * factor, around + (this.to - around) * factor);
    }

    pan(share) {
      const by = (this.to - this.from) * share;
      if (by > 0) this.show(Math.min(this.from + by, this.last - (this.to - this.from)), Math.min(this.to + by, this.last));
      else this.show(Math.max(this.from + by, this.first), Math.max(this.to + by, this.first + (this.to - this.from)));
    }

    place(event) {
      const box = this.svg.getBoundingClientRect();
      return [(event.clientX - box.left) * this.width / box.width,
              (event.clientY - box.top) * HEIGHT / box.height];
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
      on("dblclick", () => this.show(this.first, this.last));
      on("wheel", this.wheel, {passive: false});
      on("keydown", this.key);
    }

    down(event) {
      if (event.button !== 0) return;
      this.svg.setPointerCapture(event.pointerId);
      const [x, y] = this.place(event);
      this.fingers.set(event.pointerId, x);
      const touch = event.pointerType !== "mouse";
      this.drag = this.fingers.size > 1 ? {kind: "pinch", places: this.places()}
        : touch ? {kind: "point"}
        : event.shiftKey ? {kind: "pan", x, from: this.from, to: this.to} : {kind: "choose", x};
      if (touch) this.point(this.nearest(x, y));
    }

    /// Where two fingers are on the line.
    places() { return [...this.fingers.values()].slice(0, 2).map(x => this.position(x)); }

    move(event) {
      const [x, y] = this.place(event);
      if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, x);
      if (this.drag && this.drag.kind === "pinch" && this.fingers.size > 1) return this.pinch();
      if (this.drag && this.drag.kind === "pan") {
        const by = (this.drag.x - x) / (this.width - LEFT - RIGHT) * (this.drag.to - this.drag.from);
        return this.show(this.drag.from + by, this.drag.to + by);
      }
      if (this.drag && this.drag.kind === "choose") {
        this.chosen.setAttribute("x", Math.min(x, this.drag.x));
        this.chosen.setAttribute("width", Math.abs(x - this.drag.x));
      }
      this.point(this.nearest(x, y));
    }

    /// Keeps what was under the fingers under the fingers.
    pinch() {
      const [a, b] = [...this.fingers.values()], [p, q] = this.drag.places;
      if (Math.abs(b - a) < 10) return;
      const scale = (q - p) / (b - a);
      if (!(scale > 0)) return;
      this.show(p - (a - LEFT) * scale, p + (this.width - RIGHT - a) * scale);
    }

    up(event) {
      const drag = this.drag, [x] = this.place(event);
      this.fingers.delete(event.pointerId);
      if (this.fingers.size) return;
      this.drag = null;
      this.chosen.setAttribute("width", 0);
      if (event.type === "pointerup" && drag && drag.kind === "choose" && Math.abs(x - drag.x) > 6) {
        const ends = [this.position(x), this.position(drag.x)].sort((a, b) => a - b);
        this.show(...ends);
      }
    }

    wheel(event) {
      if (event.ctrlKey) {
        event.preventDefault();
        this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), this.position(this.place(event)[0]));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        this.pan((event.deltaX || event.deltaY) / this.width);
      }
    }

    key(event) {
      const step = by => {
        const {positions} = this.data;
        if (!positions.length) return;
        const at = this.cursor === null ? this.sight(this.data)[by > 0 ? 0 : 1] - (by > 0 ? 0 : 1) : this.cursor + by;
        this.point(Math.max(0, Math.min(positions.length - 1, at)));
        const position = positions[this.cursor];
        if (!this.inSight(position)) this.show(position - (this.to - this.from) / 2, position + (this.to - this.from) / 2);
      };
      const actions = {
        ArrowLeft: () => event.shiftKey ? this.pan(-STEP / 2) : step(-1),
        ArrowRight: () => event.shiftKey ? this.pan(STEP / 2) : step(1),
        Home: () => { this.cursor = 0; step(0); },
        End: () => { this.cursor = this.data.positions.length - 1; step(0); },
        "+": () => this.zoom(STEP), "=": () => this.zoom(STEP), "-": () => this.zoom(1 / STEP),
        "0": () => this.show(this.first, this.last), Escape: () => this.show(this.first, this.last),
      };
      if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      actions[event.key]();
    }
  }

  // ---- the histories of a page: drawn when they are first seen, those of the list when they open

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
  // What an address opened may have said so before this script listened.
  for (const box of document.querySelectorAll(".alert .history, .series[open] .history")) seen.observe(box);
  document.addEventListener("toggle", event => {
    const box = event.target.matches(".series[open]") && event.target.querySelector(".history");
    if (box) enliven(box);
  }, true);
})();
