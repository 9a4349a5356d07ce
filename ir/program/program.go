package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Program is a source of the program surface after it was read: functions with their initial
// definitions and updates, what they read, the domains they reduce over, and the schedule.
type Program struct {
	Source   *ir.Source
	Pool     *ir.Pool
	Funcs    []*Func
	Inputs   []*Input
	Params   []*Parameter
	Domains  []*RDom
	Schedule []*Directive
}

// Func is a function that the program defines.
type Func struct {
	Name    string
	Args    []ir.Expr // the pure variables of the initial definition, or stand-ins for them
	Types   []ir.Type // of the components
	Init    []ir.Expr // the initial value of each component; nil where there is no initial definition
	Updates []*Definition
	Counts  *Definition // the update whose places the function counts; nil for others
	line    int         // of the initial definition; 0 where there is none
	Pos     ir.Pos
}

// Definition is an update: f(args) = values, for each point of the domain in order.
// In its values a read of an earlier result is a Call named f.
type Definition struct {
	Func   *Func
	Stage  int       // index in Func.Updates
	Args   []ir.Expr // the left side
	Values []ir.Expr // one per component, of its type
	Domain *RDom     // nil where no reduction coordinate occurs
	Place  *Func     // out(pos++) = …: each step writes at the place that pos counts, Args[0], and adds 1 to it; nil for others
	Self   []ir.SelfRef
	Pos    ir.Pos // of the function's name
	End    ir.Pos // behind the last value

	ends       bool // its last component says that the loop has ended: until
	prog       *Program
	recurrence *Recurrence // nil for a reduction
}

// Input is an image, or a function that the program reads but does not define.
type Input struct {
	Name  string
	Types []ir.Type // of its components
	Dims  int       // coordinates; -1 where the program does not say
	Pos   ir.Pos
}

// Parameter is a scalar that does not change during the reduction.
type Parameter struct {
	Name string
	Var  ir.Expr
	Pos  ir.Pos
}

// CheckParams is an error if a parameter of the program has no value, or a carried one that
// its type has not.
func (p *Program) CheckParams(values map[string]uint64) error {
	for _, k := range p.Params {
		v, ok := values[k.Name]
		switch t := k.Var.Type(); {
		case !ok:
			return fmt.Errorf("the parameter %s has no value", k.Name)
		case t.Wrap(v) != v:
			return fmt.Errorf("the parameter %s is %s, and %#x is none", k.Name, t, v)
		}
	}
	return nil
}

// RDom is a reduction domain; its first dimension runs innermost.
type RDom struct {
	Name  string
	Dims  []Dim
	Where []ir.Expr // conditions that all must hold
	Pos   ir.Pos
}

// Dim is one dimension: the coordinate runs over [Min, Min+Extent). Both are the zero Expr
// where the program does not declare its domain.
type Dim struct {
	Var         ir.Expr // a Coord
	Min, Extent ir.Expr
}

// ParseProgram reads a program, or a single update such as "f() = f() + in(r)". In a program
// that declares nothing, an unknown call is an input, r, r.x and the like are reduction
// coordinates, another unknown name is a parameter. Their types are inferred, and where
// nothing decides them they are typ (I32 where that is Invalid). name is what errors call the
// text. Mistakes in it are an [ir.ErrorList] of at most MaxErrors. A nil pool panics.
func ParseProgram(pool *ir.Pool, name, text string, typ ir.Type) (*Program, error) {
	checkPool(pool)
	src := &ir.Source{Name: name, Text: text}
	if err := checkSource(src); err != nil {
		return nil, ir.ErrorList{err}
	}
	prog, t, coordinates := parseProgram(pool, src, typ)
	if !IsAbstract(text) {
		t.offers = func() {
			t.offer("program", false, coordinates, func(text string) []posError { return programMistakes(text, typ) })
		}
	}
	if err := t.list(); err != nil {
		return nil, err
	}
	return prog, nil
}

// programMistakes lists the errors of a program, one of each statement.
func programMistakes(text string, typ ir.Type) []posError {
	_, t, _ := parseProgram(ir.NewPool(), &ir.Source{Text: text}, typ)
	t.firsts()
	return t.errs
}

