package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// A file is sent compressed if the folder has it so and the request takes it, under its own name and type.
func TestServeCompressed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.wasm": "plain", "a.wasm.gz": "by gzip", "a.wasm.br": "by brotli", "b.js": "script", "b.js.gz": "script by gzip", "c.css": "style"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ path, accepts, body, coding, kind string }{
		{"/a.wasm", "gzip, deflate, br, zstd", "by brotli", "br", "application/wasm"},
		{"/a.wasm", "gzip", "by gzip", "gzip", "application/wasm"},
		{"/a.wasm", "br;q=0, gzip;q=0.5", "by gzip", "gzip", "application/wasm"},
		{"/a.wasm", "identity", "plain", "", "application/wasm"},
		{"/a.wasm", "", "plain", "", "application/wasm"},
		{"/a.wasm.gz", "gzip, br", "by gzip", "", "application/gzip"},
		{"/b.js", "br, gzip", "script by gzip", "gzip", "text/javascript; charset=utf-8"},
		{"/c.css", "br, gzip", "style", "", "text/css; charset=utf-8"},
		{"/../a.wasm", "br", "by brotli", "br", "application/wasm"},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r := httptest.NewRequest(method, "http://here"+c.path, nil)
			r.Header.Set("Accept-Encoding", c.accepts)
			w := httptest.NewRecorder()
			compressible(openRoot(t, dir)).ServeHTTP(w, r)
			body := c.body
			if method == http.MethodHead {
				body = ""
			}
			if w.Code != 200 || w.Body.String() != body || w.Header().Get("Content-Encoding") != c.coding || c.kind != "application/gzip" && w.Header().Get("Content-Type") != c.kind {
				t.Errorf("%s %s, accepting %q: %d, %q, %v", method, c.path, c.accepts, w.Code, w.Body, w.Header())
			}
		}
	}
}

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// Nothing outside of the folder is served by way of a symbolic link, compressed or not, and no link is listed.
func TestServeInside(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(outside, "secret.txt"), filepath.Join(outside, "b.js.gz"), filepath.Join(dir, "b.js")} {
		if err := os.WriteFile(name, []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"file.txt": filepath.Join(outside, "secret.txt"), "folder": outside, "b.js.gz": filepath.Join(outside, "b.js.gz"), "inner.js": "b.js"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for path, code := range map[string]int{"/file.txt": 404, "/folder/": 404, "/folder/secret.txt": 404, "/../" + filepath.Base(outside) + "/secret.txt": 404, "/b.js": 200, "/b.js.gz": 404, "/inner.js": 200, "/": 200} {
		r := httptest.NewRequest(http.MethodGet, "http://here"+path, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		compressible(openRoot(t, dir)).ServeHTTP(w, r)
		if w.Code != code || w.Header().Get("Content-Encoding") != "" || path == "/" && regexp.MustCompile("file|folder|inner|gz").MatchString(w.Body.String()) {
			t.Errorf("%s: %d, want %d: %s", path, w.Code, code, w.Body)
		}
	}
}
