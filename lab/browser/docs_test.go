//go:build !js

package browser

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// overflowing lists what of a page lies beyond its window: elements that stand out on the right, unless a part of the
// page scrolls them, and the page itself. It also lists pictures that are not shown.
const overflowing = `(() => {
  const width = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > width) found.push("the page is " + document.documentElement.scrollWidth + " wide");
  const scrolled = e => { for (; e && e !== document.body; e = e.parentElement) if (/auto|scroll/.test(getComputedStyle(e).overflowX)) return true; return false };
  for (const e of document.body.querySelectorAll("*")) {
    const r = e.getBoundingClientRect();
    if ((r.right > width + 1 || r.left < -1) && !scrolled(e)) found.push(e.tagName + ": " + e.textContent.slice(0, 60));
    if (getComputedStyle(e).overflowX === "hidden" && e.scrollWidth > e.clientWidth) found.push("clipped " + e.tagName);
  }
  for (const i of document.images) if (!i.complete || i.naturalWidth === 0) found.push("no picture: " + i.src);
  return found;
})()`

// scrolled lists the blocks whose lines are cut off until somebody scrolls.
const scrolled = `[...document.querySelectorAll("pre")].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 60))`

// contrast is the least contrast of text with the background of the page, by the formula of WCAG 2.
const contrast = `(() => {
  const luminance = c => {
    const [r, g, b] = c.match(/[\d.]+/g).slice(0, 3).map(v => { v /= 255; return v <= .04045 ? v/12.92 : ((v + .055)/1.055)**2.4 });
    return .2126*r + .7152*g + .0722*b;
  };
  const back = luminance(getComputedStyle(document.body).backgroundColor);
  let least = 21;
  for (const e of document.querySelectorAll("p, a, th, td, code, h1, h2")) {
    const text = luminance(getComputedStyle(e).color);
    least = Math.min(least, (Math.max(text, back) + .05)/(Math.min(text, back) + .05));
  }
  return least;
})()`

// Every page of the documentation fits into windows of 1280 and 400 pixels, and can be read on a light and on a dark screen.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("it shows every page in Chromium")
	}
	ctx, _ := browser(t, 1280)
	dir := t.TempDir()
	site := exec.Command("go", "run", "./cmd/docs", "-out", dir)
	site.Dir = "../.."
	if out, err := site.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	var pages []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".html") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil || len(pages) < 10 {
		t.Fatalf("the site has the pages %q: %v", pages, err)
	}
	for _, screen := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {400, "dark"}} {
		run(t, ctx, chromedp.EmulateViewport(screen.width, 900))
		run(t, ctx, prefer(screen.scheme))
		for _, page := range pages {
			run(t, ctx, chromedp.Navigate(server.URL+"/"+page))
			seen := eval[struct {
				Shown             bool
				Overflowing, Wide []string
				Contrast          float64
			}](t, ctx, fmt.Sprintf(`({ Shown: innerWidth === %d && matchMedia("(prefers-color-scheme: %s)").matches, Overflowing: %s, Wide: %s, Contrast: %s })`,
				screen.width, screen.scheme, overflowing, scrolled, contrast))
			if !seen.Shown {
				t.Fatal("the browser does not show the screen that was asked for")
			}
			for _, what := range seen.Overflowing {
				t.Errorf("%s at %d pixels: %s", page, screen.width, what)
			}
			if screen.width == 1280 && len(seen.Wide) > 0 {
				t.Errorf("%s: blocks are scrolled at 1280 pixels: %q", page, seen.Wide)
			}
			if seen.Contrast < 4.5 {
				t.Errorf("%s, %s: the contrast is %.1f, less than 4.5", page, screen.scheme, seen.Contrast)
			}
		}
	}
}
