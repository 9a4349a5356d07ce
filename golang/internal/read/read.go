// Package read turns an innermost loop of a function in SSA form into the update that a step of the loop is.
//
//	for _, v := range a { if v > s { s = v } }   →   select(x0 < y0, y0, x0), where y0 is a[i]
//
// The phis of the header are the state. Inductions, such as i, are coordinates. Phis inside the loop become
// selects by a walk from their immediate dominator, and several back edges are joined in the same way. Whatever does not
// depend on the state is a leaf, or arithmetic of leaves. A loop writes nothing that it reads: any store, and any call
// that is not known to be pure, is an obstacle. So equal loads of one step have equal values.
package read

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/panics"
	"github.com/rfactor-go/rfactor/ir"
)

// Exit says what decides how often a loop runs.
type Exit int

// The kinds of exits.
const (
	Counted Exit = iota // inductions and invariants
	OnInput             // what is read: a search, then a reduction
	OnState             // the state: a scan, then a search
)

// Leaf is a variable of the update that is no state, with the values of the function that it stands for.
// All of them are equal in a step in which they are computed.
type Leaf struct {
	Var    ir.Expr
	Values []ssa.Value
	Part   Part // which part of them it is
}

// Counter is a phi of the header that is an induction.
type Counter struct {
	Phi  *ssa.Phi
	Var  ir.Expr // the zero Expr of a slice or a string that loses a prefix in each step
	Next ir.Expr // its value in the next step; the zero Expr where Var is
}

// Loop is a loop as it was read.
type Loop struct {
	*loops.Loop
	Instances []*Loop  // it as it is with each type that type parameters may be, where it is not read for all at once
	instance  instance // which that is
	Carried   bool     // some phi of the header is no induction, or a step writes a variable in memory
	Update    *ir.Update
	States    []*ssa.Phi // what x0, x1, … are; of slices that steps only append to, the lengths …
	Parts     []Part     // which part of it a state is; a complex phi is two states
	Cells     []*Cell    // … and the components behind them
	Derived   []Derived  // … and those behind these
	Counters  []Counter
	Leaves    []Leaf
	Stay      ir.Expr // whether the loop goes on; true where only a later block decides
	Exit      Exit
	Search    bool         // it carries nothing, writes nothing, and what it reads decides where it ends: Stay says so
	Histogram *Histogram   // it carries nothing, and adds to elements of a table where what it loads says; otherwise nil
	Obstacles []Obstacle   // where there are any, Update is nil
	Panics    []panics.Way // how a step may panic
	Endless   []string     // what in a step is not known to end: functions, inner loops
	Contract  bool         // the language permits to fuse a product with a sum
	Floats    bool         // some counter is a float, which rounds in every step

	OverMap     bool // the order of the steps differs from run to run; then nothing is counted or stored
	Stores      bool // a step stores something; nothing that is stored reaches the state
	StoresState bool // and some of it depends on the state
	Compacts    bool // at places that depend on the state, or by append …
	Scatters    bool // … or on what is loaded; otherwise at counted places
	Promised    bool // a step calls what is pure by a promise alone: it ends, does not panic, and has no effect
	Rereads     bool // and what is stored depends on what steps stored before
	NoAlias     bool // that nothing of it reaches the state is an assumption: slices of different names do not overlap
}

// Of reads an innermost loop. Purity tells which calls have no effect; it is promised of those of which it does not know where a comment
// at the loop does so.
func Of(l *loops.Loop, sizes types.Sizes, purity *Purity, promised bool) *Loop {
	out := of(l, sizes, purity, promised, nil)
	if l.Innermost && out.Carried && out.Update == nil {
		for _, as := range instancesOf(l.Func) {
			out.Instances = append(out.Instances, of(l, sizes, purity, promised, as))
		}
	}
	return out
}

// of reads a loop, and again by the numbers of structs where these are not only passed on.
func of(l *loops.Loop, sizes types.Sizes, purity *Purity, promised bool, as instance) *Loop {
	out := readOnce(l, sizes, purity, promised, as, false)
	if out.stopsAtStruct() {
		if split := readOnce(l, sizes, purity, promised, as, true); split.Update != nil {
			return split
		}
	}
	return out
}

func readOnce(l *loops.Loop, sizes types.Sizes, purity *Purity, promised bool, as instance, split bool) (out *Loop) {
	r := newReader(l, sizes, purity)
	r.promised, r.split = promised, split
	out = r.out
	out.instance = as
	defer func() {
		if p := recover(); p != nil { // an unforeseen form of code; the rest of the package is still read
			r.stop(Unread, l.Pos(), fmt.Sprint("internal: ", p))
			r.out.Update, r.out.Search, r.out.Histogram = nil, false, nil
		}
	}()
	r.read()
	return out
}

