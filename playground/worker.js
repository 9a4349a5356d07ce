"use strict";
// The matcher, apart from the page so that a match can be cancelled: the page ends the worker, and starts another. Its
// first message is the compiled matcher, later ones are requests, or names of parts of the last answer.
importScripts("wasm_exec.js");
globalThis.rfactorReady = () => postMessage({ ready: true });
onmessage = first => {
  onmessage = m => {
    const began = performance.now();
    const r = m.data.request;
    const text = r ? rfactorView(r.text, r.types || "", r.given || "", r.assume || "") : rfactorPart(m.data.part);
    const ms = performance.now() - began;
    postMessage({ id: m.data.id, part: m.data.part, page: JSON.parse(text), ms });
  };
  const go = new Go();
  WebAssembly.instantiate(first.data, go.importObject).then(instance => go.run(instance), e => postMessage({ broken: String(e) }));
};
