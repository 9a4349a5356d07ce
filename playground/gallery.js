"use strict";
// The gallery as cards by domain. Each card opens the playground with its text.

// addressOf is the playground's address of a request.
function addressOf(g) {
  const p = new URLSearchParams();
  ["text", "types", "given", "assume"].forEach(f => { if (g[f]) p.set(f, g[f]); });
  return "index.html#" + p;
}

// about is the first sentence of the comment that a program begins with.
const about = g => (/^\/\/ (.*?)(\.$|\. |\n|$)/.exec(g.text) || ["", ""])[1];

// step is the line of a text that is matched, as far as that is seen without reading the language.
const step = g => g.text.split("\n").filter(l => /^\w+\([^)]*\)\s*[-+*]?=/.test(l)).pop() || g.text.split("\n").filter(l => !l.startsWith("//"))[0];

function drawCards(all) {
  const into = document.getElementById("cards"), words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(w => w);
  const found = all.filter(g => words.every(w => (g.domain + " " + g.name + " " + g.text).toLowerCase().includes(w)));
  into.replaceChildren();
  for (const domain of new Set(found.map(g => g.domain))) {
    make("h2", domain, into);
    const list = make("ul", null, into, "cards");
    for (const g of found.filter(g => g.domain === domain)) {
      const card = make("a", null, make("li", null, list), "card");
      card.href = addressOf(g);
      make("strong", g.name, card);
      if (about(g)) make("span", about(g), card);
      make("code", step(g), card);
    }
  }
  document.getElementById("found").textContent = found.length + " of " + all.length;
}

fetch("gallery.json").then(r => r.json()).then(all => {
  document.getElementById("search").oninput = () => drawCards(all);
  drawCards(all);
});