func newReader(l *loops.Loop, sizes types.Sizes, purity *Purity) *reader {
	return &reader{out: &Loop{Loop: l}, pool: ir.NewPool(), sizes: sizes, purity: purity, memo: map[ssa.Value]value{}, open: map[ssa.Value]bool{}, numbers: map[string]int{},
		leafOf: map[string]int{}, state: map[*ssa.Phi]int{}, counter: map[*ssa.Phi]int{}, entries: map[entry]value{},
		temporaries: map[*ssa.Alloc]bool{}, starts: map[temporaryAt]value{}}
}

// reader is the state of reading one loop.
type reader struct {
	out      *Loop
	pool     *ir.Pool
	sizes    types.Sizes
	purity   *Purity
	promised bool // calls that are not known to be pure are
	search   bool // it is read as one: what it computes at its end is not read
	closed   bool // no component is added any more
	exact    bool // large arithmetic of inputs is no leaf
	split    bool // structs of numbers are read by these
	memo     map[ssa.Value]value
	open     map[ssa.Value]bool // values that are being read
	numbers  map[string]int     // of values without an expression, by what they are computed of
	leafOf   map[string]int     // places in out.Leaves, by the same
	state    map[*ssa.Phi]int
	counter  map[*ssa.Phi]int
	coords   int

	entries     map[entry]value       // cells at the beginning of blocks
	temporaries map[*ssa.Alloc]bool   // see isTemporary
	starts      map[temporaryAt]value // temporary variables at the beginning of blocks
	appended    map[ssa.Value]bool    // slices that steps only append to
	settled     bool                  // appended is known
	writes      []write               // see allWrites
	relevant    map[ssa.Value]bool    // what the state and the way through the loop depend on
}

func (r *reader) read() {
	l := r.out
	if l.Innermost {
		r.findAppended()
	}
	for _, phi := range l.Phis() {
		if r.isCounter(phi) {
			r.counter[phi] = len(l.Counters)
			l.Counters = append(l.Counters, r.newCounter(phi))
		} else {
			r.state[phi] = len(l.States)
			r.addState(phi)
		}
	}
	l.Carried = len(l.States) > 0 || r.carriesMemory()
	if !l.Carried {
		if r.readSearch(); !l.Search {
			r.readHistogram()
		}
		return
	}
	if !l.Acyclic {
		r.stop(Goto, l.Pos(), "")
		return
	}
	if len(l.Exits) == 0 && !r.isYield() {
		r.stop(Endless, l.Pos(), "")
	}
	r.findCells()
	if len(l.States)+len(l.Cells) == 0 {
		r.stopAtCells()
		return
	}
	if len(l.States)+len(l.Cells) > ir.MaxState {
		r.stop(TooMany, l.Pos(), "")
		return
	}
	u := &ir.Update{Pool: r.pool}
	for i, phi := range l.States {
		t := r.typeOf(phi)
		switch part := l.Parts[i]; {
		case part >= Field:
			_, of := part.Path(phi.Type())
			t = r.scalar(of)
		case part != All:
			t = r.partType(phi.Type())
		}
		if t == ir.Invalid {
			t, l.Parts[i] = tokenType, Token
		}
		u.Types = append(u.Types, t)
	}
	for _, c := range l.Cells {
		u.Types = append(u.Types, r.cellType(c))
	}
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			r.scan(i)
		}
	}
	r.checkInner()
	r.update(u) // before stores, which may ignore obstacles of what they store
	r.stores()
	r.checkCells()
	r.findPanics()
	if l.OverMap && (l.Stores || len(l.Counters) > 0 || l.Exit != Counted) {
		r.stop(MapOrder, l.Pos(), "")
	}
	if len(l.Obstacles) == 0 {
		l.Update = u
	}
}

// readSearch reads a loop that carries nothing as a search. One that writes, calls what may have an effect, or ranges over a map, whose first
// step is another one in each run, is none; it has no obstacles, for nothing was to be read.
func (r *reader) readSearch() {
	l := r.out
	if !l.Innermost || !l.Acyclic || len(l.Exits) == 0 || len(r.allWrites()) > 0 {
		return
	}
	r.search = true
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			r.scan(i)
		}
	}
	if len(l.Obstacles) == 0 && !l.OverMap {
		if stay := r.stay(); stay.kind == onInput && stay.expr.IsValid() && len(l.Obstacles) == 0 {
			l.Search, l.Exit, l.Stay = true, OnInput, stay.expr
			r.findPanics()
		}
	}
	l.Obstacles = nil
}

