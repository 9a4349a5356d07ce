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

	"github.com/rfactor-go/rfactor/internal/save"
)

// Peer is a process that answers a line with a measurement.
type Peer struct {
	Ways []string // that it has, of some works
	in   io.WriteCloser
	out  *bufio.Scanner
	wait func() error
}

// Start starts a peer, with variables of the environment beside those that there are. The caller stops it.
func Start(ctx context.Context, env, ways []string, name string, args ...string) (*Peer, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
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

// Answer sends a line of words, and reads the line that comes back.
func (p *Peer) Answer(words ...any) (string, error) {
	if _, err := fmt.Fprintln(p.in, words...); err != nil {
		return "", err
	}
	if !p.out.Scan() {
		return "", fmt.Errorf("it ended: %v", p.out.Err())
	}
	return p.out.Text(), nil
}

// Ask returns the nanoseconds that are the answer to a line of words, 0 where the peer has no such work.
func (p *Peer) Ask(words ...any) (float64, error) {
	text, err := p.Answer(words...)
	if err != nil || text == "none" {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}

// Compiled builds a program in C++ from its text, in a folder, and starts it. Where this machine cannot, it says so and there is none.
func Compiled(ctx context.Context, stderr io.Writer, dir string, text []byte, ways ...string) *Peer {
	source, exe := filepath.Join(dir, "peer.cpp"), filepath.Join(dir, "peer")
	err := save.Text(source, text)
	var out []byte
	if err == nil {
		out, err = exec.CommandContext(ctx, "c++", "-O3", "-march=native", "-std=c++17", "-fopenmp-simd", "-o", exe, source).CombinedOutput()
	}
	if err == nil {
		var p *Peer
		if p, err = Start(ctx, nil, ways, exe); err == nil {
			return p
		}
	}
	fmt.Fprintf(stderr, "%s are left out: %v\n%s", strings.Join(ways, " and "), err, out)
	return nil
}
