package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

var serveVerb = verb{
	name:  "serve",
	about: "opens the playground on this machine",
	run:   runServe,
	usage: `[flags] [DIR]

Examples:
  make playground && rfactor serve

It serves the files of a folder, bin/playground if none is named, to this machine alone, and prints the
address. The page asks for nothing else: the matcher runs in the browser.
Exit code 0; 2 bad usage; 130 interrupted.`,
}

func runServe(c *command, args []string) int {
	fs := newFlags()
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
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return c.errorf("%v", err)
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(dir)), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(c.ctx, func() { server.Close() })
	c.stdout.printf("http://%s/\n", l.Addr())
	c.stdout.flush()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return c.errorf("%v", err)
	}
	return exitInterrupted
}
