//go:build !js

package browser

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/internal/view/factored"
)

// made makes the playground, once for all tests.
var made = sync.OnceValue(func() error {
	if out, err := exec.Command("make", "-s", "-C", "../..", "playground").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

// built makes the playground, and returns its folder.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it compiles the matcher for WebAssembly")
	}
	if err := made(); err != nil {
		t.Fatal(err)
	}
	return "../../bin/playground"
}

// settled waits until the page has an answer, and all its parts.
const settled = `document.getElementById("status").textContent.endsWith(" ms") && ![...document.querySelectorAll("#out, .panel")].some(e => e.getAttribute("aria-busy") === "true")`

// match lets the page match an update, or a program, and waits until it shows all of that.
func match(t *testing.T, ctx context.Context, text, types string) {
	t.Helper()
	eval[int](t, ctx, fmt.Sprintf(`by("text").value = %q; by("types").value = %q; by("assume").value = ""; by("form").requestSubmit(); 0`, text, types))
	await(t, ctx, settled)
}

type item struct {
	Domain string `json:"domain"`
	Name   string `json:"name"`
	view.Request
}

var long = flag.Bool("long", false, "show all of the gallery in the browser, and not every tenth program of docs/gallery")

// gallery is the first steps, and every tenth of the other programs.
func gallery(t *testing.T) (all []item) {
	t.Helper()
	text, err := os.ReadFile("../../playground/gallery.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	if *long {
		return all
	}
	first := slices.IndexFunc(all, func(g item) bool { return g.Domain != "First steps" })
	sample := all[:first]
	for i := first; i < len(all); i += 10 {
		sample = append(sample, all[i])
	}
	return sample
}

