//go:build !js

package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rfactor-go/rfactor/lab"
)

// The report of an experiment is one file that asks nobody for anything, no text of its plots is clipped, and its
// tables are filtered and sorted.
func TestReport(t *testing.T) {
	ctx, console := browser(t, 1280)
	dir := t.TempDir()
	corpus := "sum\there\tx0:i32,y0:i32\tx0 + y0\nmax\there\tx0:i32,y0:i32\tmax(x0, y0)\nsquare\there\tx0:i32,y0:i32\tx0*x0 + y0\n"
	text := `{"schema": "rfactor-lab/1", "corpora": ["small.tsv"], "matchers": ["exact", "constructions", "lift"], "efforts": [1, 10],
  "scrambles": {"depths": [0, 5], "seeds": [1, 2], "matchers": ["lift"]}, "saturation": true}`
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
	run(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, "report.html")))
	picture(t, ctx, "report.png")
	seen := eval[struct {
		Plots, Requests, Before, After int
		Clipped                        []string
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
		const rows = () => document.querySelectorAll("tbody tr").length;
		out.Before = rows();
		const filter = [...document.querySelectorAll("input")].pop();
		filter.value = "square";
		filter.dispatchEvent(new Event("input", { bubbles: true }));
		out.After = rows();
		return out;
	})()`)
	if seen.Plots < 4 || seen.Requests != 0 || len(seen.Clipped) > 0 || seen.After >= seen.Before || len(console.read()) > 0 {
		t.Errorf("%+v, and the console says %q", seen, console.read())
	}
}
