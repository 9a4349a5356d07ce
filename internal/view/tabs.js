"use strict";
// What is behind an answer, as tabs.

const tabNames = { merge: "How it merges", proof: "Proof", graph: "E-graph", code: "Program", certificate: "Certificate" };
// What a tab says of an answer that has nothing for it.
const withoutPart = {
  merge: "No numbers show this: no operands are known at which two orders differ.",
  proof: "A refusal has no proof. Where operands are known at which two orders differ, “How it merges” has them.",
  graph: "There is no e-graph.",
  code: "This is an update alone. A program with a domain, RDom, is factored into stages, and Go is written of it.",
  certificate: "There is no certificate: only answers that claim something have one.",
};
let chosenTab = "merge"; // it stays chosen when another answer comes

const tabsOf = into => into.querySelector(":scope > .tabs").state;

// makeTabs makes empty tabs. headingOf names the update that a slot is of, "" where that is clear.
function makeTabs(into, headingOf, ask) {
  const tabs = make("div", null, into, "tabs");
  tabs.state = { headingOf, ask, pending: {} };
  const list = make("div", null, tabs, "tablist");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "What is behind the answer");
  for (const name in tabNames) {
    const tab = button(tabNames[name], list, () => openTab(into, name));
    tab.id = "tab-" + name;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", "panel-" + name);
    const panel = make("div", null, tabs, "panel");
    panel.id = "panel-" + name;
    panel.tabIndex = 0;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    make("p", withoutPart[name], panel, "without");
  }
  list.onkeydown = e => {
    const names = Object.keys(tabNames), at = names.indexOf(chosenTab);
    const to = { ArrowRight: (at + 1) % names.length, ArrowLeft: (at + names.length - 1) % names.length, Home: 0, End: names.length - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    openTab(into, names[to]);
    list.children[to].focus();
  };
  openTab(into, chosenTab);
}

// openTab shows one panel, and draws what waited for that.
function openTab(into, name) {
  if (!tabNames[name]) return;
  chosenTab = name;
  for (const tab of into.querySelectorAll(":scope > .tabs > .tablist > button")) {
    const own = tab.id === "tab-" + name;
    tab.setAttribute("aria-selected", String(own));
    tab.tabIndex = own ? 0 : -1;
    into.querySelector("#panel-" + tab.id.slice(4)).hidden = !own;
  }
  const { pending } = tabsOf(into);
  (pending[name] || []).splice(0).forEach(draw => draw());
  into.dispatchEvent(new CustomEvent("tab", { detail: name }));
}

// whenSeen draws at once in the panel that is open, and else when it opens: a drawing needs the size of its box.
function whenSeen(into, name, draw) {
  const { pending } = tabsOf(into);
  if (chosenTab === name) draw();
  else (pending[name] ||= []).push(draw);
}

// slot is the place of an update in a panel.
function slot(into, name, at) {
  const panel = into.querySelector("#panel-" + name);
  panel.querySelectorAll(":scope > .without").forEach(e => e.remove());
  const place = make("div", null, panel, "slot");
  place.dataset.at = at;
  const heading = at === "all" ? "" : tabsOf(into).headingOf(at);
  if (heading) make("h2", heading, place, "m");
  return place;
}
