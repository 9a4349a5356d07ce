// Package scans reads the corpus of scans of real programs, writes its lines as programs, and draws inputs for them,
// for tests.
package scans

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
)

// Line is a line of testdata/corpus/scans.tsv that has a state.
type Line struct {
	Name, Source string
	Types        string // as program.ParseUpdate takes them
	Update       string
	Kept         string // what a step stores, for readers
	Ends         string // where the loop ends early, for readers
	Expected     string
	Today        string // the answer, with all assumptions allowed: its status and how it was found
}

// Read reads the corpus. Lines without a state, which are searches, are left out.
func Read(r io.Reader) (lines []Line, err error) {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		text := sc.Text()
		if text == "" || text[0] == '#' {
			continue
		}
		cols := strings.Split(text, "\t")
		if len(cols) != 8 {
			return nil, fmt.Errorf("%d columns, and there are 8: %s", len(cols), text)
		}
		if cols[3] != "-" {
			lines = append(lines, Line{cols[0], cols[1], cols[2], cols[3], cols[4], cols[5], cols[6], cols[7]})
		}
	}
	return lines, sc.Err()
}

// variable is a variable of an update; a word may only end with what looks like one.
var variable = regexp.MustCompile(`\b([xyk])([0-9]+)\b`)

// Plain reports whether the line has a form that is written as a program: its variables are x0, y0, k0, r and the like, it
// reads an input, and gives its components no names.
func (l Line) Plain() bool {
	for d := range strings.SplitSeq(l.Types, ",") {
		if name, _, _ := strings.Cut(strings.TrimSpace(d), ":"); name != "r" && !variable.MatchString(name) {
			return false
		}
	}
	return len(l.declared('y')) > 0 && !strings.Contains(l.Update, ":=") && !strings.Contains(l.Update, "r.")
}

// declared is the variables of a line by their letters, with their types.
func (l Line) declared(letter byte) (types []string) {
	for d := range strings.SplitSeq(l.Types, ",") {
		if name, t, _ := strings.Cut(strings.TrimSpace(d), ":"); name[0] == letter && name != "r" {
			types = append(types, t)
		}
	}
	return types
}

// program declares inputs and parameters, and writes the update with what stands for x_i.
func (l Line) program(state func(i int) string, offset string) (head string, values []string) {
	var b strings.Builder
	for i, t := range l.declared('y') {
		fmt.Fprintf(&b, "ImageParam a%d(%s, 1);\n", i, typeName(t))
	}
	for i, t := range l.declared('k') {
		fmt.Fprintf(&b, "Param<%s> p%d;\n", t, i)
	}
	for v := range strings.SplitSeq(l.Update, ";") {
		values = append(values, variable.ReplaceAllStringFunc(strings.TrimSpace(v), func(name string) string {
			switch name[0] {
			case 'x':
				var i int
				fmt.Sscanf(name[1:], "%d", &i)
				return state(i)
			case 'y':
				return "a" + name[1:] + "(r" + offset + ")"
			}
			return "p" + name[1:]
		}))
	}
	return b.String(), values
}

func typeName(t string) string {
	switch t[0] {
	case 'b':
		return "Bool()"
	case 'f':
		return "Float(" + t[1:] + ")"
	case 'u':
		return "UInt(" + t[1:] + ")"
	}
	return "Int(" + t[1:] + ")"
}

// start is the initial values, all 1 in their types.
func (l Line) start() []string {
	var out []string
	for _, t := range l.declared('x') {
		out = append(out, "cast<"+t+">(1)")
	}
	return out
}

// Recurrence is a program that keeps each component of the state after the step, and component 0 before it as well.
func (l Line) Recurrence() string {
	types := l.declared('x')
	head, values := l.program(func(i int) string { return fmt.Sprintf("f(r - 1)[%d]", i) }, " - 1")
	start := append(l.start(), "cast<"+types[0]+">(0)")
	return head + "Func f; Var x; RDom r(1, a0.width());\n" +
		"f(x) = {" + strings.Join(start, ", ") + "};\n" +
		"f(r) = {" + strings.Join(append(values, "f(r - 1)[0]"), ", ") + "};\n"
}

// Reduction is a program that keeps the last state.
func (l Line) Reduction() string {
	one := len(l.declared('x')) == 1
	head, values := l.program(func(i int) string {
		if one {
			return "f()"
		}
		return fmt.Sprintf("f()[%d]", i)
	}, "")
	return head + "Func f; RDom r(0, a0.width());\n" +
		"f() = {" + strings.Join(l.start(), ", ") + "};\n" +
		"f() = {" + strings.Join(values, ", ") + "};\n"
}

// Draw draws inputs of n elements, and parameters: any values where the program's answers are exact, small ones otherwise,
// which overflow nowhere.
func Draw(rng *rand.Rand, prog *program.Program, n int, exact bool) (arrays map[string]*ndarray.Array, params map[string]uint64) {
	value := func(t ir.Type) uint64 {
		switch {
		case t == ir.Bool:
			return uint64(rng.IntN(2))
		case t.IsFloat():
			return ir.FloatBits(t, float64(rng.IntN(9)-4)/8)
		case exact && rng.IntN(3) == 0:
			return t.Wrap(rng.Uint64())
		case t == ir.U8:
			return uint64([]int{10, 34, 92, 65, 127, 128, 255}[rng.IntN(7)])
		case t.IsSigned():
			return uint64(int64(rng.IntN(9) - 4))
		}
		return uint64(rng.IntN(9))
	}
	arrays, params = map[string]*ndarray.Array{}, map[string]uint64{}
	for _, d := range prog.Inputs {
		dims := slices.Repeat(ndarray.Box{{Extent: n}}, d.Dims)
		a := ndarray.New(d.Types, dims...)
		for c, t := range d.Types {
			to := a.Elements(c)
			for i := range to.Len() {
				to.Set(i, value(t))
			}
		}
		arrays[d.Name] = a
	}
	for _, k := range prog.Params {
		params[k.Name] = value(k.Var.Type())
	}
	return arrays, params
}
