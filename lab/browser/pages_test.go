//go:build !js

package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// state is something that the playground shows, which make pages makes a picture of.
type state struct {
	name   string
	width  int64
	scheme string
	show   func(t *testing.T, ctx context.Context)
	has    string // a selector of what the picture is for
}

// states are named in docs/playground.md, with what to look for; TestCards has the last two.
var states = []state{
	{"1-first-visit", 1280, "light", nothing, ".merged .good"},
	{"2-completion", 1280, "light", func(t *testing.T, ctx context.Context) {
		eval[int](t, ctx, `fill({ text: "" }); 0`)
		typeText(t, ctx, "x0 + ma")
		await(t, ctx, `!!by("text").shadowRoot.querySelector(".cm-tooltip-autocomplete li")`)
	}, ".chip"},
	{"3-mistake", 1280, "light", func(t *testing.T, ctx context.Context) {
		eval[int](t, ctx, `fill({ text: "" }); 0`)
		typeText(t, ctx, "x0 + mim(x0, y0)")
		await(t, ctx, `!!by("text").shadowRoot.querySelector(".cm-why")`)
	}, "#out > .bad"},
	{"4-lift", 1280, "light", example("Clamped sum (a lift)", "merge"), ".tree .end"},
	{"5-refusal", 1280, "light", example("A square: refused", "merge"), ".trial .end"},
	{"6-stages", 1280, "light", example("Ulcer index", "merge"), ".merged h3"},
	{"7-proof", 1280, "light", func(t *testing.T, ctx context.Context) {
		match(t, ctx, "select(y0 > 9, x0 + 1, x0)", "x0:f32,y0:f32")
		eval[int](t, ctx, `openTab(by("out"), "proof"); document.querySelector(".claim").open = true; 0`)
	}, ".claim[open]"},
	{"8-e-graph", 1280, "light", func(t *testing.T, ctx context.Context) {
		match(t, ctx, "select(y0 > 9, x0 + 1, x0)", "x0:i32,y0:i32")
		eval[int](t, ctx, `openTab(by("out"), "graph"); document.querySelector(".class.root").dispatchEvent(new MouseEvent("click")); 0`)
	}, ".forms li"},
	{"9-program-dark", 1280, "dark", example("A program, with its Go", "code"), ".line[data-of]"},
	{"10-phone", 400, "light", example("Clamped sum (a lift)", "merge"), ".tree .end"},
}

func nothing(*testing.T, context.Context) {}

// example shows a tab of an example of the gallery.
func example(name, tab string) func(t *testing.T, ctx context.Context) {
	return func(t *testing.T, ctx context.Context) {
		showExample(t, ctx, name)
		eval[int](t, ctx, fmt.Sprintf(`openTab(by("out"), %q); 0`, tab))
		await(t, ctx, settled)
	}
}

// Each state has what its picture is for, on a page that is not wider than its window.
func TestPages(t *testing.T) {
	ctx, console := playgroundPage(t)
	for _, s := range states {
		firstScreen(t, ctx, s.width, s.scheme)
		s.show(t, ctx)
		picture(t, ctx, s.name+".png")
		if !eval[bool](t, ctx, fmt.Sprintf(`!!document.querySelector(%q) && document.documentElement.scrollWidth <= innerWidth`, s.has)) {
			t.Errorf("%s has no %s, or is wider than its window", s.name, s.has)
		}
		if said := console.read(); len(said) > 0 {
			t.Errorf("%s: the console says %q", s.name, said)
		}
	}
}

// Each card of the gallery is found by words, and opens the playground with its answer.
func TestCards(t *testing.T) {
	dir := built(t)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	for _, width := range []int{1280, 400} {
		ctx, console := browser(t, width)
		run(t, ctx, chromedp.EmulateViewport(int64(width), 900))
		run(t, ctx, chromedp.Navigate(server.URL+"/gallery.html"))
		await(t, ctx, `!!document.querySelector(".card")`)
		picture(t, ctx, map[int]string{1280: "11-gallery.png", 400: "12-gallery-phone.png"}[width])
		seen := eval[struct {
			Cards, Domains, Found int
			Wide                  bool
			Said                  string
		}](t, ctx, `(() => {
			const cards = () => document.querySelectorAll(".card").length;
			const out = { Cards: cards(), Domains: document.querySelectorAll("h2").length, Wide: document.documentElement.scrollWidth > innerWidth };
			const search = document.getElementById("search");
			search.value = "online SOFTMAX"; search.dispatchEvent(new Event("input"));
			return { ...out, Found: cards(), Said: document.getElementById("found").textContent };
		})()`)
		if seen.Cards < 90 || seen.Domains < 9 || seen.Found != 1 || !strings.HasPrefix(seen.Said, "1 of ") || seen.Wide {
			t.Errorf("at %d pixels: %+v", width, seen)
		}
		if width == 1280 {
			run(t, ctx, chromedp.Navigate(eval[string](t, ctx, `document.querySelector(".card").href`)))
			await(t, ctx, `!!document.getElementById("out") && `+settled)
			if text := eval[string](t, ctx, `by("text").value + document.querySelector("#out h2").textContent`); !strings.Contains(text, "softmax") {
				t.Errorf("the card opens %q", text)
			}
			if !eval[bool](t, ctx, `!!document.querySelector("a[href='gallery.html']")`) {
				t.Error("no link leads back to the cards")
			}
		}
		if said := console.read(); len(said) > 0 {
			t.Errorf("the console says %q", said)
		}
	}
}
