// Package programs draws whole programs over the whole language and judges what becomes of them: each back end
// must compute what the loop of the program says, or refuse. It has tests alone; make check-programs runs many.
package programs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// whole is a whole program as data, of which text makes the source. What it has not is empty.
type whole struct {
	seed, number uint64
	source       string // that of a program which is not drawn
	elements     int    // in each dimension of its inputs

	kind   string // what its definition is: one of kinds
	types  string // declarations of an abstract update
	values []string
	init   []string

	pure, red int            // dimensions of the function, and of the domain
	size      [2][]int       // extents of the former and of the latter
	least     []int          // where the domain begins
	bound     string         // an input of which the last dimension of the domain has its extent; empty: a literal
	index     map[string]int // how each input is read: a row of reads
	names     []string       // of inputs and parameters, in their order; empty: those of the update
	form      int            // of a scan
	left      int            // a row of lefts, of a keyed function
	keys      int            // how many elements a keyed function has

	where, until string
	tail         string // definitions of other functions, which read f

	schedule []string // directives, one each
	declared []string // variables that they name

	mode    string // plain, auto, strict
	assume  string
	given   string
	grain   int
	extents bool // are given
}

// The forms of scans.
const (
	inclusive = iota
	exclusive
	backward
	twoBack
)

// kinds of definitions, with how often each is drawn.
var kinds = []string{"reduce", "reduce", "reduce", "columns", "columns", "columns", "keyed", "scan", "scan", "kept"}

