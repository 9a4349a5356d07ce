"use strict";
// Draws what package view says of updates. The playground and the pages of -html share it. This file has the answers; what is
// behind them are tabs, each with a file of its own.
const make = (tag, text, into, name) => { const e = document.createElement(tag); if (text != null) e.textContent = text; if (name) e.className = name; if (into) into.append(e); return e; };
const svg = (tag, attributes, into) => { const e = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const k in attributes) e.setAttribute(k, attributes[k]); if (into) into.append(e); return e; };
const button = (text, into, press) => { const b = make("button", text, into); b.type = "button"; b.onclick = press; return b; };

// show puts a page into an element. Where it is the page of a worker, ask(at, lines) runs the answer of an update on other data
// and promises what addMerge shows.
function show(page, into, ask) {
  into.replaceChildren();
  if (page.failed) { make("pre", page.failed, into, "bad"); return; }
  page.updates.forEach((u, i) => showUpdate(u, String(i), into));
  const several = page.updates.filter(u => !u.failed).length > 1;
  makeTabs(into, at => several || at.includes(".") ? heading(page, at) : "", ask);
  add(page, into);
}

// heading is the text of an update, or of a stage of one.
function heading(page, at) {
  const [first, ...rest] = at.split(".");
  return rest.reduce((u, i) => u.stages[i], page.updates[first]).text;
}

// add puts parts of a page into an element that shows the rest of it.
function add(page, into) {
  const part = (u, at) => {
    if (u.merge) showMerge(u.merge, slot(into, "merge", at), tabsOf(into).ask && (lines => tabsOf(into).ask(at, lines)));
    if (u.proof) showProof(u.proof, slot(into, "proof", at));
    if (u.graph) whenSeen(into, "graph", () => showGraph(u.graph, slot(into, "graph", at), at));
    if (u.certificate) showCertificate(u.certificate, slot(into, "certificate", at));
    (u.stages || []).forEach((s, i) => part(s, at + "." + i));
  };
  (page.updates || []).forEach((u, i) => { if (!u.failed) part(u, String(i)); });
  if (page.code) showCode(page.code, slot(into, "code", "all"));
}

function showUpdate(u, at, into) {
  const section = make("section", null, into);
  section.dataset.at = at;
  make("h2", u.text, section, "m");
  if (u.failed) { make("pre", u.failed, section, "bad"); return; }
  showAnswer(u, section);
  (u.stages || []).forEach((s, i) => showUpdate(s, at + "." + i, section));
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

// does says in words what an operator of one component does with what it is given, of those that have words.
function does(u) {
  const { operator, inject } = u.shown;
  if (!u.answer.operator || u.answer.status === "lifted" || operator.length !== 1) return "";
  const counted = operator[0] === "x0 + y0" && /^select\((.*), 1, 0\)$/.exec(inject[0]);
  if (counted) return "Counts the steps where " + counted[1] + " holds.";
  const words = { "x0 + y0": "Adds up", "x0*y0": "Multiplies", "max(x0, y0)": "Keeps the greatest of", "min(x0, y0)": "Keeps the least of", "x0 && y0": "Says whether at each step there holds", "x0 || y0": "Says whether at some step there holds" }[operator[0]];
  return words ? words + " " + inject[0] + "." : "";
}

// plainly says what an answer means for slices of the input, or nothing for answers without an operator.
function plainly(u) {
  const a = u.answer;
  if (!a.operator) return "";
  const slices = a.status === "lifted"
    ? "slices can compose the parameters of their steps at the same time, and the composition is applied to the state"
    : "slices can be reduced at the same time, and their results merge by the operator, in " + (a.operator.commutative ? "any order" : "the order of the slices");
  const text = (a.assumes || []).length || (u.shown.given || []).length ? "Where what is assumed and given below holds, " + slices : slices;
  return (does(u) + " " + text[0].toUpperCase() + text.slice(1) + ".").trim();
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
