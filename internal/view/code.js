"use strict";
// A factored program, and the Go that it becomes.

// showCode puts both side by side. Lines that correspond light up together.
function showCode(code, section) {
  if (code.failed) make("pre", code.failed, section, "bad");
  const bar = make("div", null, section, "row");
  (code.files || []).forEach(f => copier("Copy " + f.name, f.lines.map(l => l.text + "\n").join(""), bar));
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
