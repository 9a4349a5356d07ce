"use strict";
// The matcher, apart from the page so that a match can be cancelled: the page ends the worker, and starts another.
importScripts("wasm_exec.js");
globalThis.rfactorReady = () => postMessage({ ready: true });
const go = new Go();
WebAssembly.instantiateStreaming(fetch("rfactor.wasm"), go.importObject)
  .then(r => go.run(r.instance), e => postMessage({ broken: String(e) }));
onmessage = m => {
  const began = performance.now();
  const answer = rfactorView(JSON.stringify(m.data.request));
  postMessage({ id: m.data.id, page: JSON.parse(answer), ms: performance.now() - began });
};
