package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Bar is a bar of progress on a terminal; elsewhere it is silent.
type Bar struct {
	w         io.Writer // nil where there is no terminal
	done      int
	total     int
	begun     time.Time
	shown     time.Time
	lastWidth int
}

// NewBar returns a bar for work of total steps, on w.
func NewBar(w io.Writer, total int) *Bar {
	p := &Bar{total: total, begun: time.Now()}
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

// Step shows that one step more is done, and what is being worked on.
func (p *Bar) Step(what string) { p.At(p.done+1, p.total, what) }

// At shows that so many steps of total are done, and what is being worked on.
func (p *Bar) At(done, total int, what string) {
	p.done, p.total = done, total
	if p.w == nil || time.Since(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = time.Now()
	const width = 30
	full := p.done * width / max(p.total, 1)
	text := fmt.Sprintf("[%s%s] %d/%d %s %.30s", strings.Repeat("=", full), strings.Repeat(" ", width-full), p.done, p.total, p.pace(), what)
	fmt.Fprintf(p.w, "\r%-*s", p.lastWidth, text)
	p.lastWidth = len(text)
}

// pace is the rate so far and, at that rate, the time left.
func (p *Bar) pace() string {
	gone := time.Since(p.begun)
	if gone < time.Second {
		return ""
	}
	rate := float64(p.done) / gone.Seconds()
	left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
	return fmt.Sprintf("%.1f/s, %s left", rate, left.Round(time.Second))
}

// Clear takes the bar away, so that something else can be printed.
func (p *Bar) Clear() {
	if p.w != nil && p.lastWidth > 0 {
		fmt.Fprintf(p.w, "\r%*s\r", p.lastWidth, "")
		p.lastWidth = 0
	}
}