// The page answers the gallery (see gallery) as this process does, byte for byte but for times, and draws as many
// boxes as there are classes, none over another and no text beyond its box.
func TestGallery(t *testing.T) {
	dir := built(t)
	ctx, console := browser(t, 1280)
	var asked lines
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.add(r.Method + " " + r.URL.Path)
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	began := time.Now()
	run(t, ctx, chromedp.Navigate(server.URL))
	await(t, ctx, `!!document.querySelector("dl pre")`)
	first := time.Since(began)
	await(t, ctx, settled)
	picture(t, ctx, "1280.png")
	t.Logf("first answer after %v, %d requests", first.Round(time.Millisecond), len(asked.read()))
	if all := asked.read(); !slices.Contains(all, "GET /rfactor.wasm.gz") || slices.Contains(all, "GET /rfactor.wasm") {
		t.Errorf("of a host that compresses nothing, the page asks %q", all)
	}
	eval[bool](t, ctx, ownWorker)
	var times, again, rest []float64
	for _, g := range gallery(t) {
		request, err := json.Marshal(g.Request)
		if err != nil {
			t.Fatal(err)
		}
		type answer struct {
			JSON     string
			Ms, Rest float64
		}
		ask := `(async () => {
			const first = await tell({ request: ` + string(request) + ` });
			let rest = 0;
			const join = (a, b) => { for (const k in b) Array.isArray(b[k]) && a[k] && (k === "updates" || k === "stages") ? b[k].forEach((u, i) => join(a[k][i], u)) : a[k] = b[k]; };
			for (const part of parts) { const r = await tell({ part }); join(first.page, r.page); rest += r.ms; }
			if (first.page.factors) {
				const r = await tellProgram({ request: ` + string(request) + `, program: true });
				join(first.page, r.page);
				rest += r.ms;
			}
			return { JSON: JSON.stringify(first.page), Ms: first.ms, Rest: rest };
		})()`
		page := eval[answer](t, ctx, ask)
		rest = append(rest, page.Rest)
		again = append(again, eval[answer](t, ctx, ask).Ms)
		drawn := eval[struct {
			Boxes, Classes    int
			Overlaps, Clipped []string
		}](t, ctx, `show(`+page.JSON+`, by("out")); openTab(by("out"), "graph"); document.querySelectorAll(".row button").forEach(b => { if (b.textContent === "unfold all") b.click(); });`+measure)
		times = append(times, page.Ms)
		p := g.Answer(context.Background())
		p.Code = factored.Page(context.Background(), &g.Request).Code
		want, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := timeless(t, []byte(page.JSON)), timeless(t, want); a != b {
			t.Errorf("%s: the page says\n%.600s\nand this process\n%.600s", g.Name, a, b)
		}
		classes := 0
		for _, u := range p.Updates {
			if n := len(u.Graph); n > 0 {
				classes += len(u.Graph[n-1].Classes)
			}
		}
		if drawn.Boxes != classes || classes == 0 {
			t.Errorf("%s: %d boxes are drawn for %d classes", g.Name, drawn.Boxes, classes)
		}
		if len(drawn.Overlaps)+len(drawn.Clipped) > 0 {
			t.Errorf("%s: boxes overlap: %q; texts are clipped: %q", g.Name, drawn.Overlaps, drawn.Clipped)
		}
	}
	middle := func(ms []float64) string {
		slices.Sort(ms)
		return fmt.Sprintf("median %.0f ms, greatest %.0f ms", ms[len(ms)/2], ms[len(ms)-1])
	}
	t.Logf("%d answers of the gallery: %s; their proofs, e-graphs and code: %s; asked again: %s", len(times), middle(times), middle(rest), middle(again))
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// ownWorker starts workers that the page does not know of, the matcher's as warm as the page's is. An answer is taken for that of
// the message whose id it has, and what goes wrong in a worker goes wrong here.
const ownWorker = `(async () => {
	const start = async (module, name) => {
		const own = new Worker("worker.js"), waiting = new Map();
		let last = 0;
		const fail = why => { for (const w of waiting.values()) w.fail(new Error(why)); };
		const ready = new Promise((done, fail) => waiting.set("ready", { done, fail }));
		own.onerror = e => fail("the worker failed: " + e.message);
		own.onmessage = ({ data }) => {
			if (data.broken) return fail(data.broken);
			const id = data.ready ? "ready" : data.id, w = waiting.get(id);
			waiting.delete(id);
			w.done(data);
		};
		window[name] = m => new Promise((done, fail) => { const id = ++last; waiting.set(id, { done, fail }); own.postMessage({ ...m, id }); });
		own.postMessage(await module);
		await ready;
	};
	await start(matcher, "tell");
	await start(load("program.wasm"), "tellProgram");
	for (const request of warming) await tell({ request });
	return true;
})()`

// measure looks at the graphs of the page.
const measure = `(() => {
  const out = { Boxes: 0, Overlaps: [], Clipped: [] };
  for (const s of document.querySelectorAll(".graph svg")) {
    const boxes = [...s.querySelectorAll(".class")].map(g => ({ g, r: g.querySelector("rect").getBoundingClientRect() }));
    out.Boxes += boxes.length;
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
      if (a.r.left < b.r.right - .5 && b.r.left < a.r.right - .5 && a.r.top < b.r.bottom - .5 && b.r.top < a.r.bottom - .5) out.Overlaps.push(a.g.textContent + " | " + b.g.textContent);
    }));
    for (const { g, r } of boxes) for (const t of g.querySelectorAll("text")) {
      const q = t.getBoundingClientRect();
      if (q.right > r.right + 1 || q.left < r.left - 1 || q.bottom > r.bottom + 2 || q.top < r.top - 2) out.Clipped.push(t.textContent);
    }
  }
  return out;
})()`

// timeless is JSON without the times of answers, in one order of keys.
func timeless(t *testing.T, text []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	var drop func(v any)
	drop = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "micros")
			for _, e := range v {
				drop(e)
			}
		case []any:
			for _, e := range v {
				drop(e)
			}
		}
	}
	drop(v)
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// By the address an update is shared, by the keyboard it is matched, and a match that runs is cancelled. At 400 pixels
// nothing is wider than the page.
func TestUse(t *testing.T) {
	dir := built(t)
	ctx, console := browser(t, 400)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	run(t, ctx, chromedp.EmulateViewport(400, 900))
	run(t, ctx, chromedp.Navigate(server.URL+"/#text=max(x0%2C+y0)&types=x0%3Ai32%2Cy0%3Ai32"))
	await(t, ctx, settled)
	operator := eval[string](t, ctx, `document.querySelector("dl pre").textContent`)
	picture(t, ctx, "400.png")
	wide := eval[bool](t, ctx, `document.documentElement.scrollWidth > innerWidth`)
	eval[int](t, ctx, `by("text").value = "x0 - y0"; by("text").focus(); 0`)
	run(t, ctx, chromedp.KeyEvent("\r", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	await(t, ctx, `document.querySelector("dl pre") && document.querySelector("dl pre").textContent === "x0 + y0"`)
	address := eval[string](t, ctx, `location.href`)
	match(t, ctx, countProgram, "")
	eval[int](t, ctx, `openTab(by("out"), "code"); 0`)
	await(t, ctx, settled)
	linked := eval[struct{ Program, Go, Lit int }](t, ctx, `(() => {
		const [program, go] = document.querySelectorAll(".pane pre"), lit = p => p.querySelectorAll(".lit").length;
		[...program.querySelectorAll("[data-of$='.body']")].pop().focus();
		const out = { Program: lit(program), Go: lit(go) };
		go.querySelector("[data-of^='b']").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		return { ...out, Lit: lit(program) };
	})()`)
	picture(t, ctx, "400-program.png")
	match(t, ctx, "x0*x0 + y0", "x0:i32,y0:i32")
	trial := eval[string](t, ctx, `openTab(by("out"), "merge"); document.querySelector(".merged > .bad").textContent`)
	picture(t, ctx, "400-refused.png")
	wide = wide || eval[bool](t, ctx, `document.documentElement.scrollWidth > innerWidth`)
	status := eval[string](t, ctx, `by("form").requestSubmit(); by("cancel").click(); by("status").textContent`)
	await(t, ctx, `by("status").textContent === "ready"`)
	if operator != "max(x0, y0)" || status != "cancelled" || !strings.Contains(address, "#text=x0+-+y0") || wide {
		t.Errorf("operator %q, status %q, address %q, wider than the window: %v", operator, status, address, wide)
	}
	if linked.Program == 0 || linked.Go == 0 || linked.Lit == 0 {
		t.Errorf("lines that correspond do not light up: %+v", linked)
	}
	if trial != "4 ≠ 2: slices cannot be merged by this." {
		t.Errorf("the counterexample gives %q", trial)
	}
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// The answer follows keys without a press of Match, also right after another request, and three examples are there to press.
// At 1280 pixels the answer stands on the right of what is asked, and begins as high.
func TestTyping(t *testing.T) {
	ctx, console := playgroundPage(t)
	eval[int](t, ctx, `by("text").value = ""; by("types").value = "x0:i32,y0:i32"; 0`)
	const shows = `document.querySelector("dl pre") && document.querySelector("dl pre").textContent === %q`
	typeText(t, ctx, "max(x0, y0)")
	await(t, ctx, fmt.Sprintf(shows, "max(x0, y0)"))
	eval[int](t, ctx, `by("text").value = "x0*x0*x0 - y0"; submit(); by("text").value = ""; 0`)
	typeText(t, ctx, "min(x0, y0)")
	await(t, ctx, fmt.Sprintf(shows, "min(x0, y0)"))
	picture(t, ctx, "1280-typed.png")
	if said := eval[string](t, ctx, `document.querySelector(".plainly").textContent + " " + [...document.querySelectorAll(".laws li")].map(l => l.textContent)`); said != "Keeps the least of in.y0. Slices can be reduced at the same time, and their results merge by the operator, in any order. associative,commutative,idempotent" {
		t.Errorf("of min, the page says %q", said)
	}
	beside := eval[bool](t, ctx, `(() => { const a = by("form").getBoundingClientRect(), b = by("out").getBoundingClientRect(); return b.left >= a.right && Math.abs(b.top - a.top) < 20; })()`)
	if !beside {
		t.Error("the answer is not beside the form")
	}
	if n := eval[int](t, ctx, `document.querySelectorAll("#examples button").length`); n != 3 {
		t.Errorf("%d examples, not 3", n)
	}
	eval[int](t, ctx, `document.querySelector("#examples button").click(); 0`)
	await(t, ctx, fmt.Sprintf(shows, "x0 + y0"))
	await(t, ctx, `document.querySelector(".plainly").textContent.startsWith("Counts the steps where P(r) holds. ")`)
	eval[int](t, ctx, `document.querySelectorAll("#examples button")[1].click(); 0`)
	await(t, ctx, `(document.querySelector(".plainly") || document.body).textContent.startsWith("Where what is assumed and given below holds, each step is a function of the state, written as 2 numbers. ")`)
	eval[int](t, ctx, `fill({ text: "max(abs(x0), y0 & 127)", types: "x0:i32,y0:i32", given: "0 <= x0" }); submit(); 0`)
	await(t, ctx, `(document.querySelector(".plainly") || document.body).textContent.includes("Where what is assumed and given below holds, slices can be reduced")`)
	for _, of := range []struct{ text, types, says string }{
		{"x0 + y0; max(x1, y0)", "x0:i32,x1:i32,y0:i32", "Adds up in.y0 and keeps the greatest of in.y0. Slices can be reduced"},
		{"max(x0, y0); x1 + x0*x0", "x0:i32,x1:i32,y0:i32", "There are stages: 1 scan, of which every value is kept, and 1 reduction. "},
		{"f(r) = f(r - 1) + in(r)", "", "Every state on the way is kept"},
	} {
		match(t, ctx, of.text, of.types)
		if said := eval[string](t, ctx, `(document.querySelector(".plainly") || by("out")).textContent`); !strings.Contains(said, of.says) {
			t.Errorf("of %s the page says %.300q", of.text, said)
		}
	}
	match(t, ctx, "select(y0 > 9, x0 + 1, x0)", "x0:i32,y0:i32")
	if said := eval[string](t, ctx, `document.querySelector("dl").textContent`); !strings.Contains(said, "3 operations a step, of which 1 merges; the serial loop has 3. A slice carries 1 value.") {
		t.Errorf("of costs, the page says %q", said)
	}
	eval[int](t, ctx, `document.querySelectorAll("#examples button")[2].click(); 0`)
	await(t, ctx, `document.querySelector("#out .bad") && !document.querySelector(".plainly")`)
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// typeText types into the editor, whose element forwards the focus.
func typeText(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	eval[int](t, ctx, `by("text").focus(); 0`)
	run(t, ctx, chromedp.KeyEvent(text))
}

// countProgram has a schedule, which is chosen, and Go.
const countProgram = "ImageParam in(Int(32), 1);\nFunc f;\nRDom r(0, in.width());\nf() = 0;\nf() += select(in(r) > 10, in(r), 0);"

// objections are what axe-core says of a page that has it.
const objections = `axe.run().then(r => r.violations.map(v => v.id + ": " + v.help + ": " + v.nodes.map(n => n.html).slice(0, 3).join(" ")))`

// axe-core finds nothing to object to, by day and in the dark. PLAYGROUND_AXE names its axe.min.js, which is no part
// of this tree.
func TestAccessible(t *testing.T) {
	script, err := os.ReadFile(os.Getenv("PLAYGROUND_AXE"))
	if err != nil {
		t.Skip("PLAYGROUND_AXE names no file")
	}
	ctx, _ := playgroundPage(t)
	eval[bool](t, ctx, string(script)+";true")
	for _, scheme := range []string{"light", "dark"} {
		run(t, ctx, prefer(scheme))
		for name, u := range map[string][2]string{"program": {countProgram}, "refused": {"x0*x0 + y0", "x0:i32,y0:i32"}} {
			match(t, ctx, u[0], u[1])
			for _, tab := range tabNames {
				eval[int](t, ctx, fmt.Sprintf(`openTab(by("out"), %q); 0`, tab))
				await(t, ctx, settled)
				eval[int](t, ctx, `(document.querySelector(".panel:not([hidden]) .line[data-of='s1']") || document.body).focus(); 0`)
				picture(t, ctx, "1280-"+name+"-"+tab+"-"+scheme+".png")
				for _, v := range eval[[]string](t, ctx, objections) {
					t.Errorf("%s, %s, %s: %s", name, tab, scheme, v)
				}
			}
		}
	}
}

// The page of -html is one file: it asks nobody for anything.
func TestHTML(t *testing.T) {
	ctx, console := browser(t, 1280)
	r := view.Request{Text: "f() = select(P(r), f() + 1, f())"}
	text, err := view.HTML("</script><b>", r.Answer(context.Background()))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, ctx, chromedp.Navigate("file://"+file))
	operator := eval[string](t, ctx, `document.querySelector("dl pre").textContent`)
	requests := eval[int](t, ctx, `performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:")).length`)
	boxes := eval[int](t, ctx, `openTab(document.getElementById("out"), "graph"); document.querySelectorAll(".graph .class").length`)
	if operator != "x0 + y0" || requests != 0 || boxes == 0 || len(console.read()) > 0 {
		t.Errorf("operator %q, %d requests, %d boxes, console %q", operator, requests, boxes, console.read())
	}
}
