"use strict";
// The program view: a module of WebAssembly and a worker of its own, which come when somebody opens the tab.
const program = { worker: null, page: null, asked: null, request: null }; // page: what was asked last is about

// program.of says what the tab is about from now on: an answer, and its request.
program.of = (page, request) => {
  program.page = page;
  program.request = request;
  if (page.factors) by("panel-code").querySelector(".without").textContent = "The program is factored when this is open…";
  if (chosenTab === "code") program.show();
};

// program.show asks for the program of the answer, unless that has been asked for.
program.show = () => {
  if (!program.page || !program.page.factors || program.asked === program.page) return;
  program.asked = program.page;
  program.busy(true);
  program.start().postMessage({ request: program.request, program: true });
};

program.busy = on => { by("panel-code").setAttribute("aria-busy", String(on)); };

program.start = () => {
  if (program.worker) return program.worker;
  const worker = program.worker = new Worker("worker.js");
  const fail = why => { by("status").textContent = "the program cannot be shown: " + why; program.busy(false); program.asked = null; };
  const waiting = []; // what is posted before the module has come
  const post = worker.postMessage.bind(worker);
  worker.postMessage = m => { waiting.push(m); };
  load("program.wasm").then(m => post(m), e => fail(e.message));
  worker.onmessage = ({ data }) => {
    if (data.broken) { fail(data.broken); return; }
    if (data.ready) { worker.postMessage = post; waiting.splice(0).forEach(m => post(m)); return; }
    if (data.request !== program.request.text || program.asked !== program.page) { program.again(); return; }
    add(data.page, by("out"));
    program.busy(false);
  };
  worker.onerror = e => { worker.terminate(); program.worker = null; fail(e.message); };
  return worker;
};

// program.again asks for the answer that is shown now, after one for an older answer has come.
program.again = () => {
  if (chosenTab === "code" && program.page.factors && program.asked !== program.page) program.show();
};

by("out").addEventListener("tab", e => { if (e.detail === "code") program.show(); });
