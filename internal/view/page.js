"use strict";
// Draws what package view says of updates. The playground and the pages of -html share it.
const make = (tag, text, into, name) => { const e = document.createElement(tag); if (text != null) e.textContent = text; if (name) e.className = name; if (into) into.append(e); return e; };
const svg = (tag, attributes, into) => { const e = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const k in attributes) e.setAttribute(k, attributes[k]); if (into) into.append(e); return e; };

// show puts a page into an element.
function show(page, into) {
  into.replaceChildren();
  if (page.failed) { make("pre", page.failed, into, "bad"); return; }
  page.updates.forEach((u, i) => showUpdate(u, String(i), into));
  make("div", null, into, "code");
  add(page, into);
}

// add puts parts of a page into an element that shows the rest of it.
function add(page, into) {
  const part = (u, at) => {
    const section = into.querySelector("section[data-at='" + at + "']");
    if (u.proof) showProof(u.proof, section.querySelector(":scope > .proof"));
    if (u.graph) showGraph(u.graph, section.querySelector(":scope > .growth"), at);
    (u.stages || []).forEach((s, i) => part(s, at + "." + i));
  };
  (page.updates || []).forEach((u, i) => { if (!u.failed) part(u, String(i)); });
  if (page.code) showCode(page.code, into.querySelector(":scope > .code"));
}

function showUpdate(u, at, into) {
  const section = make("section", null, into);
  section.dataset.at = at;
  make("h2", u.text, section, "m");
  if (u.failed) { make("pre", u.failed, section, "bad"); return; }
  showAnswer(u, section);
  if (u.trial) showTrial(u.trial, section);
  (u.stages || []).forEach((s, i) => showUpdate(s, at + "." + i, section));
  make("div", null, section, "proof");
  make("div", null, section, "growth");
}

const lines = (names, es) => es.map((e, i) => names + i + " = " + e).join("\n");

function verdict(a) {
  switch (a.status) {
    case "refused": return "refused: " + a.reason;
    case "lifted": return "a reduction on parameters of steps";
    case "staged": return "staged, in " + a.passes + (a.passes === 1 ? " pass" : " passes") + ", where before[i] and after[i] are component i before and after the step";
  }
  return "a reduction";
}

// plainly says what an answer means for slices of the input, or nothing for answers without an operator.
function plainly(u) {
  const a = u.answer;
  if (!a.operator) return "";
  const slices = a.status === "lifted"
    ? "slices can compose the parameters of their steps at the same time, and the composition is applied to the state"
    : "slices can be reduced at the same time, and their results merge by the operator, in " + (a.operator.commutative ? "any order" : "the order of the slices");
  const text = (a.assumes || []).length || (u.shown.given || []).length ? "Where what is assumed and given below holds, " + slices : slices;
  return text[0].toUpperCase() + text.slice(1) + ".";
}

function showAnswer(u, section) {
  const a = u.answer;
  make("p", verdict(a), section, a.status === "refused" ? "bad" : "good");
  if (plainly(u)) make("p", plainly(u), section, "plainly");
  const list = make("dl", null, section);
  const row = (name, text) => { if (text) { make("dt", name, list); make("pre", text, make("dd", null, list)); } };
  if (a.operator) {
    const o = a.operator;
    row("operator", u.shown.operator.join("\n"));
    make("dt", "laws", list);
    const laws = make("ul", null, make("dd", null, list), "laws");
    ["associative", o.commutative && "commutative", o.idempotent && "idempotent"].filter(x => x).forEach(law => make("li", law, laws));
    row("identity", o.identity ? u.shown.identity.join("; ") + (o.identity_side === "two" ? "" : " (" + o.identity_side + ")") : "none");
    row("inject", lines(a.status === "lifted" ? "p" : "y", u.shown.inject));
    if (a.apply) row("to the state", u.shown.apply.join("\n"));
    row("found by", a.via);
  }
  row("assumes", a.assumes && a.assumes.length ? a.assumes.join(", ") : a.operator || a.stages ? "nothing" : "");
  row("given", (u.shown.given || []).join("; "));
  (a.remarks || []).forEach(r => row("remark", r));
  if (a.counterexample) {
    const c = a.counterexample;
    row("counterexample", u.trial.where.join("\n") + "\n(x ⊕ y) ⊕ z = " + c.left + "\nx ⊕ (y ⊕ z) = " + c.right);
  }
  if (a.nearest) row("nearest", u.shown.nearest.join("\n") + "\nbut not at " + JSON.stringify(a.nearest.at));
  const all = make("details", null, section);
  make("summary", "JSON", all);
  make("pre", JSON.stringify(a), all, "json");
}

