//go:build !js

package browser

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Before the matcher has come, the page shows an answer and those of the examples, and text can be edited; what is in the editor is
// answered when it has come.
func TestBeforeMatcher(t *testing.T) {
	dir := built(t)
	come := make(chan struct{})
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/rfactor.wasm") && r.Method == http.MethodGet {
			select {
			case <-come:
			case <-r.Context().Done():
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, console := browser(t, 1280)
	run(t, ctx, chromedp.Navigate(server.URL))
	await(t, ctx, `document.querySelectorAll("#examples button").length === 3 && !!document.querySelector(".merged .good")`)
	status := eval[string](t, ctx, `by("status").textContent`)
	verdicts := eval[[]string](t, ctx, `[...document.querySelectorAll("#examples button")].map(b => (b.click(), document.querySelector("#out section > p").textContent))`)
	if status != "loading…" || len(verdicts) != 3 || verdicts[0] != "a reduction" || verdicts[1] != "a reduction on parameters of steps" || !strings.HasPrefix(verdicts[2], "refused") {
		t.Errorf("before the matcher has come, the status is %q, and the examples say %q", status, verdicts)
	}
	eval[int](t, ctx, `fill({ text: "" }); 0`)
	typeText(t, ctx, "max(x0, y0)")
	if text := eval[string](t, ctx, `by("text").value + by("types").value`); text != "max(x0, y0)x0:i32,y0:i32" {
		t.Errorf("the editor has %q", text)
	}
	run(t, ctx, chromedp.KeyEvent(" "))
	close(come)
	await(t, ctx, settled)
	await(t, ctx, `!!document.querySelector("dl pre") && document.querySelector("dl pre").textContent === "max(x0, y0)"`)
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}