// findPanics lists how a step may panic. Where steps may load what depends on the state, any load of them does.
func (r *reader) findPanics() {
	l := r.out
	var state []ssa.Value
	for _, phi := range l.States {
		state = append(state, phi)
	}
	for _, b := range l.Blocks() {
		for _, i := range b.Instrs {
			if load, ok := i.(*ssa.UnOp); ok && load.Op == token.MUL && (l.Rereads && l.StoresState || r.cellOf(r.value(load.X).id()) != nil || r.wholeCell(load.X) != nil) {
				state = append(state, load)
			}
		}
	}
	l.Panics = panics.In(l.Loop, state, r.purity.Panics)
}

// mayNotEnd notes what in a step is not known to end, once.
func (r *reader) mayNotEnd(what string) {
	if !slices.Contains(r.out.Endless, what) {
		r.out.Endless = append(r.out.Endless, what)
	}
}

// carriesMemory reports whether a step writes a variable that lies at the same address in all steps.
func (r *reader) carriesMemory() bool {
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			if s, ok := i.(*ssa.Store); ok && r.isFixed(s.Addr) && !isJump(s.Addr) {
				return true
			}
		}
	}
	return false
}

// update reads the values at the back edges.
func (r *reader) update(u *ir.Update) {
	l := r.out
	for i, phi := range l.States {
		u.Values = append(u.Values, r.nextState(phi, l.Parts[i]))
	}
	for _, c := range l.Cells {
		u.Values = append(u.Values, r.nextCell(c).expr)
	}
	for i := range l.Counters {
		c := &l.Counters[i]
		if c.Var.IsValid() {
			c.Next = r.carried(c.Phi).expr
		}
	}
	stay := r.stay()
	l.Stay = stay.expr
	for i := 0; i < len(l.Derived); i++ { // the value of one may show others
		d := l.Derived[i]
		v := d.Values[0]
		e := r.derived(v, d.shape, r.pool.X(d.of, u.Types[d.of]), u.Values[d.of])
		if !e.IsValid() {
			r.stopAtState(v)
			e = r.pool.Int(r.scalar(v.Type()), 0)
		}
		u.Types, u.Values = append(u.Types, r.scalar(v.Type())), append(u.Values, e)
	}
	r.closed = true
	switch {
	case stay.kind == onState:
		l.Exit = OnState
	case stay.kind == onInput:
		l.Exit = OnInput
	}
	for _, c := range l.Counters {
		if c.Var.IsValid() && c.Var.Type().IsFloat() {
			l.Floats = true
		}
	}
}

// addState makes a phi of the header a component of the state, or two if it is complex.
func (r *reader) addState(phi *ssa.Phi) {
	parts := []Part{All}
	switch {
	case r.isComplex(phi.Type()):
		parts = []Part{Real, Imag}
	case r.split:
		parts = partsOf(phi.Type())
	}
	for _, part := range parts {
		r.out.States = append(r.out.States, phi)
		r.out.Parts = append(r.out.Parts, part)
	}
}

// nextState is a component of the state in the next step.
func (r *reader) nextState(phi *ssa.Phi, part Part) ir.Expr {
	next := r.carried(phi)
	switch {
	case part == All:
		return next.expr
	case part >= Field:
		e, ok := r.numberOf(next, phi.Type(), part)
		if !ok {
			r.stop(StateType, phi.Pos(), phi.Comment+" "+types.TypeString(phi.Type(), shortName))
		}
		return e
	case part == Token:
		next = r.token(next)
		if !next.expr.IsValid() { // it is computed of the state, or a struct whose fields are known
			r.stop(typeObstacle(phi.Type()), phi.Pos(), phi.Comment+" "+types.TypeString(phi.Type(), shortName))
			return r.pool.Int(tokenType, 0)
		}
		return next.expr
	case next.parts == nil:
		r.stop(StateType, phi.Pos(), phi.Comment+" "+types.TypeString(phi.Type(), shortName))
		return ir.Expr{}
	case part == Real:
		return next.parts[0].expr
	}
	return next.parts[1].expr
}

// carried returns what a phi of the header is in the next step.
func (r *reader) carried(phi *ssa.Phi) value {
	return r.join(r.out.Header, r.out.Header, func(slot int) value { return r.value(phi.Edges[slot]) })
}

