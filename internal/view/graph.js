"use strict";
// The e-graph of an answer, iteration by iteration.

const drawn = 40; // classes that are drawn unfolded

function showGraph(graph, section, number) {
  const bar = make("div", null, section, "row");
  const label = make("label", "after iteration ", bar);
  const range = make("input", null, label);
  range.type = "range"; range.min = 0; range.max = graph.length - 1; range.value = graph.length - 1; range.id = "iteration" + number;
  const out = make("output", null, bar);
  const fold = button("", bar);
  const box = make("div", null, section, "graph");
  box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", "e-graph: arrow keys move it, + and - change its size");
  const forms = make("div", null, section, "forms");
  forms.setAttribute("role", "status");
  make("p", "A box is a class of equal terms. Blue edge: the update's new value; yellow: the operator applied to what is injected. Press one for its forms.", forms);
  const view = zoomable(box, bar);
  const folded = new Set();
  let shut = graph[graph.length - 1].classes.length > drawn;
  const draw = () => {
    const g = graph[range.value];
    out.textContent = g.iteration + ": " + g.classes.length + " classes, " + g.classes.reduce((n, c) => n + c.nodes.length, 0) + " nodes";
    fold.textContent = shut ? "unfold all" : "fold all";
    view.put(drawGraph(g, c => shut !== folded.has(c.id), c => showForms(g, c, forms, shut !== folded.has(c.id), () => {
      folded.has(c.id) ? folded.delete(c.id) : folded.add(c.id);
      draw();
      const again = box.querySelector("[data-class='" + c.id + "']");
      if (again) again.focus();
    })));
  };
  range.oninput = draw;
  fold.onclick = () => { shut = !shut; folded.clear(); draw(); };
  draw();
}

// showForms lists the terms of a class, each with the simplest terms of the classes below it.
function showForms(g, c, into, isFolded, toggle) {
  into.replaceChildren();
  const simplest = simplestTerms(g);
  const bar = make("div", null, into, "row");
  make("strong", "Equal terms, " + c.type, bar);
  if (c.nodes.length > 1) button(isFolded ? "unfold" : "fold", bar, () => { toggle(); showForms(g, c, into, !isFolded, toggle); });
  const list = make("ul", null, into, "m");
  const shown = c.nodes.map(n => term(n, simplest)).filter((t, i, all) => all.indexOf(t) === i).sort((a, b) => a.length - b.length);
  shown.slice(0, 30).forEach(t => make("li", t, list));
  if (shown.length > 30) make("li", "and " + (shown.length - 30) + " more", list);
}

// simplestTerms gives each class its shortest term; in rounds, since classes may be below themselves.
function simplestTerms(g) {
  const best = new Map();
  for (let again = true; again;) {
    again = false;
    for (const c of g.classes) for (const n of c.nodes) {
      if ((n.kids || []).some(k => !best.has(k))) continue;
      const t = term(n, best);
      if (!best.has(c.id) || t.length < best.get(c.id).length) { best.set(c.id, t); again = true; }
    }
  }
  return best;
}

// term writes a node over the terms of the classes below it.
function term(n, terms) {
  const kids = (n.kids || []).map(k => terms.get(k) || "…");
  if (!kids.length) return n.op;
  if (/^\w/.test(n.op)) return n.op + "(" + kids.join(", ") + ")";
  const own = kids.map(k => /^[\w.[\]]+(\([^()]*\))?$/.test(k) ? k : "(" + k + ")");
  return own.length === 1 ? n.op + own[0] : own.join(" " + n.op + " ");
}

// drawGraph returns an SVG with a box for every class.
function drawGraph(g, isFolded, press) {
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
    box.onclick = () => press(n.c);
    box.onkeydown = e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); press(n.c); } };
  }
  return root;
}
