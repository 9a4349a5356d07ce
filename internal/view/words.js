"use strict";
// An answer in plain words, and what it costs.

const several = (n, what) => n + " " + what + (n === 1 ? "" : "s");

// listed joins words as a sentence does.
const listed = all => all.length < 2 ? all.join("") : all.slice(0, -1).join(", ") + " and " + all[all.length - 1];

// What operators of one component do with what they are given, x and y standing for its operands.
const doing = { "x + y": "adds up", "x*y": "multiplies", "max(x, y)": "keeps the greatest of", "min(x, y)": "keeps the least of",
  "x && y": "says whether at each step there holds", "x || y": "says whether at some step there holds",
  "x ^ y": "joins by exclusive or", "x | y": "collects the bits of", "x & y": "keeps the bits that are in each" };

// does says what component i of an operator does; "" where that has no words.
function does(operator, inject, i) {
  const own = new RegExp("\\b([xy])" + i + "\\b", "g");
  const bare = operator.replace(own, "$1");
  const counted = bare === "x + y" && /^select\((.*), 1, 0\)$/.exec(inject);
  if (counted) return "counts the steps where " + counted[1] + " holds";
  return doing[bare] ? doing[bare] + " " + inject : "";
}

// tells says what all components do, as a sentence. Of a long list, and of components that need one another, it says how many there are.
function tells(u) {
  const { operator, inject } = u.shown;
  const all = operator.map((o, i) => does(o, inject[i], i)), known = all.filter(x => x);
  if (known.length === all.length && all.length <= 4) return upper(listed(all)) + ".";
  if (all.length === 1) return "";
  const rest = all.length - known.length;
  if (!known.length || known.length > 3) return "Carries " + several(all.length, "value") + ", which merge together.";
  return upper(listed(known)) + ", and carries " + several(rest, "further value") + ".";
}

const upper = text => text[0].toUpperCase() + text.slice(1);

// plainly says what an answer means for slices of the input; "" for a refusal.
function plainly(u) {
  const a = u.answer;
  if (a.status === "staged") return stagesPlainly(a);
  if (!a.operator) return "";
  const relies = (a.assumes || []).length || (u.shown.given || []).length ? "Where what is assumed and given below holds, " : "";
  const kept = a.keeps && a.keeps.length ? " Every state on the way is kept: in a second pass each slice starts from the total of those before." : "";
  if (a.status !== "lifted") {
    return (tells(u) + " " + upper(relies + "slices can be reduced at the same time, and their results merge by the operator, in " + (a.operator.commutative ? "any order" : "the order of the slices") + ".") + kept).trim();
  }
  return upper(relies + "each step is a function of the state, written as " + several(a.operator.exprs.length, "number") + ". Slices can compose their steps at the same time, and what comes is applied to the state.") + kept;
}

// stagesPlainly says which stages keep values that later ones read.
function stagesPlainly(a) {
  const scans = a.stages.filter(s => s.stores && s.stores.length).length, reductions = a.stages.length - scans;
  const parts = [scans && several(scans, "scan") + ", of which every value is kept", reductions && several(reductions, "reduction")].filter(x => x);
  return "One component needs the values that another has on the way. There are stages: " + parts.join(", and ") + ". Each can run on slices at the same time, in " + several(a.passes, "pass").replace("passs", "passes") + " over the input.";
}

// costs says what an answer costs beside the loop as it is written.
function costs(u) {
  const c = u.cost;
  if (!c) return "";
  return several(c.inject + c.merge, "operation") + " a step, of which " + c.merge + (c.merge === 1 ? " merges" : " merge") + "; the serial loop has " + c.serial + ". A slice carries " + several(c.values, "value") + ".";
}
