package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// progress is a bar on a terminal; elsewhere it is silent.
type progress struct {
	w         io.Writer // nil where there is no terminal
	n, total  int
	begun     time.Time
	shown     time.Time
	lastWidth int
}

func newProgress(w io.Writer, total int) *progress {
	p := &progress{total: total, begun: time.Now()}
	if isTerminal(w) {
		p.w = w
	}
	return p
}

// isTerminal reports whether w is a character device other than the null device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || f.Name() == os.DevNull {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// step shows how far the work is, and what is being worked on.
func (p *progress) step(what string) {
	p.n++
	if p.w == nil || time.Since(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = time.Now()
	const width = 30
	full := p.n * width / max(p.total, 1)
	text := fmt.Sprintf("[%s%s] %d/%d %s %.30s", strings.Repeat("=", full), strings.Repeat(" ", width-full), p.n, p.total, p.pace(), what)
	fmt.Fprintf(p.w, "\r%-*s", p.lastWidth, text)
	p.lastWidth = len(text)
}

// pace is the rate so far and, at that rate, the time left.
func (p *progress) pace() string {
	gone := time.Since(p.begun)
	if gone < time.Second {
		return ""
	}
	rate := float64(p.n) / gone.Seconds()
	left := time.Duration(float64(p.total-p.n) / rate * float64(time.Second))
	return fmt.Sprintf("%.1f/s, %s left", rate, left.Round(time.Second))
}

// clear takes the bar away, so that something else can be printed.
func (p *progress) clear() {
	if p.w != nil && p.lastWidth > 0 {
		fmt.Fprintf(p.w, "\r%*s\r", p.lastWidth, "")
		p.lastWidth = 0
	}
}
