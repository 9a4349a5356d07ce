//go:build !js

package browser

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The page of rfactor vet groups loops by package and category, filters them, and opens each to its source. Nothing is cut off,
// at 1280 and at 400 pixels.
func TestVetPage(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the command")
	}
	file := filepath.Join(t.TempDir(), "vet.html")
	cmd := exec.Command("go", "run", "./cmd/rfactor-go", "vet", "-html", file, "./internal/view", "./egraph")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, width := range []int{1280, 400} {
		ctx, console := browser(t, width)
		run(t, ctx, chromedp.EmulateViewport(int64(width), 900))
		run(t, ctx, chromedp.Navigate("file://"+file))
		seen := eval[struct {
			Packages, Loops, Marked, Found, Left int
			Cut                                  []string
			Said                                 string
		}](t, ctx, `(() => {
			const all = s => [...document.querySelectorAll(s)], shown = s => all(s).filter(e => e.getClientRects().length);
			all(".loop").forEach(e => { e.open = true; });
			const out = { Packages: shown(".package").length, Loops: shown(".loop").length, Marked: all(".loop mark").filter(m => m.textContent.trim().startsWith("for ")).length };
			out.Cut = shown("h3, h4, summary, .loop p, .wide, pre").filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.textContent.slice(0, 60));
			out.Cut.push(...shown(".wide").filter(e => e.scrollWidth > e.clientWidth).map(e => "a table is wider than its box: " + e.textContent.slice(0, 60)));
			if (document.documentElement.scrollWidth > innerWidth) out.Cut.push("the page is wider than its window");
			const filter = document.getElementById("filter");
			const with_ = text => { filter.value = text; filter.dispatchEvent(new Event("input")); return shown(".loop").length; };
			out.Found = with_("internal/view reduction");
			out.Said = document.getElementById("shown").textContent;
			out.Left = with_("nothing that a loop says");
			return out;
		})()`)
		picture(t, ctx, "vet.png")
		if seen.Packages != 2 || seen.Loops < 20 || seen.Marked < seen.Loops*9/10 || seen.Found == 0 || seen.Found >= seen.Loops || seen.Left != 0 || len(seen.Cut) > 0 {
			t.Errorf("at %d pixels: %+v", width, seen)
		}
		if said := console.read(); len(said) > 0 {
			t.Errorf("the console says %q", said)
		}
	}
}
