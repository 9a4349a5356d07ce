package turns

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Peer is a process that answers a line with a measurement.
type Peer struct {
	Ways []string // that it has, of some works
	in   io.WriteCloser
	out  *bufio.Scanner
	wait func() error
}

// Start starts a peer. The caller stops it.
func Start(ctx context.Context, ways []string, name string, args ...string) (*Peer, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Peer{Ways: ways, in: in, out: bufio.NewScanner(out), wait: cmd.Wait}, cmd.Start()
}

// Stop ends the process, which reads to the end of its input.
func (p *Peer) Stop() {
	p.in.Close()
	_ = p.wait()
}

// Ask returns the nanoseconds that are the answer to a line of words, 0 where the peer has no such work.
func (p *Peer) Ask(words ...any) (float64, error) {
	if _, err := fmt.Fprintln(p.in, words...); err != nil {
		return 0, err
	}
	if !p.out.Scan() {
		return 0, fmt.Errorf("it ended: %v", p.out.Err())
	}
	if p.out.Text() == "none" {
		return 0, nil
	}
	return strconv.ParseFloat(p.out.Text(), 64)
}

// Compiled builds a program in C++ from its text, in a folder, and starts it. Where this machine cannot, it says so and there is none.
func Compiled(ctx context.Context, stderr io.Writer, dir string, text []byte, ways ...string) *Peer {
	source, exe := filepath.Join(dir, "peer.cpp"), filepath.Join(dir, "peer")
	err := os.WriteFile(source, text, 0o644)
	var out []byte
	if err == nil {
		out, err = exec.CommandContext(ctx, "c++", "-O3", "-march=native", "-std=c++17", "-fopenmp-simd", "-o", exe, source).CombinedOutput()
	}
	if err == nil {
		var p *Peer
		if p, err = Start(ctx, ways, exe); err == nil {
			return p
		}
	}
	fmt.Fprintf(stderr, "%s are left out: %v\n%s", strings.Join(ways, " and "), err, out)
	return nil
}
