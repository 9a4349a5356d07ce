"use strict";
// The matcher, apart from the page so that a match can be cancelled: the page ends the worker, and starts another. Its
// first message is the compiled matcher, later ones are requests, names of parts of the last answer, or data for it to
// merge.
importScripts("wasm_exec.js");
globalThis.rfactorReady = () => postMessage({ ready: true, words: JSON.parse(rfactorWords()) });
onmessage = first => {
  onmessage = m => {
    const began = performance.now();
    const { id, request: r, part, merge } = m.data;
    const text = r ? (id === "warm" ? rfactorWarm : rfactorView)(r.text, r.types || "", r.given || "", r.assume || "") : merge ? rfactorMerge(merge.at, ...merge.lines) : rfactorPart(part);
    const ms = performance.now() - began;
    postMessage({ id, part, page: JSON.parse(text), ms });
  };
  const go = new Go();
  WebAssembly.instantiate(first.data, go.importObject).then(instance => go.run(instance), e => postMessage({ broken: String(e) }));
};