// showTrial offers to evaluate a counterexample in both orders.
function showTrial(t, section) {
  const run = make("button", "Run the counterexample", make("p", null, section));
  run.type = "button";
  const box = make("div", null, section, "trial");
  box.setAttribute("role", "status");
  run.onclick = () => {
    box.replaceChildren();
    make("pre", "x ⊕ y is\n" + t.operator.map(o => "  " + o).join("\n") + "\nwhere " + t.where.join(", "), box);
    const orders = make("div", null, box, "sides");
    [[0, 1], [2, 3]].forEach(order => make("pre", order.map(i => { const s = t.steps[i]; return s.term + "\n  = " + s.values + "\n  = " + s.result; }).join("\n"), orders));
    make("p", t.steps[1].result + (t.steps[1].result === t.steps[3].result ? " = " : " ≠ ") + t.steps[3].result, box, "bad");
  };
}

// marked puts text with ⟦…⟧ into an element, what is between as a mark.
function marked(text, into) {
  text.split(/([⟦⟧])/).reduce((depth, part) => {
    if (part === "⟦") return depth + 1;
    if (part === "⟧") return depth - 1;
    if (part) depth > 0 ? make("mark", part, into) : into.append(part);
    return depth;
  }, 0);
}

function showProof(proof, section) {
  make("h2", "Proof", section);
  for (const d of proof) {
    const details = make("details", null, section);
    make("summary", d.title + (d.steps ? ": " + d.steps.length + (d.steps.length === 1 ? " step" : " steps") : ""), details);
    details.open = !!d.steps;
    const box = make("div", null, details, "steps m");
    box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", d.title);
    if (!d.steps) {
      make("div", "  " + d.left + "\n= " + d.right, box);
      make("div", d.by, box, "rule");
      continue;
    }
    d.steps.forEach(s => {
      marked("  " + s.before, make("div", null, box));
      make("div", s.rule + (s.law ? ": " + s.law : "") + (s.back ? ", right to left" : ""), box, "rule");
      marked("= " + s.text, make("div", null, box));
    });
  }
}

const drawn = 40; // classes that are drawn unfolded

function showGraph(graph, section, number) {
  make("h2", "E-graph", section);
  const bar = make("div", null, section, "row");
  const label = make("label", "after iteration ", bar);
  const range = make("input", null, label);
  range.type = "range"; range.min = 0; range.max = graph.length - 1; range.value = graph.length - 1; range.id = "iteration" + number;
  const out = make("output", null, bar);
  const fold = make("button", "fold all", bar);
  fold.type = "button";
  const box = make("div", null, section, "graph");
  box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", "e-graph");
  const folded = new Set();
  let shut = graph[graph.length - 1].classes.length > drawn;
  const draw = () => {
    const g = graph[range.value];
    out.textContent = g.iteration + ": " + g.classes.length + " classes, " + g.classes.reduce((n, c) => n + c.nodes.length, 0) + " nodes";
    fold.textContent = shut ? "unfold all" : "fold all";
    box.replaceChildren(drawGraph(g, c => shut !== folded.has(c.id), c => { folded.has(c.id) ? folded.delete(c.id) : folded.add(c.id); draw(); const again = box.querySelector("[data-class='" + c.id + "']"); if (again) again.focus(); }));
  };
  range.oninput = draw;
  fold.onclick = () => { shut = !shut; folded.clear(); draw(); };
  draw();
}

