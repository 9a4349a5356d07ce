package emit

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Of every buffer with dimensions, and of every stage that is not left out as memory of zeros, there is a line of Go. Every
// file has a place for each line, and no line of another stage stands among those of a stage.
func TestTraced(t *testing.T) {
	files, err := filepath.Glob("../../testdata/programs/*.rf")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d programs: %v", len(files), err)
	}
	traced := 0
	for _, file := range files {
		p, err := lowertest.PlanOfFile(file)
		if err != nil {
			continue
		}
		text, places, err := Traced(p, "p")
		if err != nil {
			continue
		}
		traced++
		found := map[plan.Place]bool{}
		for name, b := range text {
			if n := strings.Count(string(b), "\n"); n != len(places[name]) {
				t.Errorf("%s: %s has %d lines and %d places", file, name, n, len(places[name]))
			}
			for _, at := range places[name] {
				found[plan.Place{Stage: at.Stage}] = true
				found[at] = true
			}
		}
		for _, s := range p.Stages {
			if s.Role != plan.First && !found[plan.Place{Stage: s}] {
				t.Errorf("%s: no line is of %s of %s", file, s.Role, s.Buffer.Name)
			}
		}
		for _, b := range p.Buffers {
			if len(b.Dims) > 0 && !found[plan.Place{Buffer: b}] {
				t.Errorf("%s: no line is of the buffer %s", file, b.Name)
			}
		}
	}
	if traced < 20 {
		t.Errorf("%d programs are traced", traced)
	}
}

// What a kernel does is of its stage, and its loop is that of the stage.
func TestTracedKernel(t *testing.T) {
	p, err := lowertest.PlanOfFile("../../testdata/programs/sum.rf")
	if err != nil {
		t.Fatal(err)
	}
	text, places, err := Traced(p, "p")
	if err != nil {
		t.Fatal(err)
	}
	loops, bodies := 0, 0
	for i, line := range strings.Split(string(text["kernel.go"]), "\n") {
		switch at := places["kernel.go"][min(i, len(places["kernel.go"])-1)]; {
		case strings.HasPrefix(line, "\tfor ") && strings.Contains(line, "y := range"):
			if at.Stage == nil || !at.Loop.IsValid() {
				t.Errorf("%q is of no loop", line)
			}
			loops++
		case strings.HasPrefix(line, "\t\tx0 +="):
			if at.Stage == nil || !at.Body {
				t.Errorf("%q is of no body", line)
			}
			bodies++
		}
	}
	if loops == 0 || bodies == 0 {
		t.Errorf("%d loops and %d bodies in\n%s", loops, bodies, text["kernel.go"])
	}
}
