package program

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Directive is one line of a schedule, kept as data: whether it can be applied is for the
// stage that applies it to say.
type Directive struct {
	Func   string // the function, or one that an earlier rfactor made
	Stage  int    // the update; -1 for the initial definition
	Name   string // Split, RFactor, …
	Args   []Arg
	Result string // the function that rfactor makes
	Pos    ir.Pos
}

// String returns the directive in the notation of programs, without a semicolon.
func (d *Directive) String() string {
	var b strings.Builder
	if d.Result != "" {
		b.WriteString(d.Result + " = ")
	}
	b.WriteString(d.Func)
	if d.Stage >= 0 {
		b.WriteString(".update(" + strconv.Itoa(d.Stage) + ")")
	}
	var args []string
	for _, a := range d.Args {
		switch {
		case len(a.Pairs) > 0:
			var pairs []string
			for _, p := range a.Pairs {
				pairs = append(pairs, "{"+p[0]+", "+p[1]+"}")
			}
			args = append(args, "{"+strings.Join(pairs, ", ")+"}")
		case a.Value.IsValid():
			args = append(args, a.Value.String())
		default:
			args = append(args, a.Name)
		}
	}
	return b.String() + "." + d.Name + "(" + strings.Join(args, ", ") + ")"
}

// Arg is an argument of a directive: the name of a variable or of an option, an
// expression such as a split factor, or pairs of a reduction variable and its new name.
type Arg struct {
	Name  string
	Value ir.Expr
	Pairs [][2]string
	Pos   ir.Pos
}

// Names of directives, as programs write them.
const (
	Split       = "split"
	Fuse        = "fuse"
	Reorder     = "reorder"
	Tile        = "tile"
	RFactor     = "rfactor"
	Scan        = "scan"
	Parallel    = "parallel"
	Vectorize   = "vectorize"
	Unroll      = "unroll"
	Atomic      = "atomic"
	ComputeRoot = "compute_root"
	ComputeAt   = "compute_at"
)

// directives is every directive with the least and the largest number of its arguments.
var directives = map[string][2]int{
	Split:       {4, 5},
	Fuse:        {3, 3},
	Reorder:     {2, 16},
	Tile:        {6, 8},
	RFactor:     {1, 2},
	Scan:        {2, 2},
	Parallel:    {1, 2},
	Vectorize:   {1, 2},
	Unroll:      {1, 2},
	Atomic:      {0, 0},
	ComputeRoot: {0, 0},
	ComputeAt:   {2, 2},
}

// directives adds what a schedule statement says.
func (b *builder) directives(s *stmt) {
	sym := b.symbols[s.name]
	if sym == nil || sym.fn == nil && !sym.made {
		b.errorf(ir.Pos(s.pos), "%s is not a function to schedule%s", s.name, DidYouMean(s.name, b.knownNames((*symbol).isFunc)))
		return
	}
	fn, stage := s.name, -1
	results := b.resultNames(s)
	for _, l := range s.chain {
		if l.name == "update" {
			stage = b.stageNumber(sym, l)
			continue
		}
		count, ok := directives[l.name]
		switch {
		case !ok:
			b.errorf(ir.Pos(l.pos), "there is no directive %s%s", l.name, DidYouMean(l.name, directiveNames()))
			return
		case len(l.args) < count[0] || len(l.args) > count[1]:
			b.errorf(ir.Pos(l.pos), "%s takes %s, not %d", l.name, arguments(count), len(l.args))
			return
		}
		d := &Directive{Func: fn, Stage: stage, Name: l.name, Pos: ir.Pos(l.pos)}
		for _, a := range l.args {
			d.Args = append(d.Args, b.directiveArg(a))
		}
		b.prog.Schedule = append(b.prog.Schedule, d)
		if l.name == RFactor { // what follows is about the function that it makes
			d.Result, results = results[0], results[1:]
			fn, stage, sym = d.Result, -1, &symbol{made: true}
			b.symbols[fn] = sym
		}
	}
}

// resultNames is the names of the functions that the rfactors of a chain make: the last
// one gets the name that the statement declares, others one of ours.
func (b *builder) resultNames(s *stmt) []string {
	var names []string
	base := s.name
	for _, l := range s.chain {
		if l.name != RFactor {
			continue
		}
		name := base + "_intm"
		for b.symbols[name] != nil || b.declaredLater[name] {
			b.made++
			name = base + "_intm" + strconv.Itoa(b.made)
		}
		names = append(names, name)
		base = name
	}
	switch {
	case s.assign == "":
	case len(names) == 0:
		b.errorf(ir.Pos(s.pos), "%s is given no function: rfactor makes one", s.assign)
	case b.symbols[s.assign] != nil:
		b.errorf(ir.Pos(s.pos), "%s is declared twice", s.assign)
	default:
		names[len(names)-1] = s.assign
	}
	return names
}

func arguments(count [2]int) string {
	if count[0] == count[1] {
		return plural(count[0], "argument")
	}
	return strconv.Itoa(count[0]) + " to " + plural(count[1], "argument")
}

func directiveNames() []string { return append(slices.Sorted(maps.Keys(directives)), "update") }

// stageNumber reads the argument of update(), 0 where there is none.
func (b *builder) stageNumber(sym *symbol, l link) int {
	n := 0
	if len(l.args) == 1 && l.args[0].value != 0 {
		b.settle(l.args[0].value)
		if e := b.expr(l.args[0].value, ir.I32); e.IsValid() && e.Op() == ir.Const {
			n = int(e.Int())
		} else {
			n = -1
		}
	} else if len(l.args) != 0 {
		n = -1
	}
	switch {
	case n < 0:
		b.errorf(ir.Pos(l.pos), "update takes the number of an update")
	case sym.fn != nil && n >= len(sym.fn.Updates):
		b.errorf(ir.Pos(l.pos), "%s has %s, and no update(%d)", sym.fn.Name, plural(len(sym.fn.Updates), "update"), n)
	}
	return n
}

// directiveArg checks that the names in an argument are known.
func (b *builder) directiveArg(a synArg) Arg {
	out := Arg{Pos: ir.Pos(a.pos)}
	switch {
	case a.pairs != nil:
		for _, pair := range a.pairs {
			out.Pairs = append(out.Pairs, [2]string{b.scheduleName(pair[0], a.pos), b.scheduleName(pair[1], a.pos)})
		}
	case a.name == "":
		b.settle(a.value)
		out.Value = b.want(a.value, ir.I32)
	default:
		sym := b.symbols[a.name]
		if sym != nil && sym.value.IsValid() && !(sym.value.Op() == ir.Var && b.isVar(a.name)) {
			out.Value = sym.value
			return out
		}
		out.Name = b.scheduleName(a.name, a.pos)
	}
	return out
}

// isVar reports whether a name was declared as a Var.
func (b *builder) isVar(name string) bool {
	return slices.ContainsFunc(b.stmts, func(s stmt) bool { return s.kind == declVar && s.name == name })
}

// scheduleName is the name of a loop variable; of the only dimension of a domain r it is r.
func (b *builder) scheduleName(name string, pos int) string {
	if strings.Contains(name, "::") {
		return name
	}
	if sym := b.symbols[name]; sym != nil && (sym.rvar || sym.fn != nil || sym.made) {
		return name
	}
	if e := b.nameValue(name, b.symbols[name], 0, false); e.IsValid() && e.Op() == ir.Var {
		return e.Name()
	}
	b.errorf(ir.Pos(pos), "%s is not a variable%s", name, DidYouMean(name, b.knownNames((*symbol).isVariable)))
	return name
}