// drawGraph returns an SVG with a box for every class.
function drawGraph(g, isFolded, toggle) {
  const layout = new dagre.graphlib.Graph().setGraph({ rankdir: "TB", nodesep: 14, ranksep: 34, marginx: 8, marginy: 8 }).setDefaultEdgeLabel(() => ({}));
  const per = 7.4, line = 18;
  for (const c of g.classes) {
    const texts = isFolded(c) ? [c.nodes[0].op + (c.nodes.length > 1 ? " +" + (c.nodes.length - 1) : "")] : c.nodes.map(n => n.op + (n.kids ? " (" + n.kids.length + ")" : ""));
    layout.setNode(c.id, { texts, c, width: Math.max(...texts.map(t => t.length)) * per + 16, height: texts.length * line + 8 });
  }
  for (const c of g.classes) for (const n of isFolded(c) ? c.nodes.slice(0, 1) : c.nodes) for (const k of n.kids || []) if (k !== c.id) layout.setEdge(c.id, k);
  dagre.layout(layout);
  const size = layout.graph();
  const root = svg("svg", { width: size.width, height: size.height, viewBox: "0 0 " + size.width + " " + size.height });
  for (const e of layout.edges()) svg("path", { d: "M" + layout.edge(e).points.map(p => p.x.toFixed(1) + " " + p.y.toFixed(1)).join("L") }, root);
  for (const id of layout.nodes()) {
    const n = layout.node(id);
    const box = svg("g", { class: "class" + (n.c.root ? " root" : "") + (n.c.matched ? " matched" : ""), tabindex: 0, role: "button", "aria-label": "class of " + n.texts.join(", ") + ", " + n.c.type, "data-class": id }, root);
    svg("rect", { x: n.x - n.width / 2, y: n.y - n.height / 2, width: n.width, height: n.height, rx: 5 }, box);
    n.texts.forEach((t, i) => { svg("text", { x: n.x - n.width / 2 + 8, y: n.y - n.height / 2 + 17 + i * line }, box).textContent = t; });
    box.onclick = () => toggle(n.c);
    box.onkeydown = e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); toggle(n.c); } };
  }
  return root;
}

// showCode puts a factored program and its Go side by side. Lines that correspond light up together.
function showCode(code, into) {
  const section = make("section", null, into);
  make("h2", "Factored program, and Go", section);
  if (code.failed) make("pre", code.failed, section, "bad");
  const sides = make("div", null, section, "sides linked");
  const pane = (lines, name) => {
    const pre = make("pre", null, make("div", null, sides, "pane"), "m");
    pre.setAttribute("role", "group"); pre.setAttribute("aria-label", name); pre.tabIndex = 0;
    let before = "";
    for (const l of lines) {
      const line = make("span", l.text + "\n", pre, "line");
      if (l.of) {
        line.dataset.of = l.of;
        if (l.of !== before) { line.tabIndex = 0; line.setAttribute("role", "button"); }
      }
      before = l.of || "";
    }
  };
  if (code.program) pane(code.program, "factored program");
  if (code.files) pane(code.files.flatMap((f, i) => [{ text: (i ? "\n" : "") + "// " + f.name }, ...f.lines]), "Go");
  link(sides);
}

// link lights up the lines of both panes that belong to the line that is pointed at or has the focus.
function link(sides) {
  const lines = [...sides.querySelectorAll(".line")];
  const light = of => lines.forEach(l => l.classList.toggle("lit", !!of && !!l.dataset.of && (l.dataset.of === of || l.dataset.of.startsWith(of + "."))));
  const reveal = line => {
    light(line.dataset.of);
    const pane = line.closest("pre"), other = lines.find(l => l.classList.contains("lit") && l.closest("pre") !== pane);
    if (other) { const p = other.closest("pre"); p.scrollTop += other.getBoundingClientRect().top - p.getBoundingClientRect().top - p.clientHeight / 3; }
  };
  const at = e => e.target.closest && e.target.closest(".line[data-of]");
  sides.onmouseover = e => { const l = at(e); light(l && l.dataset.of); };
  sides.onmouseleave = () => { const l = document.activeElement && sides.contains(document.activeElement) && document.activeElement.closest(".line[data-of]"); light(l && l.dataset.of); };
  sides.onclick = e => { const l = at(e); if (l) reveal(l); };
  sides.addEventListener("focusin", e => { const l = at(e); l ? reveal(l) : light(""); });
}
