//go:build !js

package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabNames are the tabs in their order.
var tabNames = []string{"merge", "proof", "graph", "code", "certificate"}

// Each tab of five answers of the gallery, an operator, a lift, stages, a refusal and a program, has what belongs there, and
// is reached by arrow keys. Nothing is wider than the window, at 1280 and at 400 pixels.
func TestTabs(t *testing.T) {
	ctx, console := playgroundPage(t)
	for _, width := range []int64{1280, 400} {
		firstScreen(t, ctx, width, "light")
		for name, has := range map[string]map[string]string{
			"Least two":              {"merge": ".merged .good", "proof": ".claim", "graph": "svg .matched", "code": ".without", "certificate": "pre.certificate"},
			"Clamped sum (a lift)":   {"merge": ".merged .good", "proof": ".claim", "graph": "svg .class", "code": ".without", "certificate": "pre.certificate"},
			"A square: refused":      {"merge": ".merged > .bad", "proof": ".without", "graph": "svg .class", "code": ".without", "certificate": ".without"},
			"A program, with its Go": {"merge": ".merged .good", "proof": ".claim", "graph": "svg .matched", "code": ".line[data-of]", "certificate": "pre.certificate"},
			"Ulcer index":            {"merge": ".merged .good", "proof": ".claim", "graph": "svg .class", "code": ".line[data-of]", "certificate": "pre.certificate"},
		} {
			showExample(t, ctx, name)
			eval[int](t, ctx, `openTab(by("out"), "merge"); by("tab-merge").focus(); 0`)
			for i, tab := range tabNames {
				await(t, ctx, settled)
				seen := eval[struct {
					Focus, Chosen, Shown string
					Has, Wide            bool
				}](t, ctx, fmt.Sprintf(`(() => {
					const shown = [...document.querySelectorAll(".panel")].filter(p => !p.hidden);
					return { Focus: document.activeElement.id, Chosen: document.querySelector("[role=tab][aria-selected=true]").id, Shown: shown.map(p => p.id).join(),
						Has: !!shown[0].querySelector(%q), Wide: document.documentElement.scrollWidth > innerWidth };
				})()`, has[tab]))
				if seen.Focus != "tab-"+tab || seen.Chosen != "tab-"+tab || seen.Shown != "panel-"+tab || !seen.Has || seen.Wide {
					t.Errorf("%s at %d pixels, tab %s: %+v", name, width, tab, seen)
				}
				picture(t, ctx, fmt.Sprintf("%d-%.9s-%s.png", width, name, tab))
				if i < len(tabNames)-1 {
					run(t, ctx, chromedp.KeyEvent(kb.ArrowRight))
				}
			}
		}
		if said := console.read(); len(said) > 0 {
			t.Errorf("at %d pixels the console says %q", width, said)
		}
	}
}

// showExample shows an example of the gallery by its name.
func showExample(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	eval[int](t, ctx, fmt.Sprintf(`(async () => {
		const g = (await (await fetch("gallery.json")).json()).find(g => g.name === %q);
		fill(g); submit();
		return 0;
	})()`, name))
	await(t, ctx, settled)
}

// A reader's numbers are merged, and what they break is named; the operands of a refusal may be changed until both orders agree.
func TestMergeOfOwnNumbers(t *testing.T) {
	ctx, console := playgroundPage(t)
	verdict := func(row int, values, says string) {
		t.Helper()
		eval[int](t, ctx, fmt.Sprintf(`(() => { const i = document.querySelectorAll(".rows input")[%d]; i.value = %q; i.dispatchEvent(new Event("input")); return 0; })()`, row, values))
		await(t, ctx, fmt.Sprintf(`[...document.querySelectorAll(".merged > p")].some(p => p.textContent.includes(%q))`, says))
	}
	match(t, ctx, "x0 + y0", "x0:i32,y0:i32")
	eval[int](t, ctx, `openTab(by("out"), "merge"); 0`)
	verdict(1, "10 20 30", "Equal at the root: 60")
	verdict(1, "10 20 x", "\"x\" is no i32")
	verdict(1, "1", "Equal at the root: 1")
	eval[int](t, ctx, `fill({ text: "max(x0 + y0, 0)", types: "x0:i32,y0:i32", assume: "nsw" }); submit(); 0`)
	await(t, ctx, settled)
	verdict(1, "-2147483648 -1 0", "assumes: nsw")
	match(t, ctx, "x0*x0 + y0", "x0:i32,y0:i32")
	verdict(0, "1", "≠")
	verdict(1, "0", "=")
	stepped := eval[string](t, ctx, `(async () => {
		fill({ text: "x0 + y0", types: "x0:i32,y0:i32" }); submit();
		while (!document.querySelector(".tree .serial")) await new Promise(r => setTimeout(r, 20));
		const range = document.querySelector(".merged input[type=range]");
		range.value = 1; range.dispatchEvent(new Event("input"));
		return document.querySelector(".merged output").textContent + "; " + document.querySelectorAll(".tree .later").length + " later";
	})()`)
	if !strings.HasPrefix(stepped, "1 of 8: ") || !strings.HasSuffix(stepped, "; 7 later") {
		t.Errorf("after a step the page says %q", stepped)
	}
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// A class of the e-graph lists its terms, and the drawing is moved and changes its size by keys and buttons.
func TestGraphOfTab(t *testing.T) {
	ctx, console := playgroundPage(t)
	server := strings.Split(eval[string](t, ctx, `location.href`), "#")[0]
	run(t, ctx, chromedp.Navigate(server+"#text=select(y0+%3E+9%2C+x0+%2B+1%2C+x0)&types=x0%3Ai32%2Cy0%3Ai32&tab=graph"))
	await(t, ctx, settled)
	seen := eval[struct {
		Forms, Address       string
		Box, Pane            float64
		Larger, Moved, Whole bool
	}](t, ctx, `(() => {
		const box = document.querySelector(".graph"), shown = () => box.firstChild.getAttribute("viewBox").split(" ").map(Number), press = key => box.dispatchEvent(new KeyboardEvent("keydown", { key }));
		const first = shown();
		press("+");
		const second = shown();
		press("ArrowRight");
		const third = shown();
		[...document.querySelectorAll("button")].find(b => b.textContent === "all of it").click();
		const last = shown();
		box.querySelector(".class.root").dispatchEvent(new MouseEvent("click"));
		return { Forms: document.querySelector(".forms").textContent, Address: location.hash, Box: box.getBoundingClientRect().width, Pane: by("out").getBoundingClientRect().width,
			Larger: second[2] < first[2], Moved: third[0] > second[0], Whole: String(last) === String(first) };
	})()`)
	if !strings.Contains(seen.Forms, "x0 + select(") || !strings.Contains(seen.Address, "tab=graph") || seen.Box < .95*seen.Pane || !seen.Larger || !seen.Moved || !seen.Whole {
		t.Errorf("%+v", seen)
	}
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}