// parseProgram reads a program; the reporter has its errors, and the coordinates are those of the first domain that it declares.
func parseProgram(pool *ir.Pool, src *ir.Source, typ ir.Type) (prog *Program, r *reporter, coordinates []string) {
	if typ == ir.Invalid {
		typ = ir.I32
	}
	t := newTree(src)
	if IsAbstract(src.Text) {
		t.errorf(0, "this is an abstract update, and a program is wanted, such as f() = f() + in(r)")
		return nil, t.reporter, nil
	}
	stmts := newParser(t).statements()
	if i := slices.IndexFunc(stmts, func(s stmt) bool { return s.kind == declRDom }); i >= 0 {
		for d := range min(len(stmts[i].args)/2, len(memberNames)) {
			coordinates = append(coordinates, strings.TrimSuffix(stmts[i].name+"."+memberNames[d], map[bool]string{true: ".x"}[len(stmts[i].args) < 4]))
		}
	}
	if len(t.errs) > 0 {
		return nil, t.reporter, coordinates
	}
	b := newBuilder(t, pool, stmts, typ)
	b.build()
	return b.prog, t.reporter, coordinates
}

// Func returns the function of that name, or nil where the program defines none.
func (p *Program) Func(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Definitions lists the updates of all functions, in the order of the functions and their updates.
func (p *Program) Definitions() []*Definition {
	var ds []*Definition
	for _, f := range p.Funcs {
		ds = append(ds, f.Updates...)
	}
	return ds
}

// parsed returns the program of a definition, and panics where there is none.
func (d *Definition) parsed() *Program {
	if d.prog == nil {
		panic("program: the Definition is not one of a Program that ParseProgram returned")
	}
	return d.prog
}

// Text returns the definition as the source spells it.
func (d *Definition) Text() string { return d.parsed().Source.Text[d.Pos:d.End] }

// String returns the function's name and the number of the update, as f.update(0).
func (d *Definition) String() string { return fmt.Sprintf("%s.update(%d)", d.Func.Name, d.Stage) }

// narrow says that the initial value makes a component an integer to which the definition cuts floats off.
func (d *Definition) narrow() string {
	f := d.Func
	for i, v := range d.Values {
		if f.line == 0 || i >= len(f.Init) || f.Init[i].Op() != ir.Const || v.Op() != ir.Cast || !v.Type().IsInt() || !v.Arg(0).Type().IsFloat() {
			continue
		}
		name := f.Name
		if len(f.Init) > 1 {
			name = fmt.Sprintf("%s()[%d]", f.Name, i)
		}
		write := f.Init[i].String() + ".0f"
		if t := v.Arg(0).Type(); t != ir.F32 {
			write = fmt.Sprintf("%s(%s)", t, f.Init[i])
		}
		return fmt.Sprintf("%s is %s by line %d: write %s", name, v.Type(), f.line, write)
	}
	return ""
}

// Update returns the definition as a matcher takes it, unless it is a recurrence; see Matched: a read f(args)[i] whose arguments are
// the very expressions of the left side becomes x_i. Reads with other arguments stay calls. Self
// lists them as not Same, and the matcher must decide whether their arguments equal the left
// side's.
func (d *Definition) Update() *ir.Update {
	p := d.parsed().Pool
	u := &ir.Update{Source: d.prog.Source, Pool: p, Types: d.Func.Types, Args: d.Args}
	state := map[ir.Expr]ir.Expr{}
	for i, t := range d.Func.Types {
		state[p.Call(t, d.Func.Name, i, d.Args...)] = p.X(i, t)
	}
	u.Narrow = d.narrow()
	toState := func(e ir.Expr) ir.Expr { return state[e] }
	u.Values = p.Map(d.Values, toState)
	for _, s := range d.Self {
		if !s.Same {
			s.Call = p.Map([]ir.Expr{s.Call}, toState)[0]
		}
		u.Self = append(u.Self, s)
	}
	u.Vars = ir.Vars(u.Values...)
	u.Init = d.initial()
	if d.ends {
		u.Ended = len(u.Types) - 1
	}
	if d.Domain != nil {
		for _, dim := range d.Domain.Dims {
			if !dim.Min.IsValid() || dim.Min.Op() == ir.Const && dim.Min.Int() >= 0 {
				u.NonNeg = append(u.NonNeg, dim.Var)
			}
		}
	}
	return u
}

// initial returns the initial values of the components, the zero Expr for one that is not a
// literal; nil where they are not literals before the update's first step.
func (d *Definition) initial() []ir.Expr {
	if d.Stage > 0 || len(d.Func.Init) == 0 {
		return nil
	}
	out := make([]ir.Expr, len(d.Func.Init))
	for i, e := range d.Func.Init {
		if e.IsClosed() {
			out[i] = e
		}
	}
	return out
}
