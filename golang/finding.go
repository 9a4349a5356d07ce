package golang

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/golang/internal/rewrite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Verdict says what became of a loop.
type Verdict string

// The verdicts. Of the first two, Operator says by what.
const (
	Reduction Verdict = "reduction" // its state has an associative operator
	Lift      Verdict = "lift"      // its steps compose
	Refused   Verdict = "refused"   // it was read, and no operator was found
	Stopped   Verdict = "stopped"   // it was not read: see Obstacles
)

// Finding is what there is to say of an innermost loop that carries values.
type Finding struct {
	Pos       token.Position `json:"pos"`
	Func      string         `json:"func"`
	Verdict   Verdict        `json:"verdict"`
	State     []string       `json:"state,omitempty"`     // the variables x0, x1, …
	Update    []string       `json:"update,omitempty"`    // over the state and texts of the source
	Operator  []string       `json:"operator,omitempty"`  // over x0, … and y0, …; of a lift, on parameters
	Inject    []string       `json:"inject,omitempty"`    // what y0, … are, in texts of the source
	Apply     []string       `json:"apply,omitempty"`     // of a lift: what parameters p0, … do to the state
	Names     []string       `json:"names,omitempty"`     // of the operators in the table, or of the families of the lift
	Identity  []string       `json:"identity,omitempty"`  // on some side, as Side says
	Side      string         `json:"side,omitempty"`      // two, left, right, middle
	Laws      []string       `json:"laws,omitempty"`      // commutative, idempotent
	Assumes   []string       `json:"assumes,omitempty"`   // what the claim relies on beyond the machine's arithmetic
	Exit      string         `json:"exit,omitempty"`      // counted, input or state: what decides how often the loop runs
	Panics    []string       `json:"panics,omitempty"`    // what a step may do besides
	OverMap   bool           `json:"overMap,omitempty"`   // it ranges over a map, and gives the same in every order; also of a refusal
	Outer     bool           `json:"outer,omitempty"`     // there are loops in its body, which are inputs
	Stores    string         `json:"stores,omitempty"`    // elements: a step stores some beside; prefixes: they depend on the state
	Places    string         `json:"places,omitempty"`    // where it stores them if not at counted places: compacted, scattered
	Rereads   bool           `json:"rereads,omitempty"`   // and what it stores may depend on what was stored before
	Plain     bool           `json:"plain,omitempty"`     // sums, products, extrema and logic of single variables
	Code      string         `json:"code,omitempty"`      // of a refusal
	Reason    string         `json:"reason,omitempty"`    // of a refusal
	Obstacles []Stop         `json:"obstacles,omitempty"` // of a loop that was not read, in the order in which they were met
	Fix       string         `json:"fix,omitempty"`       // of an answer: the function that can replace the loop, or "refused: " and why

	at  token.Pos
	fix *rewrite.Rewrite // nil where Fix is a refusal
}

// Stop is an obstacle with its position.
type Stop struct {
	Kind   string         `json:"kind"`
	Detail string         `json:"detail,omitempty"`
	Pos    token.Position `json:"pos"`
}

// Obstacles lists the kinds of obstacles, which docs/golang.md explains.
func Obstacles() (kinds []string) {
	for _, k := range read.Kinds {
		kinds = append(kinds, string(k))
	}
	return kinds
}

// Summary counts the loops of packages.
type Summary struct {
	Loops     int // natural loops
	Innermost int
	Carried   int // innermost ones that carry more than inductions
	Outer     int // loops around others that were read
	Read      int // innermost and outer ones of which an update was read
	Answered  int // of which an operator or a lift was found
	Lifted    int
}

// Add adds the counts of another summary.
func (s *Summary) Add(t Summary) {
	s.Loops += t.Loops
	s.Innermost += t.Innermost
	s.Carried += t.Carried
	s.Outer += t.Outer
	s.Read += t.Read
	s.Answered += t.Answered
	s.Lifted += t.Lifted
}

// Inspector inspects packages, and remembers what it answered to updates. The zero Inspector is ready for use, by
// several goroutines at once.
type Inspector struct {
	answers answers
}

