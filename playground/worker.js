"use strict";
// The matcher, apart from the page so that a match can be cancelled: the page ends the worker, and starts another. Its
// first message is the compiled matcher, later ones are requests, names of parts of the last answer, or data for it to
// merge.
importScripts("wasm_exec.js");
globalThis.rfactorReady = () => postMessage({ ready: true, words: globalThis.rfactorWords && JSON.parse(rfactorWords()) });
onmessage = first => {
  onmessage = m => {
    const began = performance.now();
    const { id, request: r, part, merge, speed, program } = m.data;
    const of = r && [r.text, r.types || "", r.given || "", r.assume || ""];
    const text = program ? rfactorProgram(...of) : r ? (id === "warm" ? rfactorWarm : rfactorView)(...of) : merge ? rfactorMerge(merge.at, ...merge.lines) : speed !== undefined ? rfactorSpeed(String(speed)) : rfactorPart(part);
    const ms = performance.now() - began;
    postMessage({ id, part, request: r && r.text, page: JSON.parse(text), ms });
  };
  const go = new Go();
  WebAssembly.instantiate(first.data, go.importObject).then(instance => go.run(instance), e => postMessage({ broken: String(e) }));
};
