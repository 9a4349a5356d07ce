"use strict";
// The proof of an answer: its claims, one line each, which open to their steps.

// marked puts text with ⟦…⟧ into an element, what is between as a mark.
function marked(text, into) {
  text.split(/([⟦⟧])/).reduce((depth, part) => {
    if (part === "⟦") return depth + 1;
    if (part === "⟧") return depth - 1;
    if (part) depth > 0 ? make("mark", part, into) : into.append(part);
    return depth;
  }, 0);
}

// reasonOf says in a few words why a claim holds.
function reasonOf(d) {
  if (!d.steps) return d.by;
  const names = [...new Set(d.steps.map(s => s.rule))];
  return d.steps.length + (d.steps.length === 1 ? " step: " : " steps: ") + names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
}

// needsOf names the assumptions of a claim or a step.
function needsOf(d, into) {
  if (d.needs) make("span", "needs " + d.needs.join(", "), into, "needs");
}

function showProof(proof, section) {
  for (const d of proof) {
    const details = make("details", null, section, "claim");
    const summary = make("summary", null, details);
    make("span", d.title, summary, "title");
    make("code", d.left + " = " + d.right, summary);
    needsOf(d, make("span", reasonOf(d), summary, "rule"));
    const box = make("div", null, details, "steps m");
    box.tabIndex = 0; box.setAttribute("role", "region"); box.setAttribute("aria-label", d.title);
    if (!d.steps) {
      make("div", "  " + d.left + "\n= " + d.right, box);
      make("div", d.by, box, "rule");
      continue;
    }
    d.steps.forEach(s => {
      marked("  " + s.before, make("div", null, box));
      needsOf(s, make("div", s.rule + (s.law ? ": " + s.law : "") + (s.back ? ", right to left" : ""), box, "rule"));
      marked("= " + s.text, make("div", null, box));
    });
  }
}