// typeObstacle tells type parameters from other types that no component has.
func typeObstacle(t types.Type) Kind {
	if isTypeParam(t) {
		return TypeParam
	}
	return StateType
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// scalar returns the type of the notation for a type of Go; Invalid where there is none.
func (r *reader) scalar(t types.Type) ir.Type {
	if t = r.out.Actual(t); isTypeParam(t) {
		return ir.Invalid
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return ir.Invalid
	}
	signed := map[int64]ir.Type{1: ir.I8, 2: ir.I16, 4: ir.I32, 8: ir.I64}
	switch info := b.Info(); {
	case b.Kind() == types.Bool || b.Kind() == types.UntypedBool:
		return ir.Bool
	case b.Kind() == types.Float32:
		return ir.F32
	case b.Kind() == types.Float64:
		return ir.F64
	case info&types.IsUntyped != 0 || info&types.IsInteger == 0:
		return ir.Invalid
	case info&types.IsUnsigned != 0:
		return signed[r.sizes.Sizeof(b)].Unsigned()
	default:
		return signed[r.sizes.Sizeof(b)]
	}
}

// isCounter reports whether every step adds the same to a phi of the header, or cuts the same prefix off it.
func (r *reader) isCounter(phi *ssa.Phi) bool {
	var next ssa.Value
	for slot, p := range r.out.Header.Preds {
		if !r.out.Has(p) {
			continue
		}
		if next != nil && next != phi.Edges[slot] {
			return false
		}
		next = phi.Edges[slot]
	}
	if r.appended[phi] {
		return r.appendsFixed(next, phi)
	}
	if r.scalar(phi.Type()).IsNumeric() {
		return r.isSum(next, phi)
	}
	return r.isSuffix(next, phi)
}

// isSum reports whether v is phi plus or minus invariants, by at least one operation; of floats by just one.
func (r *reader) isSum(v ssa.Value, phi *ssa.Phi) bool {
	op, ok := v.(*ssa.BinOp)
	if !ok || !r.out.Holds(op) {
		return false
	}
	deeper := func(x ssa.Value) bool {
		return x == phi || !r.scalar(phi.Type()).IsFloat() && r.isSum(x, phi)
	}
	switch op.Op {
	case token.ADD:
		return deeper(op.X) && r.isFixed(op.Y) || deeper(op.Y) && r.isFixed(op.X)
	case token.SUB:
		return deeper(op.X) && r.isFixed(op.Y)
	}
	return false
}

// isFixed reports whether a value is the same in every step: it comes from outside the loop, or is computed of such
// values alone, by instructions that read memory at most. What writes memory is an obstacle.
func (r *reader) isFixed(v ssa.Value) bool {
	if !r.out.Holds(v) {
		return true
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return r.isFixed(v.X) && r.isFixed(v.Y)
	case *ssa.UnOp:
		return v.Op != token.ARROW && r.isFixed(v.X) && !r.isYield() && (v.Op != token.MUL || !r.mayBeStored(v.Type()))
	case *ssa.Convert:
		return r.isFixed(v.X)
	case *ssa.ChangeType:
		return r.isFixed(v.X)
	case *ssa.FieldAddr:
		return r.isFixed(v.X)
	case *ssa.Field:
		return r.isFixed(v.X)
	case *ssa.IndexAddr:
		return r.isFixed(v.X) && r.isFixed(v.Index)
	case *ssa.Call:
		f, ok := v.Call.Value.(*ssa.Builtin)
		return ok && (f.Name() == "len" || f.Name() == "cap") && !isChannel(v.Call.Args[0]) && r.isFixed(v.Call.Args[0])
	}
	return false
}

// isSuffix reports whether v is phi without a prefix of invariant length.
func (r *reader) isSuffix(v ssa.Value, phi *ssa.Phi) bool {
	cut, ok := v.(*ssa.Slice)
	if !ok || cut.Low == nil || cut.High != nil || cut.Max != nil || !r.isFixed(cut.Low) {
		return false
	}
	return cut.X == phi || r.isSuffix(cut.X, phi)
}

func (r *reader) newCounter(phi *ssa.Phi) Counter {
	c := Counter{Phi: phi}
	if t := r.typeOf(phi); t != ir.Invalid {
		name := "r"
		if r.coords > 0 {
			name += "." + string(rune('a'+(r.coords-1)%26))
		}
		if r.coords <= 26 {
			c.Var = r.pool.R(name, t)
		} else {
			c.Var = r.pool.Var(ir.Coord, "r.many", r.coords, t)
		}
		r.coords++
	}
	return c
}

// shortName writes the names of other packages without their paths.
func shortName(p *types.Package) string { return p.Name() }
