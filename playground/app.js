"use strict";
// The form, the worker, and the address.
const by = id => document.getElementById(id);
const fields = ["text", "types", "given", "assume"];
let worker, ready = false, waiting = null, running = false, id = 0;

function start() {
  ready = false;
  worker = new Worker("worker.js");
  worker.onmessage = m => {
    if (m.data.broken) { by("status").textContent = m.data.broken; return; }
    if (m.data.ready) {
      ready = true;
      if (waiting) { const r = waiting; waiting = null; ask(r); } else by("status").textContent = "ready";
      return;
    }
    if (m.data.id !== id) return;
    done((m.data.ms).toFixed(1) + " ms");
    show(m.data.page, by("out"));
  };
  worker.onerror = e => { by("status").textContent = "the matcher failed: " + e.message; worker.terminate(); start(); };
}

function ask(request) {
  running = true;
  by("cancel").disabled = false;
  if (!ready) { waiting = request; by("status").textContent = "loading…"; return; }
  by("status").textContent = "matching…";
  worker.postMessage({ id: ++id, request });
}

function done(text) {
  running = false;
  by("cancel").disabled = true;
  by("status").textContent = text;
}

function request() {
  const r = {};
  fields.forEach(f => { r[f] = by(f).value; });
  return r;
}

function fill(r) { fields.forEach(f => { by(f).value = r[f] || ""; }); }

function address(r) {
  const p = new URLSearchParams();
  fields.forEach(f => { if (r[f]) p.set(f, r[f]); });
  return "#" + p;
}

by("form").onsubmit = e => {
  e.preventDefault();
  const r = request();
  history.replaceState(null, "", address(r));
  if (running) stop();
  ask(r);
};
by("text").onkeydown = e => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) by("form").requestSubmit(); };

function stop() {
  worker.terminate();
  waiting = null;
  done("cancelled");
  start();
}
by("cancel").onclick = stop;
by("share").onclick = () => {
  const link = location.href.split("#")[0] + address(request());
  history.replaceState(null, "", address(request()));
  (navigator.clipboard ? navigator.clipboard.writeText(link) : Promise.reject()).then(() => { by("status").textContent = "the link is copied"; }, () => { by("status").textContent = "the link is in the address bar"; });
};

function fromAddress() {
  const p = new URLSearchParams(location.hash.slice(1));
  if (!p.get("text")) return false;
  const r = {};
  fields.forEach(f => { r[f] = p.get(f) || ""; });
  fill(r);
  ask(r);
  return true;
}
onhashchange = fromAddress;

start();
fetch("gallery.json").then(r => r.json()).then(all => {
  const groups = {};
  const group = domain => groups[domain] ||= Object.assign(make("optgroup", null, by("gallery")), { label: domain });
  all.forEach((g, i) => { make("option", g.name, group(g.domain)).value = i; });
  by("gallery").onchange = () => { const g = all[by("gallery").value]; if (g) { fill(g); by("form").requestSubmit(); } };
  if (!fromAddress()) { fill(all[0]); ask(request()); }
});