// Inspect reads the innermost loops of a package and matches them. Loops that a comment tells it to ignore are
// counted and not reported. The error is the context's, or says that the package has no SSA form.
func (in *Inspector) Inspect(ctx context.Context, p *Package) (list []*Finding, sum Summary, err error) {
	all, seen, err := readLoops(p)
	if err != nil {
		return nil, sum, err
	}
	sum.Loops = seen
	notes, fixer := directivesOf(p), newFixer(p)
	for _, l := range all {
		if l.Innermost {
			sum.Innermost++
		} else {
			sum.Outer++
		}
		if !l.Carried {
			continue
		}
		if l.Innermost {
			sum.Carried++
		}
		d := notes.at(p.Fset.Position(l.Pos()))
		f, a, err := in.finding(ctx, p, l, d.granted|ir.DefaultAssumptions)
		if err != nil {
			return nil, sum, err
		}
		if l.Innermost && !d.ignore && (f.Verdict == Reduction || f.Verdict == Lift) {
			fixer.fix(f, l, a, d.granted)
		}
		if f.Verdict != Stopped {
			sum.Read++
		}
		switch f.Verdict {
		case Lift:
			sum.Lifted++
			sum.Answered++
		case Reduction:
			sum.Answered++
		}
		if !d.ignore {
			list = append(list, f)
		}
	}
	return list, sum, nil
}

// finding matches a loop that carries values.
func (in *Inspector) finding(ctx context.Context, p *Package, l *read.Loop, allowed ir.Assume) (*Finding, *rfactor.Answer, error) {
	f := &Finding{Pos: p.Fset.Position(l.Pos()), at: l.Pos(), Func: l.Func.RelString(p.Types), Panics: l.Panics, Outer: !l.Innermost}
	for i, phi := range l.States {
		f.State = append(f.State, l.Parts[i].Text(lengthText(phi.Type(), l.Update != nil, named(phi.Comment))))
	}
	for _, c := range l.Cells {
		f.State = append(f.State, lengthText(c.Type, l.Update != nil, describe(c.Addresses[0])))
	}
	if l.Update == nil {
		f.Verdict = Stopped
		for _, o := range l.Obstacles {
			pos := o.Pos
			if !pos.IsValid() {
				pos = l.Pos()
			}
			f.Obstacles = append(f.Obstacles, Stop{string(o.Kind), o.Detail, p.Fset.Position(pos)})
		}
		return f, nil, nil
	}
	u, was := canonical(l.Update)
	a, err := in.answers.match(ctx, u, allowed)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		f.Verdict, f.Code, f.Reason = Refused, "failed", err.Error()
		return f, nil, nil
	}
	switch {
	case l.StoresState:
		f.Stores = "prefixes"
	case l.Stores:
		f.Stores = "elements"
	}
	switch {
	case l.Scatters:
		f.Places = "scattered"
	case l.Compacts:
		f.Places = "compacted"
	}
	f.Rereads = l.Stores && l.Rereads
	f.Exit = []string{"counted", "input", "state"}[l.Exit]
	f.fill(a, texts(l, u, was))
	f.assume(a, l)
	f.orderOfMap(ctx, l, u, was, allowed)
	return f, a, nil
}

// assume lists what a claim relies on. A float that is counted up rounds in every step, and
// a product may be fused with a sum where the language permits that.
func (f *Finding) assume(a *rfactor.Answer, l *read.Loop) {
	if f.Verdict == Refused {
		return
	}
	assumes := a.Assumes
	if l.Floats {
		assumes |= ir.Reassoc
	}
	f.Assumes = assumes.Names()
	for _, g := range a.Given {
		f.Assumes = append(f.Assumes, g.String())
	}
	if l.NoAlias {
		f.Assumes = append(f.Assumes, "noalias")
	}
	if l.Contract && slices.ContainsFunc(a.Types, ir.Type.IsFloat) {
		f.Assumes = append(f.Assumes, "contract")
	}
}

// lengthText writes what a component is that a slice or a string gives: its length.
func lengthText(t types.Type, isNumber bool, text string) string {
	switch u := t.Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		isNumber = isNumber && u.Info()&types.IsString != 0
	default:
		isNumber = false
	}
	if isNumber {
		return "len(" + text + ")"
	}
	return text
}

