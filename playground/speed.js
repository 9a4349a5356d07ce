"use strict";
// How fast slices of an answer are beside the serial loop, measured by the worker of this page when somebody asks for it.
const timing = new Map(); // what is done with the times of a request, by its id
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
      askSpeed(at).then(s => { says.textContent = speedText(s); press.disabled = false; });
    });
    const says = make("span", null, cell);
    says.setAttribute("role", "status");
  });
}

// askSpeed promises how long steps of an answer take; null where they are not timed.
function askSpeed(at) {
  return new Promise(done => {
    const own = "speed" + ++timings;
    timing.set(own, done);
    worker.postMessage({ id: own, speed: at });
  });
}

function speedText(s) {
  if (!s) return "not measured: the loop keeps elements, or takes too many operations";
  const ns = x => x.toFixed(2) + " ns";
  return (s.serial / s.slices).toFixed(1) + " times the serial loop: " + ns(s.slices) + " instead of " + ns(s.serial) + " a step, by four slices on one thread of this page, over " + s.steps.toLocaleString("en") + " steps";
}
