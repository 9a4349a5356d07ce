//go:build !js

package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe-core finds nothing to object to on the cards of the gallery, by day and in the dark.
func TestAccessibleCards(t *testing.T) {
	script, err := os.ReadFile(os.Getenv("PLAYGROUND_AXE"))
	if err != nil {
		t.Skip("PLAYGROUND_AXE names no file")
	}
	dir := built(t)
	ctx, _ := browser(t, 1280)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	run(t, ctx, chromedp.Navigate(server.URL+"/gallery.html"))
	await(t, ctx, `!!document.querySelector(".card")`)
	eval[bool](t, ctx, string(script)+";true")
	for _, scheme := range []string{"light", "dark"} {
		run(t, ctx, prefer(scheme))
		for _, v := range eval[[]string](t, ctx, objections) {
			t.Errorf("%s: %s", scheme, v)
		}
	}
}