// beforeIndex is the hidden counter of a range statement, which lags behind the index by one.
const beforeIndex = "(i - 1)"

// texts gives what the variables of an update are called in the source.
func texts(l *read.Loop, u *ir.Update, was map[ir.Expr]ir.Expr) map[string]string {
	source := map[ir.Expr]string{}
	for _, leaf := range l.Leaves {
		source[leaf.Var] = leaf.Part.Text(lengthText(leaf.Values[0].Type(), leaf.Var.Type().IsInt(), describe(leaf.Values[0])))
	}
	for _, c := range l.Counters {
		if c.Var.IsValid() {
			source[c.Var] = describe(c.Phi)
			if c.Phi.Comment == "rangeindex" {
				source[c.Var] = beforeIndex
			}
		}
	}
	names := map[string]string{}
	for _, v := range u.Vars {
		if text := source[was[v]]; text != "" && !strings.Contains(text, "…") {
			names[v.Name()] = text
		}
	}
	return names
}

// fill copies an answer, with leaves written as the source does.
func (f *Finding) fill(a *rfactor.Answer, names map[string]string) {
	write := func(es []ir.Expr) []string {
		pool := ir.NewPool()
		var list []string
		for _, e := range pool.Map(es, func(e ir.Expr) ir.Expr { return placeholder(pool, a, names, e) }) {
			list = append(list, e.String())
		}
		return list
	}
	f.Update = write(a.Update)
	switch a.Status {
	case rfactor.Associative:
		f.Verdict = Reduction
	case rfactor.Lifted:
		f.Verdict = Lift
	case rfactor.Staged:
		f.Verdict, f.Code, f.Reason = Refused, string(rfactor.Staged), fmt.Sprintf("no operator or lift in one pass; it has an answer in stages, which is not lowered (%s)", a.Via())
		return
	default:
		f.Verdict, f.Code, f.Reason = Refused, string(a.Code), a.Reason
		return
	}
	f.Operator, f.Inject, f.Side = ownNames(a.Operator.Exprs), write(a.Inject), a.Operator.Side.String()
	if a.Operator.Identity != nil {
		f.Identity = write(a.Operator.Identity)
	}
	if a.Operator.Commutative {
		f.Laws = append(f.Laws, "commutative")
	}
	if a.Operator.Idempotent {
		f.Laws = append(f.Laws, "idempotent")
	}
	if f.Verdict == Lift {
		f.Apply = write(a.Lift.Apply)
		for _, family := range a.Lift.Families {
			_, name, found := strings.Cut(family, ":")
			if !found {
				name = family
			}
			f.Names = append(f.Names, name)
		}
		f.Names = slices.Compact(f.Names)
		return
	}
	f.Plain = isPlain(a)
	for _, g := range a.Groups {
		f.Names = append(f.Names, tableName(g.Via))
	}
	f.Names = slices.Compact(f.Names)
}

// ownNames prints an operator; its y0, … are its own and no leaves.
func ownNames(es []ir.Expr) (list []string) {
	for _, e := range es {
		list = append(list, e.String())
	}
	return list
}

// placeholder stands for a leaf whose text in the source is known; the zero Expr for anything else.
func placeholder(pool *ir.Pool, a *rfactor.Answer, names map[string]string, e ir.Expr) ir.Expr {
	isIndex := e.Op() == ir.Add && e.Arg(1).IsConst(1)
	for i, l := range a.Leaves {
		switch text := names[l.Text]; {
		case text == "":
		case text == beforeIndex && isIndex && l.Var == e.Arg(0):
			return pool.Placeholder(ir.Leaf, "i", 1<<20+i, e.Type())
		case l.Var == e:
			return pool.Placeholder(ir.Leaf, text, 1<<20+i, e.Type())
		}
	}
	return ir.Expr{}
}

// tableName takes the name of an operator from the way in which it was found; a form without a name gives the way.
func tableName(via string) string {
	way, name, ok := strings.Cut(via, ":")
	if !ok || !isWord(name) {
		return way
	}
	return name
}

func isWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
}

