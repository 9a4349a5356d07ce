"use strict";
// The worker, the answers, and the address.
const fields = ["text", "types", "given", "assume"];
const parts = ["merge", "proof", "graph", "certificate"]; // in the order in which they are asked for
let worker, ready = false, waiting = null, asked = null, running = false, id = 0; // asked: the last request
// Matched once there is nothing else to do: then rules are compiled, and laws of common operators are proven.
const warming = [
  { text: "min(x0 + y0, k0)", types: "x0:i32,y0:i32,k0:i32", assume: "+nsw" },
  { text: "x0*x0 - y0", types: "x0:i16,y0:i16" },
  { text: "select(x0 < y0, x0, y0); x1 + y0*y0", types: "x0:f32,x1:f32,y0:f32" },
  { text: "select(y0, x0 + 1, 0); max(x0, x1)", types: "x0:i32,x1:i32,y0:bool" },
];
let warmed = 0;
let kept = []; // examples with their answers, which are shown before the matcher has come
const pause = 40; // ms without a key after which an update is matched
const patience = 600; // ms that a newer request waits for a match that runs: a match that is cancelled costs a new worker
let typed = 0, began = 0, newer = false, impatient = 0;
const matcher = load("rfactor.wasm");
matcher.catch(e => { by("status").textContent = "the matcher cannot be loaded: " + e.message; });

// The matcher is a quarter of its size, or less, on its way here: compressed by the host, if it does that, or else in a
// file of its own that is decompressed here. Either is compiled while it arrives.
async function load(file) {
  const head = await fetch(file, { method: "HEAD" });
  if (head.headers.get("Content-Encoding") || !globalThis.DecompressionStream) return WebAssembly.compileStreaming(fetch(file));
  const packed = await fetch(file + ".gz");
  if (!packed.ok || packed.headers.get("Content-Encoding")) return WebAssembly.compileStreaming(packed.ok ? wasm(packed.body) : fetch(file));
  return WebAssembly.compileStreaming(wasm(packed.body.pipeThrough(new DecompressionStream("gzip"))));
}

function wasm(body) { return new Response(body, { headers: { "Content-Type": "application/wasm" } }); }

function start() {
  ready = false;
  warmed = 0;
  const own = worker = new Worker("worker.js");
  matcher.then(m => own.postMessage(m), () => {});
  worker.onmessage = m => {
    if (m.data.broken) { by("status").textContent = m.data.broken; return; }
    if (m.data.ready) {
      ready = true;
      by("text").words = m.data.words;
      if (waiting) { const r = waiting; waiting = null; ask(r); } else by("status").textContent = "ready";
      return;
    }
    if (m.data.id === "warm" && !running) warm();
    if (merging.has(m.data.id)) { merging.get(m.data.id)(m.data.page); merging.delete(m.data.id); return; }
    if (timing.has(m.data.id)) { timing.get(m.data.id)(m.data.page); timing.delete(m.data.id); return; }
    if (m.data.id !== id) return;
    const { part, page, ms } = m.data;
    if (newer && !part) { again(); return; }
    if (part) add(page, by("out"));
    else {
      done(ms.toFixed(1) + " ms");
      show(page, by("out"), merge);
      offerSpeed(page);
      mistakes(page.failed);
      program.of(page, asked);
    }
    const next = page.failed ? "" : parts[parts.indexOf(part) + 1];
    by("out").setAttribute("aria-busy", String(!!next));
    if (next) worker.postMessage({ id, part: next });
    else if (!page.failed) warm();
  };
  worker.onerror = e => { by("status").textContent = "the matcher failed: " + e.message; worker.terminate(); start(); };
}

function warm() {
  if (warmed < warming.length) worker.postMessage({ id: "warm", request: warming[warmed++] });
}

function ask(request) {
  running = true;
  began = performance.now();
  by("cancel").disabled = false;
  by("out").setAttribute("aria-busy", "true");
  if (!ready) {
    waiting = request;
    by("status").textContent = "loading…";
    const same = kept.find(g => fields.every(f => (g[f] || "") === request[f]));
    if (same) show(same.page, by("out")); // without asking: numbers can be changed when the matcher has come
    return;
  }
  by("status").textContent = "matching…";
  asked = request;
  worker.postMessage({ id: ++id, request });
}

// merge promises how the answer of an update merges other data. It never comes where another request is made before.
const merging = new Map();
let merges = 0;
function merge(at, lines) {
  return new Promise(done => {
    const own = "merge" + ++merges;
    merging.set(own, done);
    worker.postMessage({ id: own, merge: { at, lines } });
  });
}

function done(text) {
  running = false;
  by("cancel").disabled = true;
  by("status").textContent = text;
}

// request is what the form has. What is given is one condition a line.
function request() {
  const r = {};
  fields.forEach(f => { r[f] = by(f).value; });
  r.given = r.given.split("\n").map(l => l.trim()).filter(l => l).join(" && ");
  return r;
}

// The tab that is open is in the address, so that a link opens it.
by("out").addEventListener("tab", () => { if (!running && location.hash) history.replaceState(null, "", address(request())); });

function fill(r) {
  fields.forEach(f => { by(f).value = r[f] || ""; });
  chosen = typesOf(by("types").value);
  showChips();
  showSwitches();
}

function address(r) {
  const p = new URLSearchParams();
  fields.forEach(f => { if (r[f]) p.set(f, r[f]); });
  if (chosenTab !== "merge") p.set("tab", chosenTab);
  return "#" + p;
}

by("form").onsubmit = e => {
  e.preventDefault();
  submit();
};

function submit() {
  clearTimeout(typed);
  showChips();
  showSwitches();
  const r = request();
  history.replaceState(null, "", address(r));
  if (!running || !ready) { ask(r); return; }
  newer = true;
  clearTimeout(impatient);
  impatient = setTimeout(() => { stop(); ask(request()); }, Math.max(0, began + patience - performance.now()));
}

// again asks for what the form has now, after a match whose answer nobody waits for any more.
function again() {
  clearTimeout(impatient);
  newer = false;
  ask(request());
}

// The answer follows what is typed.
fields.forEach(f => {
  by(f).addEventListener("input", () => {
    if (f === "text" || f === "given") inferTypes();
    if (f === "types") chosen = typesOf(by("types").value);
    clearTimeout(typed);
    if (by("text").value.trim()) typed = setTimeout(submit, pause);
  });
});
by("text").addEventListener("submit", submit);
by("given").onkeydown = e => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) by("form").requestSubmit(); };

function stop() {
  clearTimeout(typed);
  clearTimeout(impatient);
  newer = false;
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
  clearTimeout(typed);
  const r = {};
  fields.forEach(f => { r[f] = p.get(f) || ""; });
  fill(r);
  if (p.get("tab") in tabNames) chosenTab = p.get("tab");
  ask(r);
  return true;
}
onhashchange = fromAddress;

makeSwitches();
start();
const json = file => fetch(file).then(r => r.json());
json("kept.json").then(all => {
  kept = all;
  const choose = g => { fill(g); by("form").requestSubmit(); };
  kept.forEach(g => { Object.assign(make("button", g.name, by("examples")), { type: "button", onclick: () => choose(g) }); });
  if (!fromAddress()) { fill(kept[0]); ask(request()); }
});
json("gallery.json").then(all => {
  const groups = {};
  const group = domain => groups[domain] ||= Object.assign(make("optgroup", null, by("gallery")), { label: domain });
  all.forEach((g, i) => { make("option", g.name, group(g.domain)).value = i; });
  by("gallery").onchange = () => { const g = all[by("gallery").value]; if (g) { fill(g); by("form").requestSubmit(); } };
});
