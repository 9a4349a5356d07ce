"use strict";
// A box in which a drawing is moved and changes its size: by buttons, keys, the wheel and the pointer.

// zoomable makes a box so, with buttons in a bar. put shows another drawing, and keeps place and size where it is as large.
function zoomable(box, bar) {
  let drawing = null, full = null, at = null; // full: the size of the drawing; at: the part of it that is shown
  const set = () => drawing.setAttribute("viewBox", [at.x, at.y, at.w, at.h].map(v => v.toFixed(2)).join(" "));
  const scale = () => at.w / box.clientWidth;
  const fit = () => {
    const w = Math.max(box.clientWidth, 1), h = Math.max(box.clientHeight, 1), per = Math.max(full.w / w, full.h / h, .6); // a small one is drawn larger, but not much
    at = { w: w * per, h: h * per };
    at.x = (full.w - at.w) / 2;
    at.y = (full.h - at.h) / 2;
    set();
  };
  const zoom = (by, x = .5, y = .5) => { // x and y, of the box, stay where they are
    const w = Math.min(Math.max(at.w * by, 60), 8 * Math.max(full.w, box.clientWidth)), k = w / at.w;
    at = { x: at.x + x * at.w * (1 - k), y: at.y + y * at.h * (1 - k), w, h: at.h * k };
    set();
  };
  const move = (dx, dy) => { at.x += dx; at.y += dy; set(); };
  button("+", bar, () => zoom(1 / 1.4)).ariaLabel = "larger";
  button("−", bar, () => zoom(1.4)).ariaLabel = "smaller";
  button("all of it", bar, () => fit());
  box.onwheel = e => {
    if (!e.ctrlKey && !e.metaKey) return; // so that the wheel still scrolls the page
    e.preventDefault();
    const r = box.getBoundingClientRect();
    zoom(Math.exp(e.deltaY / 300), (e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
  };
  let held = null;
  box.onpointerdown = e => { held = { x: e.clientX, y: e.clientY, moved: false }; };
  box.onpointermove = e => {
    if (!held || !e.buttons) return;
    const dx = e.clientX - held.x, dy = e.clientY - held.y;
    if (!held.moved && Math.abs(dx) + Math.abs(dy) < 4) return; // a press that trembles
    if (!held.moved) box.setPointerCapture(e.pointerId);
    held = { x: e.clientX, y: e.clientY, moved: true };
    move(-dx * scale(), -dy * scale());
  };
  box.onpointerup = box.onpointercancel = () => { held = null; };
  box.onkeydown = e => {
    const step = at.w / 8;
    const does = { "+": () => zoom(1 / 1.4), "-": () => zoom(1.4), "0": fit, ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0), ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step) }[e.key];
    if (does && !e.ctrlKey && !e.metaKey) { e.preventDefault(); does(); }
  };
  return {
    put(next) {
      const size = { w: Number(next.getAttribute("width")), h: Number(next.getAttribute("height")) };
      const same = full && size.w === full.w && size.h === full.h;
      full = size;
      drawing = next;
      drawing.removeAttribute("width"); drawing.removeAttribute("height");
      box.replaceChildren(drawing);
      same ? set() : fit();
    },
  };
}
