"use strict";
// How fast slices of an answer are beside the serial loop, measured on this page when somebody asks for it.
const timing = new Map(); // what is done with the module of a request, by its id
let timings = 0;

// offerSpeed puts a button beside each answer that may be timed.
function offerSpeed(page) {
  (page.updates || []).forEach((u, at) => {
    const list = by("out").querySelector(`section[data-at="${at}"] > dl`);
    if (!u.cost || !list) return;
    make("dt", "speed", list);
    const cell = make("dd", null, list, "speed");
    const press = button("Measure here", cell, () => {
      press.disabled = true;
      says.textContent = "measuring…";
      speedOf(at).then(text => { says.textContent = text; }, e => { says.textContent = "it cannot be measured: " + e.message; }).then(() => { press.disabled = false; });
    });
    const says = make("span", null, cell);
    says.setAttribute("role", "status");
  });
}

// askSpeed promises the module that times an answer; null where it has none.
function askSpeed(at) {
  return new Promise(done => {
    const own = "speed" + ++timings;
    timing.set(own, done);
    worker.postMessage({ id: own, speed: at });
  });
}

async function speedOf(at) {
  const s = await askSpeed(at);
  if (!s) return "not measured: an operation or a type of it has no form in WebAssembly";
  const { serial, slices } = await runSpeed(s);
  const [a, b] = [timed(serial), timed(slices)];
  const ns = ms => (ms * 1e6 / s.steps).toFixed(2) + " ns";
  return (a / b).toFixed(1) + " times the serial loop: " + ns(b) + " instead of " + ns(a) + " a step, by four slices on one thread of this page, over " + s.steps.toLocaleString("en") + " steps";
}

// runSpeed makes the functions of a module, and fills its memory with data.
async function runSpeed(s) {
  const bytes = Uint8Array.from(atob(s.module), c => c.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  const memory = new Uint8Array(instance.exports.memory.buffer);
  for (const { at, size, all } of s.inputs) for (let n = size; n < all; n *= 2) memory.copyWithin(at + n, at, at + Math.min(n, all - n));
  return instance.exports;
}

// timed is how many milliseconds a call takes: the least of some rounds, after the engine has compiled it for good.
function timed(call) {
  const calls = n => { const began = performance.now(); for (let i = 0; i < n; i++) call(); return performance.now() - began; };
  let n = 1;
  while (calls(n) < 8) n *= 2;
  let least = Infinity;
  for (let round = 0; round < 7; round++) least = Math.min(least, calls(n) / n);
  return least;
}
