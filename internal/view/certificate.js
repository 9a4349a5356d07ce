"use strict";
// The certificate of an answer: what verify needs to establish it again.

function showCertificate(c, into) {
  const text = JSON.stringify(c), bar = make("div", null, into, "row");
  make("p", "The answer with its proof, " + (text.length / 1000).toFixed(1) + " kB: rfactor verify FILE checks it with code that the search does not share.", into);
  copier("Copy the certificate", text, bar);
  const link = make("a", "Download it", bar);
  link.href = URL.createObjectURL(new Blob([text + "\n"], { type: "application/json" }));
  link.download = "answer.jsonl";
  const pre = make("pre", JSON.stringify(c, null, 1), into, "certificate");
  pre.tabIndex = 0;
}

// copier is a button that copies a text, and says so.
function copier(name, text, into) {
  const b = button(name, into, () => {
    const said = what => { b.textContent = what; setTimeout(() => { b.textContent = name; }, 2000); };
    (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject()).then(() => said("copied"), () => said("the browser does not allow it"));
  });
  return b;
}
