package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
)

// Output buffers standard output in whole records, so that an interrupt cuts no line in
// two. After Close nothing more is written.
type Output struct {
	mu     sync.Mutex
	to     io.Writer
	w      *bufio.Writer
	closed bool
	err    error
}

// NewOutput returns an output that writes to w.
func NewOutput(w io.Writer) *Output { return &Output{to: w, w: bufio.NewWriterSize(w, 64<<10)} }

// To returns where the output goes.
func (o *Output) To() io.Writer { return o.to }

// Write takes one record: it is written whole or not at all.
func (o *Output) Write(b []byte) (int, error) {
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

// Printf writes one record.
func (o *Output) Printf(format string, args ...any) { fmt.Fprintf(o, format, args...) }

// Flush shows what was printed so far.
func (o *Output) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.w.Flush(); err != nil && o.err == nil {
		o.err = err
	}
}

// Close flushes, and returns the first error of all writes.
func (o *Output) Close() error {
	o.Flush()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return o.err
}
