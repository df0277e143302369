// Sorting and filtering of rows: those of a table, each a "tbody", and those of the list of all
// series, each a "details" element. `data-filter` says what they are. Text out of data only ever becomes
// text (textContent), and the page is whole without any of this.
(() => {
  "use strict";

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // --- Sorting: a key is a number or a text; where some are numbers, what has none comes last.

  const words = new Intl.Collator("en", { numeric: true });
  const isNumber = (key) => typeof key === "number";

  const orderOf = (keys, descending) => {
    const numeric = keys.some(isNumber);
    const sign = descending ? -1 : 1;
    const compare = (a, b) => {
      if (!numeric) return sign * words.compare(keys[a], keys[b]);
      const absent = isNumber(keys[b]) - isNumber(keys[a]);
      if (absent || !isNumber(keys[a])) return absent;
      return keys[a] === keys[b] ? 0 : sign * (keys[a] < keys[b] ? -1 : 1);
    };
    return keys.map((_, i) => i).sort(compare);
  };

  // Numbers begin with the largest, because the largest are of interest, except those that stand
  // for words (a verdict, a state): the worst is the smallest of them.
  const makeSortable = ({ parent, rowsOf, heads, keyOf, isRank }) => {
    const sort = (head) => {
      const rows = Array.from(rowsOf());
      const keys = rows.map((row) => keyOf(row, head));
      const was = head.dataset.order;
      const descending = was ? was === "up" : keys.some(isNumber) && !isRank(head);
      parent.append(...orderOf(keys, descending).map((i) => rows[i]));
      for (const other of heads) {
        delete other.dataset.order;
        other.removeAttribute("aria-sort");
      }
      head.dataset.order = descending ? "down" : "up";
      if (head.matches("th")) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    };
    for (const head of heads) {
      const button = make("button", { type: "button", className: "sort" }, ...head.childNodes);
      button.addEventListener("click", () => sort(head));
      head.append(button);
    }
  };

  const sortableTable = (table) => ({
    parent: table,
    rowsOf: () => table.tBodies,
    heads: Array.from(table.tHead.rows[0].cells).filter((head) => !head.classList.contains("drawn")),
    isRank: (head) => head.matches(":last-child"),
    keyOf: (row, head) => {
      const cell = row.rows[0].cells[head.cellIndex];
      return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent.trim();
    },
  });

  // A series says its numbers in data-KEY, nothing where it has none; changes sort by their size.
  const sortableSeries = (list) => ({
    parent: list,
    rowsOf: () => list.children,
    heads: Array.from(document.querySelectorAll(".series-heads [data-key]:not([data-key=''])")),
    isRank: (head) => head.dataset.key === "urgency",
    keyOf: (row, { dataset: { key } }) => {
      const value = row.dataset[key];
      if (value === undefined) return row.querySelector("." + key).textContent;
      if (value === "") return "";
      return key === "change" ? Math.abs(Number(value)) : Number(value);
    },
  });

  // --- Filtering: words of the name, and states: the worst of a comparison first, those of series as
  // they come, which is the same.

  const kVerdicts = ["regressed", "failed", "inconclusive", "incomparable", "missing", "improved",
    "new", "unchanged", "not judged"];

  const nameOf = (row) => row.dataset.name ||
    Array.from(row.querySelectorAll(".name, .metric"), (part) => part.textContent).join(" ");

  const linkedTo = (row) => {
    const link = row.querySelector('th a[href^="#"]');
    const target = link && document.getElementById(link.getAttribute("href").slice(1));
    return target && target.closest("details");
  };

  const filteredRow = (row) => ({
    row,
    name: nameOf(row).toLowerCase(),
    state: row.dataset.state || "",
    details: linkedTo(row),
  });

  const setHidden = (element, hidden) => {
    if (element.hidden !== hidden) element.hidden = hidden;
  };

  // Shows the rows that have all of these words and one of these states; returns how many.
  const filter = (rows, text, chosen) => {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = new Map();
    let count = 0;
    for (const { row, name, state, details } of rows) {
      const keep = wanted.every((word) => name.includes(word)) &&
                   (chosen.size === 0 || chosen.has(state));
      setHidden(row, !keep);
      count += keep;
      if (details) kept.set(details, kept.get(details) || keep);
    }
    for (const [details, keep] of kept) setHidden(details, !keep);
    return count;
  };

  // A button for each state, with how many rows are in it; `chosen` has those that are pressed.
  const stateButtons = (rows, order, chosen, apply) => {
    const counts = new Map();
    for (const { state } of rows) if (state) counts.set(state, (counts.get(state) || 0) + 1);
    if (counts.size < 2) return [];
    const rank = ([state]) => order.indexOf(state);
    return Array.from(counts).sort((a, b) => rank(a) - rank(b)).map(([state, count]) => {
      const button = make("button", { type: "button" }, `${state} ${count}`);
      button.dataset.state = state;
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        const pressed = !chosen.delete(state);
        if (pressed) chosen.add(state);
        button.setAttribute("aria-pressed", String(pressed));
        apply();
      });
      return button;
    });
  };

  const makeFilterable = ({ list, elements, order, place }) => {
    const rows = Array.from(elements, filteredRow);
    const chosen = new Set();
    const field = make("input", { type: "search", placeholder: "Filter by name" });
    field.setAttribute("aria-label", `Filter ${list.dataset.filter} by name`);
    const shown = make("output");
    const apply = () => {
      const count = filter(rows, field.value, chosen);
      shown.textContent = count === rows.length ? "" : `${count} of ${rows.length}`;
    };
    field.addEventListener("input", apply);
    const bar = make("div", { className: "filter" }, field, ...stateButtons(rows, order, chosen, apply),
      shown);
    bar.setAttribute("role", "search");
    place(bar);
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    makeSortable(sortableTable(table));
    if (table.dataset.filter) {
      const box = table.closest(".scroll") || table;
      makeFilterable({ list: table, elements: table.tBodies, order: kVerdicts,
                       place: (bar) => box.before(bar) });
    }
  }
  for (const list of document.querySelectorAll(".series-list")) {
    const counts = document.querySelector(".series-counts");  // the buttons say them too
    makeSortable(sortableSeries(list));
    makeFilterable({ list, elements: list.children, order: [],
                     place: (bar) => counts.replaceWith(bar) });
  }
})();
