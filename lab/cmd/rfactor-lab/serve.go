package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/cli"
)

var serveVerb = verb{
	name: "serve",
	run:  runServe,
	usage: `[flags] [DIR]

Examples:
  make playground && rfactor-lab serve

It serves the files of a folder, bin/playground if none is named, to this machine alone, and prints the
address. Of a file X that a browser takes compressed it sends X.br or X.gz where the folder has one. The page asks for nothing else: the matcher runs in the browser.
Exit code 0; 2 bad usage; 130 interrupted.`,
}

func runServe(c *command, args []string) int {
	fs := cli.NewFlags()
	addr := fs.String("addr", "127.0.0.1:8080", "`HOST:PORT` to listen at; port 0 takes a free one")
	rest, code, ok := c.parse(fs, args, 1)
	if !ok {
		return code
	}
	dir := "bin/playground"
	if len(rest) > 0 {
		dir = rest[0]
	}
	if _, err := os.Stat(filepath.Join(dir, "rfactor.wasm")); err != nil {
		return c.errorf("%v: make playground makes the page", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return c.errorf("%v", err)
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return c.errorf("%v", err)
	}
	server := &http.Server{Handler: compressible(root), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(c.ctx, func() { server.Close() })
	c.stdout.Printf("http://%s/\n", l.Addr())
	c.stdout.Flush()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return c.errorf("%v", err)
	}
	return exitInterrupted
}

// inside is the files of a folder. A symbolic link that leads out of it is no file, and none is listed.
type inside struct{ root *os.Root }

func (s inside) Open(name string) (http.File, error) {
	f, err := s.root.Open(filepath.FromSlash(cmp.Or(path.Clean("/" + name)[1:], ".")))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fs.ErrNotExist // what is outside is not there
	}
	return unlinked{f}, err
}

// unlinked is a file that, if it is a folder, lists no symbolic links.
type unlinked struct{ *os.File }

func (f unlinked) ReadDir(n int) ([]fs.DirEntry, error) {
	list, err := f.File.ReadDir(n)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 }), err
}

// compressible serves the files of a folder, as they are or compressed where the request accepts that. The path of a file that is
// compressed is its own, and its type too.
func compressible(root *os.Root) http.Handler {
	files := http.FileServer(inside{root})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := mime.TypeByExtension(path.Ext(r.URL.Path))
		for _, c := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
			name := path.Clean("/"+r.URL.Path) + c.suffix
			info, err := root.Stat(filepath.FromSlash(name[1:]))
			if err != nil || !info.Mode().IsRegular() || kind == "" {
				continue
			}
			w.Header().Set("Vary", "Accept-Encoding")
			if accepts(r.Header.Get("Accept-Encoding"), c.name) {
				w.Header().Set("Content-Encoding", c.name)
				w.Header().Set("Content-Type", kind)
				r = r.Clone(r.Context())
				r.URL.Path = name
				break
			}
		}
		files.ServeHTTP(w, r)
	})
}

// accepts reports whether a header Accept-Encoding names a coding, and not with the weight 0.
func accepts(header, coding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		_, q, weighted := strings.Cut(strings.ReplaceAll(weight, " ", ""), "q=")
		v, err := strconv.ParseFloat(q, 64)
		return !weighted || err == nil && v > 0
	}
	return false
}
