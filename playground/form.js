"use strict";
// The fields of the form that are more than text: types as chips, assumptions as switches, mistakes underlined in the editor.
const by = id => document.getElementById(id);
const allTypes = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool", "u31"];
const assumptions = { // what each promises, of what an answer may rest on
  nsw: "signed integers do not overflow",
  nuw: "unsigned integers do not overflow",
  reassoc: "rounding may differ: sums may be ordered anew",
  nnan: "no value is NaN",
  ninf: "no value is infinite",
  nsz: "the sign of zero does not matter",
  afn: "functions such as exp may be approximated",
  contract: "products and sums may be fused",
};
const byDefault = ["reassoc", "nnan", "nsz"];

// variables lists the variables of an abstract update in the order of their names; nothing of a program, or of a text that
// declares them itself.
function variables(text) {
  const own = text.replace(/\/\/.*/g, "");
  if (/^\s*\w+\s*:(?!=)/.test(own) || /\b(RDom|ImageParam|Func|Buffer)\b|:=|\)\s*[-+*]?=[^=]/.test(own)) return [];
  const names = [...new Set(own.match(/\b[xyk]\d+\b/g) || [])];
  const parts = own.split(";").filter(p => p.trim()).length;
  for (let i = 0; i < parts && names.length; i++) if (!names.includes("x" + i)) names.push("x" + i); // a component that is not read
  return names.sort((a, b) => "xyk".indexOf(a[0]) - "xyk".indexOf(b[0]) || a.slice(1) - b.slice(1));
}

// undeclared reports whether a text is a program that declares nothing, so that one type is that of all numbers whose type nothing decides.
function undeclared(text) {
  const own = text.replace(/\/\/.*/g, "");
  return /\)\s*[-+*]?=[^=]/.test(own) && !/\b(RDom|ImageParam|Param|Func|Buffer|Var|Expr)\b/.test(own);
}

const numbers = "numbers"; // the chip of that type
const typesOf = text => allTypes.includes(text.trim()) ? new Map([[numbers, text.trim()]]) : new Map(text.split(",").filter(p => p.includes(":")).map(p => p.split(":").map(s => s.trim())));
let chosen = new Map(); // types that somebody chose, also of variables that went away; the others are inferred

// inferTypes gives each variable of an update the type that was chosen, and else the likeliest one.
function inferTypes() {
  if (undeclared(by("text").value)) {
    by("types").value = chosen.get(numbers) || "";
    showChips();
    return;
  }
  const text = by("text").value, names = variables(text + " " + (variables(text).length ? by("given").value : ""));
  const kept = [...chosen.keys()].filter(n => !names.includes(n) && new RegExp("\\b" + n + "\\b").test(text));
  const likely = name => new RegExp("select\\(\\s*!?" + name + "\\s*,").test(text) ? "bool" : chosen.get("x0") || "i32";
  by("types").value = [...names, ...kept].map(n => n + ":" + (chosen.get(n) || likely(n))).join(",");
  showChips();
}

// showChips shows the field of types as chips.
function showChips() {
  by("chips").replaceChildren();
  const types = typesOf(by("types").value);
  if (undeclared(by("text").value) && !types.has(numbers)) types.set(numbers, "i32");
  for (const [name, type] of types) {
    const chip = make("label", name + " ", by("chips"), "chip"), choice = make("select", null, chip);
    const some = name === numbers ? allTypes.slice(0, -2) : allTypes; // no truth values, and no u31
    (some.includes(type) ? some : [type, ...some]).forEach(t => make("option", t, choice));
    choice.value = type;
    choice.onchange = () => {
      chosen.set(name, choice.value);
      inferTypes(); // types that nobody chose follow
      submit();
    };
  }
}

// assumed reads the field of assumptions, as ir.ParseAssume does; null of what that would not read.
function assumed(text) {
  if (!text.trim()) return byDefault;
  const more = text.startsWith("+"), out = new Set(more ? byDefault : []);
  for (const word of text.split(",").map(w => w.trim().replace(/^\+/, ""))) {
    const set = { all: Object.keys(assumptions), none: [], default: byDefault }[word] || (assumptions[word] ? [word] : null);
    if (!set) return null;
    set.forEach(a => out.add(a));
  }
  return [...out];
}

// assumeText writes assumptions as shortly as it can. reassoc that is named is a wish of the user's: see RATIONALE.
function assumeText(names) {
  const rest = names.filter(n => !byDefault.includes(n));
  if (byDefault.every(n => names.includes(n))) return rest.length ? "+" + rest.join(",") : "";
  return names.join(",") || "none";
}

function showSwitches() {
  const on = assumed(by("assume").value);
  document.querySelectorAll("#switches input").forEach(i => { i.checked = !!on && on.includes(i.value); i.disabled = !on; });
}

function makeSwitches() {
  for (const name in assumptions) {
    const label = make("label", null, by("switches")), box = make("input", null, label);
    Object.assign(box, { type: "checkbox", value: name });
    box.setAttribute("role", "switch");
    label.append(" " + name);
    label.title = assumptions[name];
    make("span", assumptions[name], label, "means");
    box.onchange = () => {
      by("assume").value = assumeText([...document.querySelectorAll("#switches input:checked")].map(i => i.value));
      submit();
    };
  }
}

// mistakes underlines in the editor what a message is about: each begins with update:LINE:COLUMN, or the name of a program. The text
// was trimmed before it was read.
function mistakes(failed) {
  const text = by("text").value, before = /^\s*/.exec(text)[0], program = variables(text).length === 0;
  const places = [];
  for (const m of (failed || "").matchAll(/^(update|playground\.rf):(\d+):(\d+): (.*)$/gm)) {
    const line = Number(m[2]), skipped = m[1] === "update" && !program ? before : "";
    const lines = skipped.split("\n"), first = line === 1 ? lines[lines.length - 1].length : 0;
    places.push({ line: line + lines.length - 1, column: Number(m[3]) + first, message: m[4] });
  }
  by("text").mark(places);
}