// isPlain reports whether every component is reduced on its own, by one of the operators that everybody knows.
func isPlain(a *rfactor.Answer) bool {
	for _, g := range a.Groups {
		if len(g.Components) > 1 {
			return false
		}
	}
	for i, e := range a.Operator.Exprs {
		switch e.Op() {
		case ir.Add, ir.Mul, ir.Min, ir.Max, ir.And, ir.Or, ir.BitAnd, ir.BitOr, ir.BitXor:
			if !isOperand(e.Arg(0), i) || !isOperand(e.Arg(1), i) {
				return false
			}
		case ir.Var:
		default:
			return false
		}
	}
	return true
}

func isOperand(e ir.Expr, i int) bool {
	return e.Op() == ir.Var && e.Index() == i && (e.Kind() == ir.State || e.Kind() == ir.Leaf)
}

// Silent reports whether a finding is shown only on request: a loop that has no answer, or a plain one. A sum over
// a map that depends on the order but for an assumption is shown.
func (f *Finding) Silent() bool {
	return f.Verdict == Refused || f.Verdict == Stopped || f.Plain && !(f.OverMap && len(f.Assumes) > 0)
}

// Message is the text of a report, without its position.
func (f *Finding) Message() string {
	switch f.Verdict {
	case Stopped:
		var all []string
		for _, o := range f.Obstacles {
			text := o.Kind
			if o.Detail != "" {
				text += " (" + o.Detail + ")"
			}
			all = append(all, text)
		}
		return "this loop is not read: " + strings.Join(all, "; ")
	case Refused:
		text := "this loop was read, but has no answer: " + f.Reason
		if f.OverMap {
			text += f.mapText()
		}
		return text
	}
	text := "this loop is " + map[string]string{"counted": "", "input": "a search, then ", "state": "a search along "}[f.Exit]
	kind := "a reduction"
	if f.Exit == "state" || f.Stores == "prefixes" || f.Places == "compacted" {
		kind = "a scan"
	}
	if f.Verdict == Lift {
		text += fmt.Sprintf("%s of steps that compose (%s)%s: %s = %s", kind, f.title(), f.under(), strings.Join(f.State, ", "), strings.Join(f.Apply, ", "))
	} else {
		text += fmt.Sprintf("%s by %s%s: %s = %s, with %s", kind, f.title(), f.under(), strings.Join(f.State, ", "), strings.Join(f.Operator, ", "), strings.Join(equations(f.Inject), ", "))
		if len(f.Laws) > 0 {
			text += "; " + strings.Join(f.Laws, ", ")
		}
		if f.Identity != nil {
			text += fmt.Sprintf("; identity %s (%s)", strings.Join(f.Identity, ", "), f.Side)
		}
	}
	if f.OverMap {
		text += f.mapText()
	}
	if f.Stores != "" {
		text += "; a step stores " + f.Stores + map[string]string{"compacted": ", a compaction, where the state says", "scattered": " where what it reads says"}[f.Places]
	}
	if f.Rereads {
		text += ", which may depend on what steps before stored"
	}
	if len(f.Panics) > 0 {
		text += "; a step may panic: " + strings.Join(f.Panics, ", ")
	}
	return text
}

// mapText says that the order of a map does not matter.
func (f *Finding) mapText() string {
	text := "; it ranges over a map, and no order changes the result"
	if len(f.Assumes) > 0 {
		text += " under " + strings.Join(f.Assumes, ", ")
	}
	return text
}

// under names what the claim assumes.
func (f *Finding) under() string {
	if len(f.Assumes) == 0 {
		return ""
	}
	return ", under " + strings.Join(f.Assumes, ", ")
}

// title names the operator as people do.
func (f *Finding) title() string {
	var names []string
	for _, n := range f.Names {
		n = strings.TrimPrefix(n, "index_")
		switch {
		case strings.HasSuffix(n, "_first"):
			n = strings.TrimSuffix(n, "_first") + " (first of equals)"
		case strings.HasSuffix(n, "_last"):
			n = strings.TrimSuffix(n, "_last") + " (last of equals)"
		case n == "direct":
			n = "its own operator"
		}
		names = append(names, n)
	}
	return strings.Join(names, " and ")
}

func equations(inject []string) (list []string) {
	for i, e := range inject {
		list = append(list, fmt.Sprintf("y%d = %s", i, e))
	}
	return list
}
