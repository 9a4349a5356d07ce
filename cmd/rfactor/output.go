package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
)

// output buffers standard output in whole records, so that an interrupt cuts no line in
// two. After close nothing more is written.
type output struct {
	mu     sync.Mutex
	w      *bufio.Writer
	closed bool
	err    error
}

func newOutput(w io.Writer) *output { return &output{w: bufio.NewWriterSize(w, 64<<10)} }

// Write takes one record: it is written whole or not at all.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return 0, os.ErrClosed
	}
	n, err := o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

func (o *output) printf(format string, args ...any) { fmt.Fprintf(o, format, args...) }

// flush shows what was printed so far.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.w.Flush(); err != nil && o.err == nil {
		o.err = err
	}
}

func (o *output) close() error {
	o.flush()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return o.err
}
