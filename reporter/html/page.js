// What every report does beside being read: light and dark, opening what a link leads to, a tip
// under the pointer. (Sorting and filtering: list.js.) Text out of data only ever becomes text
// (textContent), and the page is whole without any of this.
(() => {
  "use strict";

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // --- Light and dark: the reader's taste, until the button is pressed.

  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const addThemeButton = () => {
    const button = make("button", { type: "button", className: "theme" });
    const say = () => { button.textContent = isDark() ? "Light" : "Dark"; };
    button.addEventListener("click", () => {
      document.documentElement.dataset.theme = isDark() ? "light" : "dark";
      say();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say);
    say();
    document.body.prepend(button);
  };

  // --- Links into what is folded.

  const openTarget = () => {
    const target = location.hash.length > 1 &&
                   document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) {
      folded.open = true;
      folded.hidden = false;
    }
    (target.closest("details") || target).scrollIntoView({ block: "start" });
  };

  const printAll = () => {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = Array.from(document.querySelectorAll("details:not([open])"));
      for (const details of opened) details.open = true;
    });
    addEventListener("afterprint", () => {
      for (const details of opened) details.open = false;
    });
  };

  // --- The tip: the <title> of a part of a picture, at once; of a dot its value, from its
  // place on the axis (data-axis: values and coordinates of the ends, decimals).

  const kReach = 7;  // CSS pixels from the pointer to a dot

  const dotPlaces = new WeakMap();
  const dotsOf = (path) => {
    if (!dotPlaces.has(path)) {
      const places = [];
      let x = 0, y = 0;
      for (const [, dx, dy] of path.getAttribute("d").matchAll(/m(-?\d*\.?\d*) ?(-?\d*\.?\d*)h0/g)) {
        x += Number(dx);
        y += Number(dy);
        places.push(x, y);
      }
      dotPlaces.set(path, places);
    }
    return dotPlaces.get(path);
  };

  const nearestDot = (group, event) => {
    const box = group.getScreenCTM();
    if (!box) return null;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(box.inverse());
    let best = null, reach = kReach / box.a;
    for (const path of group.querySelectorAll("path.dots:not(.paper)")) {
      const places = dotsOf(path);
      for (let i = 0; i < places.length; i += 2) {
        const distance = Math.hypot(places[i] - at.x, places[i + 1] - at.y);
        if (distance <= reach) {
          reach = distance;
          best = { path, y: places[i + 1] };
        }
      }
    }
    return best;
  };

  const tipOfDot = (group, event) => {
    const dot = nearestDot(group, event);
    if (!dot) return "";
    const [low, high, from, to, decimals] = group.dataset.axis.split(" ").map(Number);
    const value = low + (dot.y - from) / (to - from) * (high - low);
    const side = ["base", "head"].find((name) => dot.path.classList.contains(name));
    const after = dot.path.nextElementSibling;
    const warmup = after && after.classList.contains("paper") ? " (warm-up)" : "";
    return `${side ? side + " " : ""}${value.toFixed(decimals)}${group.dataset.suffix || ""}${warmup}`;
  };

  const titleOf = (target) => {
    for (let part = target; part && part.ownerSVGElement; part = part.parentElement) {
      const title = Array.from(part.children).find((child) => child.tagName === "title");
      if (title) return title;
    }
    return null;
  };

  // Takes the text of the <title> under the pointer away, so that the browser does not show it as
  // well, and gives it back when the pointer has left.
  const makeQuiet = () => {
    let quiet = null;
    return (title) => {
      if (quiet && quiet.title !== title) {
        quiet.title.textContent = quiet.text;
        quiet = null;
      }
      if (title && !quiet) {
        quiet = { title, text: title.textContent };
        title.textContent = "";
      }
      return quiet ? quiet.text : "";
    };
  };

  const placeTip = (tip, event) => {
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 6);
    const above = event.clientY - tip.offsetHeight - 10;
    tip.style.left = `${Math.max(left, 6)}px`;
    tip.style.top = `${above < 4 ? event.clientY + 16 : above}px`;
  };

  const addTip = () => {
    const tip = make("div", { className: "tip", hidden: true });
    const quietly = makeQuiet();
    document.body.append(tip);
    const say = (event) => {
      const target = event.target;
      const picture = target instanceof Element && target.closest("svg.picture");
      const titled = quietly(picture ? titleOf(target) : null);
      const dots = picture && picture.querySelector("g[data-axis]");
      tip.textContent = (dots && tipOfDot(dots, event)) || titled;
      tip.hidden = tip.textContent === "";
      if (!tip.hidden) placeTip(tip, event);
    };
    addEventListener("pointermove", say, { passive: true });
    addEventListener("pointerdown", say, { passive: true });
    document.documentElement.addEventListener("pointerleave", () => {
      quietly(null);
      tip.hidden = true;
    });
  };

  addThemeButton();
  addEventListener("hashchange", openTarget);
  openTarget();
  printAll();
  addTip();
})();
