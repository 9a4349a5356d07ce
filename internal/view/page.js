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

// applied writes what an operator of n components equals; of a long tuple, no components.
function applied(n) {
  const tuple = v => n === 1 ? v + "0" : n > 3 ? v : "(" + Array.from({ length: n }, (_, i) => v + i).join(", ") + ")";
  return tuple("x") + " ⊕ " + tuple("y") + " =";
}

const lines = (names, es) => es.map((e, i) => names + i + " = " + e).join("\n");

function verdict(a) {
  switch (a.status) {
    case "refused": return "refused: " + a.reason;
    case "lifted": return "a reduction on parameters of steps";
    case "staged": return "stages, in " + a.passes + (a.passes === 1 ? " pass" : " passes");
  }
  return "a reduction";
}

function showAnswer(u, section) {
  const a = u.answer;
  make("p", verdict(a), section, a.status === "refused" ? "bad" : "good");
  if (plainly(u)) make("p", plainly(u), section, "plainly");
  const list = make("dl", null, section);
  const row = (name, text) => { if (text) { make("dt", name, list); make("pre", text, make("dd", null, list)); } };
  if (a.operator) {
    const o = a.operator;
    make("dt", "operator", list);
    const shown = make("dd", null, list, "operator");
    make("span", applied(o.exprs.length), shown, "m");
    make("pre", u.shown.operator.join("\n"), shown);
    make("dt", "laws", list);
    const laws = make("ul", null, make("dd", null, list), "laws");
    ["associative", o.commutative && "commutative", o.idempotent && "idempotent"].filter(x => x).forEach(law => make("li", law, laws));
    row("identity", o.identity ? u.shown.identity.join("; ") + (o.identity_side === "two" ? "" : " (" + o.identity_side + ")") : "none");
    row("inject", lines(a.status === "lifted" ? "p" : "y", u.shown.inject));
    if (a.apply) row("to the state", u.shown.apply.join("\n"));
    row("found by", a.via);
    if (u.cost) { make("dt", "cost", list); make("dd", costs(u), list); }
  }
  row("assumes", a.assumes && a.assumes.length ? a.assumes.join(", ") : a.operator || a.stages ? "nothing" : "");
  if (a.status === "staged") row("words", "before[i] and after[i]: component i before and after a step");
  row("given", (u.shown.given || []).join("; "));
  (a.remarks || []).forEach(r => row("remark", r));
  if (a.counterexample) {
    const c = a.counterexample;
    const where = u.trial.where.join(", ");
    row("counterexample", (where.length < 60 ? where : u.trial.where.join("\n")) + "\n(x ⊕ y) ⊕ z = " + c.left + "\nx ⊕ (y ⊕ z) = " + c.right);
  }
  if (a.nearest) row("nearest", u.shown.nearest.join("\n") + "\nbut not at " + JSON.stringify(a.nearest.at));
  const all = make("details", null, section);
  make("summary", "JSON", all);
  make("pre", JSON.stringify(a), all, "json");
}
