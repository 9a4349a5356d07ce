//go:build !js

package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// lines are texts that come from other goroutines: of the browser's events, and of a server's requests.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, text)
}

// clear forgets the lines so far.
func (l *lines) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

// read returns the lines so far.
func (l *lines) read() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

// chromium is one browser for all tests: to start it takes longer than most of them.
var chromium struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

// TestMain ends the browser after the last test.
// Without it there is nothing to test, and nothing is built that it would show. An ordinary test does without it, too.
func TestMain(m *testing.M) {
	if _, err := exec.LookPath("chromium"); err != nil || os.Getenv("SAMPLES") != "more" {
		fmt.Println("SAMPLES=more tests pages, where chromium is on the path")
		return
	}
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// startChromium starts the browser. It lives as long as the context of its first action, which is that of no test.
func startChromium(path string) {
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, stopAllocator := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	chromium.ctx, chromium.stop = ctx, func() { stopBrowser(); stopAllocator() }
	_, chromium.err = chromedp.Run(ctx, chromedp.Title())
}

// browser opens a tab of headless Chromium at a width for one test, and collects what its console says.
func browser(t *testing.T, width int) (ctx context.Context, console *lines) {
	t.Helper()
	ctx, stop, console := openTab(t, width)
	t.Cleanup(stop)
	return ctx, console
}

func openTab(t *testing.T, width int) (ctx context.Context, stop func(), console *lines) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not on the path")
	}
	if chromium.once.Do(func() { startChromium(path) }); chromium.err != nil {
		t.Fatal(chromium.err)
	}
	ctx, stop = chromedp.NewContext(chromium.ctx)
	console = &lines{}
	err = chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *cdp.EventConsoleAPICalled:
			if kind := fmt.Sprint(e.Type); kind == "error" || kind == "warning" {
				text, _ := json.Marshal(e.Args)
				console.add(string(text))
			}
		case *cdp.EventExceptionThrown:
			text, _ := json.Marshal(e.ExceptionDetails)
			console.add(string(text))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(ctx, chromedp.EmulateViewport(int64(width), 900)); err != nil { // a tab, too, lives as long as this context
		t.Fatal(err)
	}
	return ctx, stop, console
}

// patience is how long a step in the browser may take, on a machine that is busy with other things too.
const patience = 2 * time.Minute

// run runs an action that must come to an end.
func run[T any](t *testing.T, ctx context.Context, a chromedp.Action[T]) T {
	t.Helper()
	limited, stop := context.WithTimeout(ctx, patience)
	defer stop()
	out, err := chromedp.Run(limited, a)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// eval evaluates a script, and waits for its promise. What comes is shown where it is no T.
func eval[T any](t *testing.T, ctx context.Context, script string) (out T) {
	t.Helper()
	text := run(t, ctx, chromedp.Evaluate[[]byte](script, chromedp.EvalAwaitPromise))
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v: %.300s gives %.300q", err, script, text)
	}
	return out
}

// await waits until a condition holds in the page.
func await(t *testing.T, ctx context.Context, condition string) {
	t.Helper()
	run(t, ctx, chromedp.Poll[chromedp.Void](condition, chromedp.WithPollingTimeout(patience)))
}

// playground is a page that tests use one after another: to load the matcher takes longer than most of them.
var playground struct {
	ctx     context.Context
	console *lines
}

// playgroundPage returns a page of the playground at its first screen, with its answer.
func playgroundPage(t *testing.T) (ctx context.Context, console *lines) {
	t.Helper()
	dir := built(t)
	p := &playground
	if p.ctx == nil {
		server := httptest.NewServer(http.FileServer(http.Dir(dir))) // which ends with the process, as the page does
		p.ctx, _, p.console = openTab(t, 1280)
		run(t, p.ctx, chromedp.Navigate(server.URL))
		await(t, p.ctx, settled)
	}
	p.console.clear()
	firstScreen(t, p.ctx, 1280, "light")
	return p.ctx, p.console
}

// firstScreen brings a page of the playground to what somebody sees who opens it.
func firstScreen(t *testing.T, ctx context.Context, width int64, scheme string) {
	t.Helper()
	run(t, ctx, chromedp.EmulateViewport(width, 900))
	run(t, ctx, prefer(scheme))
	eval[int](t, ctx, `(() => {
		if (running) stop();
		chosenTab = "merge";
		history.replaceState(null, "", location.pathname);
		document.activeElement.blur();
		fill(kept[0]);
		ask(request());
		return 0;
	})()`)
	await(t, ctx, settled)
}

// picture writes what the page looks like into the folder that PLAYGROUND_PICTURES names, if there is one.
func picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if dir := os.Getenv("PLAYGROUND_PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name), run(t, ctx, chromedp.FullScreenshot(100)), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// prefer makes the browser prefer a color scheme.
func prefer(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdproto.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}
