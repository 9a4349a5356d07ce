"use strict";
// How an answer merges: the serial loop and the same steps as a tree of slices, on numbers that a reader may change.

// showMerge shows numbers and what is computed of them. again promises the same for lines of other numbers; without it they
// cannot be changed.
function showMerge(m, into, again) {
  const form = make("div", null, into, "rows");
  const out = make("div", null, into, "merged");
  const inputs = (m.rows || []).filter(r => !r.fixed).map(r => {
    const label = make("label", r.name + " ", form);
    const input = make("input", null, label);
    input.value = input.defaultValue = r.values.join(" ");
    input.readOnly = !again;
    input.spellcheck = false;
    input.size = Math.max(6, Math.min(60, input.value.length + 2));
    return input;
  });
  let typed = 0, last = 0;
  const run = () => {
    const own = ++last;
    again(inputs.map(i => i.value)).then(m => { if (own === last) drawMerge(m, out); });
  };
  if (again) {
    inputs.forEach(i => { i.oninput = () => { clearTimeout(typed); typed = setTimeout(run, 120); }; });
    button("These numbers again", form, () => { inputs.forEach(i => { i.value = i.defaultValue; }); run(); });
  }
  drawMerge(m, out);
}

function drawMerge(m, into) {
  into.replaceChildren();
  if (m.failed) { make("p", m.failed, into, "bad"); return; }
  if (m.trial) { drawTrial(m.trial, into); return; }
  if (m.stages) {
    make("p", "The serial loop: " + m.serial.join(" → "), into, "m");
    m.stages.forEach(s => { make("h3", s.heading, into); drawTree(s, into); });
    verdictOf(m, into, "Each pass gives what the serial loop gives.");
    return;
  }
  drawTree(m, into);
}

// verdictOf says whether both results are equal. It is read aloud when it changes.
function verdictOf(m, into, equal) {
  const p = make("p", m.equal ? equal : m.why, into, m.equal ? "good" : "bad");
  p.setAttribute("role", "status");
}

// scrolling is a box for a table that may be wider than the page.
function scrolling(into, name) {
  const box = make("div", null, into, "scroll");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", name);
  return make("table", null, box, "tree");
}

// drawTree draws the steps as a table: a column for each, and below them cells as wide as the steps that they combine.
function drawTree(m, into) {
  const bar = make("div", null, into, "row");
  const table = scrolling(into, "the serial loop and the tree of slices");
  const end = m.serial[m.serial.length - 1];
  const row = (name, group) => {
    const tr = make("tr", null, make("tbody", null, table, group));
    make("th", name, tr).scope = "row";
    return tr;
  };
  const head = row("step");
  for (let i = 1; i < m.serial.length; i++) make("th", i, head).scope = "col";
  for (const r of (m.rows || []).filter(r => r.each)) r.values.reduce((tr, v) => (make("td", v, tr), tr), row(r.name));
  m.serial.slice(1).reduce((tr, v) => (make("td", v, tr), tr), row("serial loop, from " + m.serial[0], "serial"));
  const order = []; // the cells of the tree in the order in which they are computed
  m.levels.forEach((level, n) => {
    const tr = row(n ? "slices of " + level[0].steps : m.lifted ? "parameters of the step" : "what the step injects");
    level.forEach(s => {
      const cell = make("td", s.value, tr);
      cell.colSpan = s.steps;
      if (s.term) order.push({ cell, text: s.term + " = " + s.value });
    });
  });
  const last = make("td", m.last.value, row(m.lifted ? "applied to the start" : "start ⊕ the whole"), "end");
  last.colSpan = m.last.steps;
  order.push({ cell: last, text: m.last.term + " = " + m.last.value });
  (m.slices || []).length && drawSlices(m, row);
  stepper(order, bar, into);
  verdictOf(m, into, "Equal at the root: " + m.last.value + (m.slices ? ", and so is the state after each step." : ", as in the serial loop."));
  if (!m.equal) make("p", "the tree gives " + m.last.value + ", and the serial loop " + end, into, "m");
}

// drawSlices draws the second pass of a scan: each slice starts from the total of those before.
function drawSlices(m, row) {
  const from = row("second pass, slices from"), states = row("and the state after each step");
  for (const s of m.slices) {
    make("td", s.from, from).colSpan = s.states.length;
    s.states.forEach(v => make("td", v, states));
  }
}

// stepper lets a reader go through the tree, one application of the operator after another.
function stepper(order, bar, into) {
  const label = make("label", "applications of ⊕ ", bar);
  const range = make("input", null, label);
  range.type = "range"; range.min = 0; range.max = order.length; range.value = order.length;
  const says = make("output", null, bar, "m");
  const draw = () => {
    const n = Number(range.value);
    order.forEach(({ cell }, i) => { cell.classList.toggle("later", i >= n); cell.classList.toggle("now", i === n - 1); });
    says.textContent = n ? n + " of " + order.length + ": " + order[n - 1].text : "none yet: move the slider";
  };
  range.oninput = draw;
  button("Step", bar, () => { range.value = (Number(range.value) + 1) % (order.length + 1); draw(); });
  draw();
}

// drawTrial draws three operands, combined in both orders.
function drawTrial(t, into) {
  make("pre", "x ⊕ y is\n" + t.operator.map(o => "  " + o).join("\n") + "\nwhere " + t.where.join(", "), into);
  const orders = make("div", null, into, "sides trial");
  const values = t.where.slice(0, 3).map(w => w.slice(4));
  [[0, 1, 0], [2, 3, 1]].forEach(([inner, outer, from]) => {
    const table = scrolling(orders, t.steps[outer].term);
    const tr = () => make("tr", null, table);
    ["x", "y", "z"].reduce((row, n) => (make("th", n, row), row), tr());
    values.reduce((row, v) => (make("td", v, row), row), tr());
    const middle = tr();
    if (from) make("td", values[0], middle);
    make("td", t.steps[inner].term + " = " + t.steps[inner].result, middle).colSpan = 2;
    if (!from) make("td", values[2], middle);
    make("td", t.steps[outer].term + " = " + t.steps[outer].result, tr(), "end").colSpan = 3;
  });
  const [left, right] = [t.steps[1].result, t.steps[3].result], same = left === right;
  const p = make("p", left + (same ? " = " : " ≠ ") + right + (same ? ": here both orders agree." : ": slices cannot be merged by this."), into, same ? "good" : "bad");
  p.setAttribute("role", "status");
}
