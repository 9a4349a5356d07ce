//go:build !js

package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rfactor-go/rfactor/lab"
)

// The report of an experiment is one file that asks nobody for anything. It begins with three figures, its plots stand two in a row and no text
// of theirs is clipped, its tables are filtered, a cell of a heat map leads to its updates, and these to the playground.
func TestReport(t *testing.T) {
	ctx, console := browser(t, 1280)
	dir := t.TempDir()
	corpus := "sum\there\tx0:i32,y0:i32\tx0 + y0\nmax\there\tx0:i32,y0:i32\tmax(x0, y0)\nsquare\there\tx0:i32,y0:i32\tx0*x0 + y0\n"
	text := `{"schema": "rfactor-lab/1", "corpora": ["small.tsv"], "matchers": ["exact", "constructions", "lift"], "efforts": [1, 10],
  "scrambles": {"depths": [0, 5], "seeds": [1, 2], "matchers": ["exact", "lift"]}, "saturation": true,
  "ablate": ["exact"], "without": [{"name": "the table", "stages": ["exact"]}]}`
	if err := os.WriteFile(filepath.Join(dir, "small.tsv"), []byte(corpus), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := lab.ReadExperiment(filepath.Join(dir, "e.json"), text)
	if err == nil {
		err = (&lab.Run{Dir: dir, Workers: 1}).Do(t.Context(), e)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := lab.Summarise(dir, e)
	if err == nil {
		err = s.Report(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	run(t, ctx, chromedp.EmulateViewport(400, 900))
	run(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, "report.html")))
	if wide := eval[int](t, ctx, `document.documentElement.scrollWidth`); wide > 400 {
		t.Errorf("at 400 pixels the report is %d wide", wide)
	}
	run(t, ctx, chromedp.EmulateViewport(1280, 900))
	picture(t, ctx, "report.png")
	seen := eval[struct {
		Plots, Requests, Before, After, Headlines, Heat, InRow int
		High                                                   float64
		Clipped, Led, Links, Bar, Fast, Lost                   []string
		Elsewhere                                              map[string][]string // what points of other plots lead to, by table
	}](t, ctx, `(() => {
		const out = { Plots: 0, Clipped: [], Requests: performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:")).length };
		for (const s of document.querySelectorAll("svg")) {
			const all = s.getBoundingClientRect();
			out.Plots++;
			for (const t of s.querySelectorAll("text")) {
				const r = t.getBoundingClientRect();
				if (r.left < all.left - 1 || r.right > all.right + 1 || r.top < all.top - 1 || r.bottom > all.bottom + 1) out.Clipped.push(t.textContent);
			}
		}
		out.Headlines = document.querySelectorAll(".headlines strong").length;
		const tops = [...document.querySelectorAll("figure")].map(f => f.getBoundingClientRect().top);
		out.InRow = tops.filter(t => t === tops[0]).length;
		const updates = () => [...document.querySelectorAll("#updates tbody tr")];
		const cells = [...document.querySelectorAll(".heat td button")];
		out.Heat = cells.length;
		cells.find(c => c.textContent === "+2").click();
		out.Led = updates().map(r => r.cells[1].textContent);
		out.Links = updates().map(r => r.querySelector("a").href);
		const point = (figure, says) => [...document.querySelectorAll(figure + " a")].find(a => a.textContent.startsWith(says));
		const press = a => { a.dispatchEvent(new MouseEvent("click", { cancelable: true, bubbles: true })); return updates().map(r => r.cells[1].textContent); };
		out.Bar = press(point("#figure-coverage", "small, lift: 66.7 %"));
		const bar = point("#figure-coverage", "small, lift").getBoundingClientRect(), box = document.querySelector("#figure-coverage svg").getBoundingClientRect();
		out.High = (box.bottom - bar.top) / box.height;
		out.Fast = press(point("#figure-times", "lift: 50 %"));
		out.Lost = [...document.querySelectorAll(".heat .lost button")].filter(b => b.dataset.filter.includes("lost-without")).map(b => (b.click(), updates().length + " of " + b.textContent));
		const points = document.querySelectorAll("figure a"), linked = (a, rows) => rows.length && rows.every(r => r.querySelector("a[href*='#text=']"));
		out.Elsewhere = {};
		for (const a of points) {
			press(a);
			const table = a.dataset.table, rows = [...document.querySelectorAll("#" + table + " tbody tr")];
			(out.Elsewhere[a.closest("figure").id + " " + table] ||= []).push(linked(a, rows) ? "" : a.textContent + " | " + a.dataset.filter);
		}
		document.querySelectorAll("section input").forEach(i => { i.value = ""; i.oninput(); });
		const rows = () => document.querySelectorAll("tbody tr").length;
		out.Before = rows();
		const filter = [...document.querySelectorAll("input")].pop();
		filter.value = "square";
		filter.dispatchEvent(new Event("input", { bubbles: true }));
		out.After = rows();
		return out;
	})()`)
	if !slices.Equal(seen.Bar, []string{"sum", "max"}) || len(seen.Fast) != 2 || seen.High < .5 || seen.High > .8 {
		t.Errorf("a bar leads to %q, a point to %q; a bar of two thirds ends at %.2f of the height of its figure", seen.Bar, seen.Fast, seen.High)
	}
	for _, where := range []string{"figure-coverage updates", "figure-times updates", "figure-growth saturation", "figure-effort updates", "figure-scrambles lost-spellings"} {
		if bad := slices.DeleteFunc(slices.Clone(seen.Elsewhere[where]), func(s string) bool { return s == "" }); len(seen.Elsewhere[where]) == 0 || len(bad) > 0 {
			t.Errorf("%s: of %d points these lead to no update: %q", where, len(seen.Elsewhere[where]), bad)
		}
	}
	if len(seen.Lost) == 0 || slices.ContainsFunc(seen.Lost, func(s string) bool { n, of, _ := strings.Cut(s, " of "); return n != of }) {
		t.Errorf("cells of losses lead to %q", seen.Lost)
	}
	link := "http://127.0.0.1:8080/#text=x0+%2B+y0&types=x0%3Ai32%2Cy0%3Ai32"
	if seen.Headlines != 3 || seen.InRow != 2 || seen.Heat == 0 || !slices.Equal(seen.Led, []string{"sum", "max"}) || len(seen.Links) != 2 || seen.Links[0] != link {
		t.Errorf("%+v", seen)
	}
	if seen.Plots < 4 || seen.Requests != 0 || len(seen.Clipped) > 0 || seen.After >= seen.Before || len(console.read()) > 0 {
		t.Errorf("%+v, and the console says %q", seen, console.read())
	}
}

// The page of a comparison of two runs is one file, with a row for each change, which are filtered; it is not wider than its window.
func TestComparison(t *testing.T) {
	c := &lab.Comparison{A: "before", B: "after", Both: 3, OnlyA: 1,
		Lost:   []lab.Change{{Key: lab.Key{Config: "lift", Corpus: "a.tsv", Name: "count"}, Before: "associative", After: "refused", Why: "no operator <of> the table"}},
		Gained: []lab.Change{{Key: lab.Key{Config: "lift", Corpus: "a.tsv", Name: "clamp"}, Before: "refused", After: "lifted", Why: "lift:clamp"}},
		Times:  []lab.TimeChange{{Config: "lift", Before: "90 µs (p99 2000, of one run each)", After: "80 µs (p99 1900, of one run each)"}}}
	file := filepath.Join(t.TempDir(), "diff.html")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.HTML(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1280, 400} {
		ctx, console := browser(t, width)
		run(t, ctx, chromedp.EmulateViewport(int64(width), 900))
		run(t, ctx, chromedp.Navigate("file://"+file))
		seen := eval[struct {
			Figures, Shown []string
			Rows           int
			Wide           bool
		}](t, ctx, `(() => {
			const rows = () => [...document.querySelectorAll(".change")].filter(r => !r.hidden);
			const out = { Figures: [...document.querySelectorAll(".headlines strong")].map(e => e.textContent), Rows: rows().length, Wide: document.documentElement.scrollWidth > innerWidth };
			const filter = document.getElementById("filter");
			filter.value = "clamp"; filter.dispatchEvent(new Event("input"));
			return { ...out, Shown: rows().map(r => r.cells[2].textContent) };
		})()`)
		if !slices.Equal(seen.Figures, []string{"1", "1", "3"}) || seen.Rows != 2 || !slices.Equal(seen.Shown, []string{"lifted"}) || seen.Wide || len(console.read()) > 0 {
			t.Errorf("at %d pixels: %+v, and the console says %q", width, seen, console.read())
		}
	}
}