// one draws one of several.
func one[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// draw draws the whole program of a number.
func draw(seed, number uint64) *whole {
	rng := rand.New(rand.NewPCG(seed, number))
	for {
		w := &whole{seed: seed, number: number, kind: one(rng, kinds...), index: map[string]int{}}
		w.drawUpdate(rng)
		w.drawShape(rng)
		w.drawMode(rng)
		if _, err := program.ParseProgram(ir.NewPool(), "drawn.rf", w.text(), ir.Invalid); err == nil {
			return w
		}
	}
}

// templates are steps over x0, x1, … of one type, the inputs a and b of that type, the condition c, the coordinate or count r of i32,
// and the literals 1, 2, … of the type.
var templates = []struct{ on, text string }{
	{"n", "x0 + a"}, {"n", "x0 - a"}, {"n", "x0*a"}, {"n", "min(x0, a)"}, {"n", "max(a, x0)"}, {"n", "x0 + a*b"}, {"n", "x0*a + b"}, {"n", "a"}, {"n", "x0"},
	{"n", "select(x0 < a, a, x0)"}, {"n", "select(x0 < a, a, b)"}, {"n", "select(x0 >= a, a, 5)"}, {"n", "select(a > x0, a, x0 - 1)"}, {"n", "select(x0 < a, a, select(x0 < 50, x0, 5))"},
	{"n", "select(x0 <= a, x0, a)"}, {"n", "select(x0 < a, a + 1, x0)"}, {"n", "select(a < x0, x0*2, a)"},
	{"n", "select(c, x0 + a, x0)"}, {"n", "select(c, x0, a)"}, {"n", "select(c, 0, x0 + a)"}, {"n", "x0 + select(c, a, b)"}, {"n", "select(a < b, x0 + 1, x0)"}, {"n", "select(a == 2, x0 + 1, x0)"},
	{"n", "max(x0 + a, 0)"}, {"n", "max(min(x0 + a, 7), 2)"}, {"n", "max(min(x0, 3), a)"}, {"n", "abs(x0 - a)"}, {"n", "x0 + abs(a - b)"}, {"n", "x0/2 + a"}, {"n", "a - x0"}, {"n", "x0 + a + x0*a"},
	{"n", "select(x0 < 9, x0 + 1, x0)"}, {"n", "select(x0 >= 3, 0, x0 + 1)"}, {"n", "x0 + T(r)"}, {"n", "max(x0, T(r)*a)"}, {"n", "x0 + T(p)"}, {"n", "x0 - T(p) + T(r)"}, {"n", "x0*2 + a"}, {"n", "x0 + a/3"},
	{"i", "x0 ^ a"}, {"i", "x0 & a"}, {"i", "x0 | (a << 1)"}, {"i", "(x0 ^ T(p)) ^ a"}, {"i", "gcd(x0, a)"}, {"i", "saturating_add(x0, a)"}, {"i", "(x0 + a) % 7"}, {"i", "(x0*31 + a) % 1009"}, {"i", "x0 ^ (x0 << 3) ^ a"},
	{"i", "(x0 >> 1) ^ select(x0 % 2 == 1, 140, 0) ^ a"}, {"i", "(x0 & 15) + a"}, {"i", "rotl(x0, 5) ^ a"}, {"i", "select(a % 2 == 0, x0 + 1, x0)"}, {"i", "x0 + popcount(a)"}, {"i", "select(x0 == 3, 0, x0 + 1)"},
	{"i", "x0 + (a & 3)*(b >> 1)"}, {"i", "select(x0 < a, saturating_add(x0, 1), saturating_sub(x0, 1))"}, {"i", "x0*3 - a"}, {"i", "~(~x0 - a)"},
	{"f", "x0*0.5 + a"}, {"f", "x0 + sqrt(abs(a))"}, {"f", "x0 + a*0.3"}, {"f", "x0 + a/b"}, {"f", "x0 + (a - x0)/(T(r) + 1.0)"}, {"f", "select(is_nan(a), x0, x0 + a)"}, {"f", "x0 + select(is_nan(a), 1.0, 0.0)"},
	{"f", "select(is_nan(x0), a, x0)"}, {"f", "x0 + (a - (a - b))"}, {"f", "select(a > x0 || is_nan(a), a, x0)"}, {"f", "x0 + exp(a)"}, {"f", "max(x0, sin(a))"}, {"f", "x0*(a/b)"}, {"f", "select(a - a == 0.0, x0 + a, x0)"},
	{"b", "x0 || c"}, {"b", "x0 && !c"}, {"b", "x0 ^ c"}, {"b", "select(c, !x0, x0)"}, {"b", "c"}, {"b", "select(c, d, x0)"}, {"b", "x0 && (c || d)"},
	{"n2", "min(x0, a); select(a < x0, T(r), x1)"}, {"n2", "select(x0 < a, a, x0); select(x0 < a, b, x1)"}, {"n2", "max(x0, a); select(x0 >= a, x1, b)"}, {"n2", "select(a >= x0, a, x0); select(a >= x0, b, x1)"},
	{"n2", "max(x0 + a, 0); max(x1, max(x0 + a, 0))"}, {"n2", "x0 + a; x1 + x0"}, {"n2", "x0 + a; max(x1, x0 + a)"}, {"n2", "x0*a - x1*b; x0*b + x1*a"}, {"n2", "a; x1 + select(x0 < a, 1, 0)"}, {"n2", "max(x0, a); max(x1, min(x0, a))"},
	{"n2", "x0 + a; x1 + a*a"}, {"n2", "select(c, x0 + 1, 0); max(x1, select(c, x0 + 1, 0))"}, {"n2", "x0*2 - x1 + a; x0"}, {"n2", "max(x0, a); x1 + select(a > x0, 1, 0)"}, {"n2", "x1 + a; x0 - b"}, {"n2", "x1; x0"},
	{"n2", "select(c, a, x0); x1 + select(c, x0, 0)"}, {"n2", "x0; x1 + x0*a"}, {"n2", "a; x0"}, {"n2", "select(x0 < a, a, b); x1 + 1"}, {"n2", "min(x0 + a, x1); max(x0, x1 - b)"},
	{"i2", "(x0 ^ (x0 >> 1)) ^ a; (x1 ^ (x1 << 1)) ^ b"}, {"i2", "x0 + a; x1 ^ (x0 + a)"}, {"i2", "(x0 + a) % 5; select((x0 + a) % 5 == 0, x1 + 1, x1)"},
	{"n3", "select(a < x0, a, x0); select(a < x0, b, x1); x2 + a"}, {"n3", "x0 + a; x1 + b; x2 + a*b"}, {"n3", "select(c, x0 + 1, 0); max(x1, select(c, x0 + 1, 0)); x2 + a"}, {"n3", "a; x0; x2 + select(x0 > x1 && x0 > a, 1, 0)"},
	{"n3", "max(x0, a); max(x1, min(x0, a)); max(x2, min(x1, min(x0, a)))"},
	{"nb", "select(xb, x0 + a, x0); xb || c"}, {"nb", "x0 + select(xb, 0, a); xb || a > b"}, {"nb", "select(xb && c, x0 + 1, x0); c"}, {"nb", "a; xb && x0 <= a"}, {"nb", "x0 + a; xb && x0 + a >= 0"}, {"nb", "select(!xb, a, max(x0, a)); true"},
	{"ni", "max(x0, a); select(a > x0, r, xi)"}, {"ni", "x0 + a; xi + select(a > b, 1, 0)"}, {"ni", "select(a < x0 || xi < 0, a, x0); select(a < x0 || xi < 0, r, xi)"}, {"ni", "x0 + (a - x0)/T(xi + 1); xi + 1"},
}

// elementTypes are drawn for components, common ones more often.
var elementTypes = []ir.Type{ir.I32, ir.I32, ir.I32, ir.F32, ir.F32, ir.F32, ir.U8, ir.F64, ir.I64, ir.I8, ir.U16, ir.I16, ir.U32, ir.U64}

// drawUpdate draws the step: of a template, over the whole language, or of a corpus, and sometimes changed in one place or more.
func (w *whole) drawUpdate(rng *rand.Rand) {
	for {
		types, text := w.template(rng)
		switch rng.IntN(8) {
		case 0, 1:
			types, text = drawn.Line(rng)
		case 2:
			if of := corpus(); len(of) > 0 {
				line := one(rng, of...)
				types, text = line[0], line[1]
			}
		}
		u, err := program.ParseUpdate(ir.NewPool(), types, text)
		if err != nil || len(u.Types) > 6 || slices.ContainsFunc(u.Values, func(e ir.Expr) bool { return e.Size() > 120 }) {
			continue
		}
		if rng.IntN(4) == 0 {
			u = drawn.Mutated(rng, u)
		}
		w.types, w.values, w.init = types, nil, nil
		for _, e := range u.Values {
			w.values = append(w.values, e.String())
		}
		for _, t := range u.Types {
			w.init = append(w.init, initial(rng, t))
		}
		return
	}
}

// template draws a step of templates.
func (w *whole) template(rng *rand.Rand) (types, text string) {
	t := one(rng, elementTypes...)
	row := templates[rng.IntN(len(templates))]
	for strings.HasPrefix(row.on, "i") && t.IsFloat() || row.on == "f" && !t.IsFloat() {
		t = one(rng, elementTypes...)
	}
	if row.on == "b" {
		t = ir.Bool
	}
	text = row.text
	n := strings.Count(text, ";") + 1
	last := fmt.Sprint("x", n-1)
	text = strings.NewReplacer("xb", last, "xi", last, "T(", t.String()+"(").Replace(text)
	var decls []string
	for i := range n {
		of := t
		if i == n-1 && row.on == "nb" {
			of = ir.Bool
		} else if i == n-1 && row.on == "ni" {
			of = ir.I32
		}
		decls = append(decls, fmt.Sprintf("x%d:%s", i, of))
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		of := t
		if name >= "c" {
			of = ir.Bool
		}
		if leaf[name].MatchString(text) {
			as, typ := "y"+name, of
			if of.IsInt() && name == "b" && rng.IntN(6) == 0 { // an input of another type
				typ = one(rng, elementTypes...)
			}
			decls = append(decls, as+":"+typ.String())
			with := as
			if typ != of {
				with = of.String() + "(" + as + ")"
			}
			if name == "a" && rng.IntN(4) == 0 {
				with = one(rng, "("+as+" + "+t.String()+"(p))", "("+as+" + "+t.String()+"(p))", t.String()+"(p)", t.String()+"(r)", "("+as+" + "+t.String()+"(r))", "("+as+" + 1)", "("+as+"*"+as+")", "max("+as+", 2)", "abs("+as+")", "(0 - "+as+")")
				if of == ir.Bool {
					with = as
				}
			}
			text = leaf[name].ReplaceAllString(text, with)
		}
	}
	if leaf["p"].MatchString(text) {
		decls = append(decls, "p:i32")
	}
	slices.Sort(decls[n:])
	return strings.Join(decls, ","), text
}

// leaf finds the names of templates.
var leaf = map[string]*regexp.Regexp{"a": regexp.MustCompile(`\ba\b`), "b": regexp.MustCompile(`\bb\b`), "c": regexp.MustCompile(`\bc\b`), "d": regexp.MustCompile(`\bd\b`), "p": regexp.MustCompile(`\bp\b`)}

// initial draws an initial value of a type: often one that an operator leaves as it is.
func initial(rng *rand.Rand, t ir.Type) string {
	switch {
	case t == ir.Bool:
		return one(rng, "false", "true")
	case t.IsFloat():
		return t.String() + "(" + one(rng, "0.0", "0.0", "1.0", "-0.0", "3.0", "tmin", "tmax", "-2.5") + ")"
	case t.IsSigned():
		return t.String() + "(" + one(rng, "0", "0", "0", "1", "-1", "7", "tmin", "tmax") + ")"
	}
	return t.String() + "(" + one(rng, "0", "0", "0", "1", "5", "tmax") + ")"
}

var corpusLines [][2]string

// corpus lists types and expressions of the corpora.
func corpus() [][2]string {
	if corpusLines == nil {
		for _, name := range []string{"updates", "unseen", "unseen_lift", "unseen_chains", "real", "bits", "counters"} {
			text, err := os.ReadFile("../../../testdata/corpus/" + name + ".tsv")
			if err != nil {
				continue
			}
			for line := range strings.Lines(string(text)) {
				if cells := strings.Split(line, "\t"); line[0] != '#' && len(cells) > 3 {
					corpusLines = append(corpusLines, [2]string{cells[2], cells[3]})
				}
			}
		}
	}
	return corpusLines
}

// declaration is a variable of the abstract update.
type declaration struct {
	name string
	t    ir.Type
}

// declarations lists the variables of the update, in their order.
func (w *whole) declarations() (out []declaration) {
	for d := range strings.SplitSeq(w.types, ",") {
		name, word, _ := strings.Cut(strings.TrimSpace(d), ":")
		t := ir.ParseType(word)
		if word == "u31" {
			t = ir.I32
		}
		out = append(out, declaration{name, t})
	}
	return out
}

// inputs lists the variables that are read at each step.
func (w *whole) inputs() (out []declaration) {
	for _, d := range w.declarations() {
		if d.name[0] != 'x' && d.name[0] != 'k' && d.name[0] != 'r' && d.name != "p" {
			out = append(out, d)
		}
	}
	return out
}

// taken are names that emitted code and schedules have other uses for.
var taken = strings.Fields(`ok ends prefix xi xo lo hi n i j v w b t p s u rx y1a s0a x00 f0 f1 x9 f_intm fIntm fPortable fKernel fVectors fInto fIn fFlat F TestF serialF intm0 got0 want0 most0 extent0 lent0
	all0 lanes0 placea at0 len min max any int error string nil true new err func range var type go defer select_ math bits fmt runtime sync atomic unsafe testing simd archsimd rand
	parallel at size out m1 fits check random kind share body workers crew inBlock elements first rest results sum hits words ahead start end stride width once step slice alias test index`)

// shown is the name that an input or a parameter of the update has in the program.
func (w *whole) shown(name string) string {
	at := slices.IndexFunc(w.declarations(), func(d declaration) bool { return d.name == name })
	if at < 0 || at >= len(w.names) {
		return name
	}
	return w.names[at]
}

// drawnName is the name in the update of an input or a parameter of the program.
func (w *whole) drawnName(shown string) string {
	for _, d := range w.declarations() {
		if w.shown(d.name) == shown {
			return d.name
		}
	}
	return shown
}

// drawShape draws the dimensions, how inputs are read, and what is beside the step.
func (w *whole) drawShape(rng *rand.Rand) {
	w.red = one(rng, 1, 1, 1, 1, 2, 2, 3)
	switch w.kind {
	case "columns":
		w.pure = one(rng, 1, 1, 2, 2, 3)
		w.red = min(w.red, 2)
	case "scan":
		w.pure, w.red = one(rng, 0, 0, 0, 1), 1
	case "kept":
		w.values = w.values[:1]
	case "keyed":
		w.left, w.keys = rng.IntN(len(lefts)), one(rng, 1, 2, 3, 4, 7, 64)
	}
	if rng.IntN(6) == 0 {
		w.names = slices.Clone(taken)
		rng.Shuffle(len(taken), func(i, j int) { w.names[i], w.names[j] = w.names[j], w.names[i] })
	}
	w.drawSizes(rng)
	for i, d := range w.inputs() {
		w.index[d.name] = one(rng, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7)
		if i == 0 && rng.IntN(2) == 0 {
			w.index[d.name] = 0
		}
		if w.index[d.name] == 0 && w.bound == "" && rng.IntN(2) == 0 && w.red > 0 {
			w.bound = d.name
		}
	}
	if rng.IntN(5) == 0 && w.kind != "scan" || w.kind == "kept" && rng.IntN(4) > 0 {
		w.where = one(rng, "R % 2 == 0", "R > 2", "R != 3", "false", "R < 60")
		if of := w.inputs(); len(of) > 0 && rng.IntN(2) == 0 {
			d := one(rng, of...)
			w.where = map[bool]string{true: d.name, false: d.name + one(rng, " > ", " != ", " <= ") + one(rng, "0", "1", "2")}[d.t == ir.Bool]
		}
		if w.red == 2 && rng.IntN(3) == 0 {
			w.where = one(rng, "r.x <= r.y", "r.x + r.y < 5", "(r.x + r.y) % 3 == 0")
		}
	}
	if rng.IntN(8) == 0 && (w.kind == "reduce" || w.kind == "columns") && len(w.values) < 4 {
		w.until = one(rng, "R >= 5", "after R > 3", "x0 == x0", "after x0 != x0")
		if of := w.inputs(); len(of) > 0 {
			d := one(rng, of...)
			cond := map[bool]string{true: d.name, false: d.name + one(rng, " > ", " == ", " < ") + one(rng, "1", "2", "0")}[d.t == ir.Bool]
			w.until = one(rng, cond, "after "+cond, "R == 7 || "+cond)
		}
		if d := w.declarations()[0]; d.t != ir.Bool && rng.IntN(3) == 0 {
			w.until = one(rng, "after ", "") + "x0" + one(rng, " > ", " < ", " == ") + one(rng, "3", "0", "40")
		}
	}
	if rng.IntN(8) == 0 && w.kind != "kept" {
		w.tail = one(rng, "sum", "same")
	}
}

// drawSizes draws extents: few elements, or such as are about those of vectors and blocks.
func (w *whole) drawSizes(rng *rand.Rand) {
	few := []int{0, 1, 2, 3, 4, 5}
	for range w.pure {
		of := append([]int{7, 8, 9, 17}, few[1:]...)
		if w.pure == 1 {
			of = append(of, 0, 31, 32, 33, 63, 64, 65)
		}
		w.size[0] = append(w.size[0], one(rng, of...))
	}
	for range w.red {
		of := append([]int{7, 8, 9, 11, 16, 17}, few...)
		if w.red == 1 {
			of = append(of, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129)
			if w.pure == 0 {
				of = append(of, 63, 64, 65, 255, 256, 257, 300, 1000, 1023, 1025, 2047, 2048, 2049)
			}
		}
		w.size[1] = append(w.size[1], one(rng, of...))
		w.least = append(w.least, one(rng, 0, 0, 0, 1, 2))
	}
	if w.kind == "scan" {
		w.form = one(rng, inclusive, inclusive, inclusive, exclusive, backward, twoBack)
		w.least[0] = []int{1, 0, 1, 2}[w.form]
	}
}

// drawMode draws how it runs.
func (w *whole) drawMode(rng *rand.Rand) {
	w.mode = one(rng, "plain", "auto", "auto", "schedule", "schedule", "schedule", "strict")
	w.assume = one(rng, "none", "default", "default", "default", "all", "+nsw")
	w.grain = one(rng, 0, 0, 1, 3, 16, 64)
	w.extents = rng.IntN(4) == 0
	if w.mode == "schedule" {
		w.drawSchedule(rng)
	}
	if rng.IntN(16) == 0 {
		for i, d := range w.declarations() {
			if d.name == "x0" && i == 0 && d.t.IsInt() {
				w.given = one(rng, "x0 >= 0", "x0 >= 0 && x0 <= 5", "x0 <= 100")
			}
		}
	}
}
