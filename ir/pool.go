package ir

import (
	"fmt"
	"slices"
	"strconv"
)

// A Pool owns expressions. Within one pool equal expressions are one expression: they
// compare equal with ==. The zero Pool is empty and ready for use. Several
// goroutines may read a pool, as rfactor.Match does, but not while one makes expressions in it; expressions of different pools do not mix (see Import).
type Pool struct {
	nodes   []node
	hashes  []uint32
	table   []uint32 // open addressing, node index + 1
	args    []uint32 // operands of calls
	names   []string
	nameIDs map[string]uint32 // once there are many
	tuples  map[uint32]bool   // names whose calls print an index, 0 too
	lists   []Expr            // memory for the lists that Map makes
	pay     func(n int)       // see Charge
	owed    int               // of which pay was not told
}

// node is one hash-consed expression without pointers.
// Const: a and b are the low and high half of the value.
// Var: a is the name, b the index, kind the role.
// Call: a is the name, b the offset in Pool.args, c = number of operands | tuple index << 16.
type node struct {
	op    Op
	typ   Type
	kind  VarKind
	flags flags
	a     uint32
	b     uint32
	c     uint32
	size  uint32 // nodes of the tree, at most maxSize
	types TypeSet
	state uint64 // which x_i occur
}

type flags uint8

const (
	mentionsLeaf  flags = 1 << iota // some y_i
	mentionsCoord                   // some reduction coordinate
	mentionsCall                    // some opaque call
	mentionsParam                   // some k_i
	byMachine                       // some operator whose values differ by machine
)

// MaxState is the largest number of components of a tuple.
const MaxState = 64

// Expr is a typed expression in a pool: a small value, comparable with ==. The zero Expr is no
// expression: IsValid, Pool, ID and String take it, and all other methods panic.
type Expr struct {
	pool *Pool
	id   uint32
}

// NewPool returns an empty pool. It allocates the memory of a small one in one piece.
func NewPool() *Pool {
	r := new(struct {
		pool   Pool
		nodes  [32]node
		hashes [32]uint32
		table  [64]uint32
		names  [8]string
		lists  [24]Expr
	})
	r.pool = Pool{table: r.table[:], nodes: r.nodes[:0], hashes: r.hashes[:0], names: r.names[:0], lists: r.lists[:]}
	return &r.pool
}

// List returns n zero Exprs to fill in. Their memory may be the pool's, and lives as long as it.
func (p *Pool) List(n int) []Expr {
	if p.check(); n < 0 {
		panic(fmt.Sprintf("ir: a list of %d expressions", n))
	}
	if n > len(p.lists) {
		return make([]Expr, n)
	}
	l := p.lists[:n:n]
	p.lists = p.lists[n:]
	return l
}

// Reset forgets every expression of the pool but keeps its memory.
// Expressions made before must not be used again.
func (p *Pool) Reset() {
	p.check()
	p.nodes, p.hashes, p.args = p.nodes[:0], p.hashes[:0], p.args[:0]
	clear(p.table)
	clear(p.tuples)
}

// check panics where there is no pool.
func (p *Pool) check() {
	if p == nil {
		panic("ir: the pool is nil")
	}
}

// Len returns the number of distinct expressions in the pool.
func (p *Pool) Len() int { p.check(); return len(p.nodes) }

// Charge makes the pool tell pay of work on its expressions, in expressions made or found; nil ends that, and a panic of pay the work.
func (p *Pool) Charge(pay func(n int)) { p.check(); p.pay, p.owed = pay, 0 }

// Work notes as much work on expressions of the pool as making n of them.
func (p *Pool) Work(n int) {
	if p.pay != nil {
		if p.owed += n; p.owed >= 256 {
			p.Settle()
		}
	}
}

// Settle tells who pays of all work that was noted.
func (p *Pool) Settle() {
	if n := p.owed; p.pay != nil {
		p.owed = 0
		p.pay(n)
	}
}

// At returns the i-th expression of the pool, from 0; operands come before the expressions that
// use them. It panics unless 0 ≤ i < Len.
func (p *Pool) At(i int) Expr {
	if p.check(); uint(i) >= uint(len(p.nodes)) {
		panic(fmt.Sprintf("ir: At(%d) of a pool of %d expressions", i, len(p.nodes)))
	}
	return Expr{p, uint32(i)}
}

// IsValid reports whether e is an expression, not the zero Expr.
func (e Expr) IsValid() bool { return e.pool != nil }

// Pool returns the pool that owns e; nil of the zero Expr.
func (e Expr) Pool() *Pool { return e.pool }

// ID returns e's index in its pool, dense from 0: e.Pool().At(e.ID()) is e.
func (e Expr) ID() int { return int(e.id) }

const noExpr = "ir: the zero Expr is no expression"

func (e Expr) node() *node {
	if e.pool == nil {
		panic(noExpr)
	}
	return &e.pool.nodes[e.id]
}

// owner returns the pool of an expression.
func (e Expr) owner() *Pool {
	if e.pool == nil {
		panic(noExpr)
	}
	return e.pool
}

// Op returns the root's operator.
func (e Expr) Op() Op { return e.node().op }

// Type returns the expression's type.
func (e Expr) Type() Type { return e.node().typ }

// maxSize is the size of all terms that are larger: several such sizes add up to an int of 32 bits.
const maxSize = 1 << 28

// Size returns the number of nodes of e written out as a tree, at most 2^28.
func (e Expr) Size() int { return int(e.node().size) }

// NumArgs returns the number of operands.
func (e Expr) NumArgs() int {
	n := e.node()
	if n.op == Call {
		return int(n.c & 0xffff)
	}
	return n.op.Arity()
}

// Arg returns the i-th operand, from 0. It panics unless 0 ≤ i < NumArgs.
func (e Expr) Arg(i int) Expr {
	if uint(i) >= uint(e.NumArgs()) {
		panic(e.noArg(i))
	}
	return e.arg(i)
}

func (e Expr) noArg(i int) string {
	return fmt.Sprintf("ir: operand %d of %s, which has %d", i, e.Op(), e.NumArgs())
}

// arg is Arg for an operand that e has.
func (e Expr) arg(i int) Expr {
	n := &e.pool.nodes[e.id]
	if n.op == Call {
		return Expr{e.pool, e.pool.args[int(n.b)+i]}
	}
	switch i {
	case 0:
		return Expr{e.pool, n.a}
	case 1:
		return Expr{e.pool, n.b}
	}
	return Expr{e.pool, n.c}
}

// Value returns the value of a Const as values of its type are carried: see [Type.Wrap]. Of
// another expression the result means nothing.
func (e Expr) Value() uint64 {
	n := e.node()
	return uint64(n.a) | uint64(n.b)<<32
}

// Int returns the value of an integer or Bool Const as a signed number; U64 values from 2^63 on
// wrap.
func (e Expr) Int() int64 { return int64(e.Value()) }

// IsConst reports whether e is the literal v of its type.
func (e Expr) IsConst(v uint64) bool { return e.Op() == Const && e.Value() == v }

// Name returns the name of a Var or Call. It panics for another expression.
func (e Expr) Name() string {
	n := e.node()
	if n.op != Var && n.op != Call {
		panic("ir: Name of " + n.op.String() + ", which is neither a variable nor a call")
	}
	return e.pool.names[n.a]
}

// Kind returns the role of a Var. Of another expression the result means nothing.
func (e Expr) Kind() VarKind { return e.node().kind }

// Index returns the number of a Var (2 of y2), or the tuple index of a Call. Of another
// expression the result means nothing.
func (e Expr) Index() int {
	n := e.node()
	if n.op == Call {
		return int(n.c >> 16)
	}
	return int(n.b)
}

// Types returns the set of the types of e and of its subterms.
func (e Expr) Types() TypeSet { return e.node().types }

// States returns the set of the x_i that e mentions, as a bit mask: bit i for x_i.
func (e Expr) States() uint64 { return e.node().state }

// IsLeaf reports whether e mentions no x_i.
func (e Expr) IsLeaf() bool { return e.node().state == 0 }

// IsInvariant reports whether e mentions neither an x_i nor anything that changes from step to step: it may stand for a constant k.
func (e Expr) IsInvariant() bool {
	n := e.node()
	return n.state == 0 && n.flags&(mentionsLeaf|mentionsCoord) == 0
}

// HasCall reports whether e contains an opaque call.
func (e Expr) HasCall() bool { return e.node().flags&mentionsCall != 0 }

// IsDetermined reports whether values of variables give e one value on every machine: it contains no call, and no operator is [Op.ByMachine].
func (e Expr) IsDetermined() bool { return e.node().flags&(mentionsCall|byMachine) == 0 }

// IsClosed reports whether e is determined and contains only literals and operators.
func (e Expr) IsClosed() bool { n := e.node(); return n.state == 0 && n.flags == 0 }

// manyNames is how many names are found faster by comparing than by hashing.
const manyNames = 12

func (p *Pool) name(s string) uint32 {
	if p.check(); p.nameIDs == nil {
		if i := slices.Index(p.names, s); i >= 0 {
			return uint32(i)
		}
	} else if id, ok := p.nameIDs[s]; ok {
		return id
	}
	id := uint32(len(p.names))
	p.names = append(p.names, s)
	switch {
	case p.nameIDs != nil:
		p.nameIDs[s] = id
	case id == manyNames:
		p.nameIDs = map[string]uint32{}
		for i, name := range p.names {
			p.nameIDs[name] = uint32(i)
		}
	}
	return id
}

func hashNode(n *node, args []uint32) uint32 {
	h := uint64(n.op)<<40 ^ uint64(n.typ)<<48 ^ uint64(n.kind)<<56 ^ uint64(n.a)
	h = (h ^ h>>29) * 0x9e3779b97f4a7c15
	if n.op == Call {
		h ^= uint64(n.c) * 0xff51afd7ed558ccd
		for _, a := range args {
			h = (h ^ h>>31 ^ uint64(a)) * 0x94d049bb133111eb
		}
	} else {
		h ^= uint64(n.b)<<32 | uint64(n.c)
		h = (h ^ h>>31) * 0x94d049bb133111eb
	}
	return uint32(h >> 32)
}

func (p *Pool) same(n *node, args []uint32, id uint32) bool {
	m := &p.nodes[id]
	if m.op != n.op || m.typ != n.typ || m.kind != n.kind || m.a != n.a || m.c != n.c {
		return false
	}
	if n.op != Call {
		return m.b == n.b
	}
	for i, a := range args {
		if p.args[int(m.b)+i] != a {
			return false
		}
	}
	return true
}

// intern finds or adds n; args are the operands of a Call.
func (p *Pool) intern(n node, args []uint32) Expr {
	if p == nil || len(p.table) == 0 {
		p.check()
		p.grow()
	}
	p.Work(1)
	h := hashNode(&n, args)
	mask := uint32(len(p.table) - 1)
	i := h & mask
	for ; p.table[i] != 0; i = (i + 1) & mask {
		if id := p.table[i] - 1; p.hashes[id] == h && p.same(&n, args, id) {
			return Expr{p, id}
		}
	}
	p.summarise(&n, args)
	id := uint32(len(p.nodes))
	p.nodes, p.hashes = append(p.nodes, n), append(p.hashes, h)
	p.table[i] = id + 1
	if len(p.nodes)*2 > len(p.table) {
		p.grow()
	}
	return Expr{p, id}
}

// summarise fills in what a new node knows of the tree below it, and panics where the node has
// no type.
func (p *Pool) summarise(n *node, args []uint32) {
	if n.typ == Invalid || int(n.typ) >= NumTypes {
		panic("ir: no expression has the type " + n.typ.String())
	}
	size := uint64(1)
	n.types = 1 << n.typ
	add := func(id uint32) {
		m := &p.nodes[id]
		n.types |= m.types
		n.state |= m.state
		n.flags |= m.flags
		size += uint64(m.size)
	}
	switch n.op {
	case Const:
	case Var:
		switch n.kind {
		case State:
			n.state = 1 << n.b
		case Leaf:
			n.flags = mentionsLeaf
		case Coord:
			n.flags = mentionsCoord
		case Param:
			n.flags = mentionsParam
		}
	case Call:
		n.flags = mentionsCall
		n.b = uint32(len(p.args))
		p.args = append(p.args, args...)
		for _, a := range args {
			add(a)
		}
	default:
		kids := [3]uint32{n.a, n.b, n.c}
		for _, k := range kids[:n.op.Arity()] {
			add(k)
		}
		if n.op.ByMachine() {
			n.flags |= byMachine
		}
	}
	n.size = uint32(min(size, maxSize))
}

// grow makes the table twice as large, and room for as many nodes as are in it before it grows again.
func (p *Pool) grow() {
	p.table = make([]uint32, max(64, 2*len(p.table)))
	more := len(p.table)/2 + 1 - len(p.nodes)
	p.nodes, p.hashes = slices.Grow(p.nodes, more), slices.Grow(p.hashes, more)
	mask := uint32(len(p.table) - 1)
	for id, h := range p.hashes {
		i := h & mask
		for p.table[i] != 0 {
			i = (i + 1) & mask
		}
		p.table[i] = uint32(id) + 1
	}
}

// Const returns the literal of type t with the value v, carried and wrapped as [Type.Wrap] says.
// There is one NaN.
func (p *Pool) Const(t Type, v uint64) Expr {
	if t.IsFloat() {
		v = FloatBits(t, Float(t, v))
	}
	v = t.Wrap(v)
	return p.intern(node{op: Const, typ: t, a: uint32(v), b: uint32(v >> 32)}, nil)
}

// Int returns the literal v of type t: wrapped in an integer type, rounded in a float type.
func (p *Pool) Int(t Type, v int64) Expr {
	if t.IsFloat() {
		return p.Const(t, FloatBits(t, float64(v)))
	}
	return p.Const(t, uint64(v))
}

// Float returns the literal f, rounded once to the float type t. It panics for another type.
func (p *Pool) Float(t Type, f float64) Expr { return p.Const(t, FloatBits(t, f)) }

// Bool returns the literal true or false.
func (p *Pool) Bool(b bool) Expr {
	if b {
		return p.Const(Bool, 1)
	}
	return p.Const(Bool, 0)
}

// Var returns the variable of the given role, name and number. Variables that differ in one of these or in their type are different, and
// print alike where they have one name. It panics where IsName refuses the name, where another variable than the state's component 3 is
// called x3, or where a state variable has a number outside 0 ≤ index < MaxState.
func (p *Pool) Var(kind VarKind, name string, index int, t Type) Expr {
	if !IsName(name) {
		panic(fmt.Sprintf("ir: %.40q is no name of a variable", name))
	}
	if i, ok := stateNumber(name); ok && (kind != State || i != index) {
		panic(fmt.Sprintf("ir: %s is what component %d of the state is called", name, i))
	}
	return p.variable(kind, name, index, t)
}

// Placeholder returns a variable that prints as text. It stands for a term of another notation
// while expressions around it are printed: Read does not read it, and no update may contain it.
func (p *Pool) Placeholder(kind VarKind, text string, index int, t Type) Expr {
	return p.variable(kind, text, index, t)
}

// variable is Var for a name that is known to be good.
func (p *Pool) variable(kind VarKind, name string, index int, t Type) Expr {
	if kind > Coord {
		panic(fmt.Sprintf("ir: there is no role VarKind(%d)", kind))
	}
	if index < 0 || kind == State && index >= MaxState {
		panic(fmt.Sprintf("ir: variable %s has the number %d; components have 0 to %d", name, index, MaxState-1))
	}
	return p.intern(node{op: Var, typ: t, kind: kind, a: p.name(name), b: uint32(index)}, nil)
}

// stateNumber returns 3 of x3.
func stateNumber(name string) (int, bool) {
	if name[0] != 'x' || len(name) > 1 && !isDigit(name[1]) {
		return 0, false
	}
	i, err := strconv.ParseUint(name[1:], 10, 16)
	return int(i), err == nil && strconv.FormatUint(i, 10) == name[1:]
}

// X returns the state variable x_i, where 0 ≤ i < MaxState.
func (p *Pool) X(i int, t Type) Expr { return p.variable(State, varName('x', i), i, t) }

// Y returns the leaf variable y_i.
func (p *Pool) Y(i int, t Type) Expr { return p.variable(Leaf, varName('y', i), i, t) }

// Operands returns the tuples x and y of some types: x_i and y_i have type i.
func (p *Pool) Operands(types []Type) (x, y []Expr) {
	for i, t := range types {
		x, y = append(x, p.X(i, t)), append(y, p.Y(i, t))
	}
	return x, y
}

// K returns the invariant k_i.
func (p *Pool) K(i int, t Type) Expr { return p.variable(Param, varName('k', i), i, t) }

// R returns the reduction coordinate of that name, such as r or r.x. It panics where Var does.
func (p *Pool) R(name string, t Type) Expr { return p.Var(Coord, name, 0, t) }

func varName(letter byte, i int) string {
	if uint(i) < 10 {
		return smallNames[letter-'k'][i]
	}
	return fmt.Sprintf("%c%d", letter, i)
}

// smallNames spares the formatting of k0..z9.
var smallNames = func() (t [16][10]string) {
	for l := range t {
		for i := range t[l] {
			t[l][i] = string(rune('k'+l)) + string(rune('0'+i))
		}
	}
	return
}()

// MaxArgs is the largest number of arguments of a call.
const MaxArgs = 1<<16 - 1

// Call returns the opaque call name(args)[index] of type t, such as a read of an input.
// It mentions whatever its arguments mention. It panics where IsName refuses the name, for more
// than MaxArgs arguments, and unless 0 ≤ index < MaxState.
func (p *Pool) Call(t Type, name string, index int, args ...Expr) Expr {
	if !IsName(name) {
		panic(fmt.Sprintf("ir: %.40q is no name of a call", name))
	}
	if uint(index) >= MaxState || len(args) > MaxArgs {
		panic(fmt.Sprintf("ir: component %d of a call of %s with %d arguments", index, name, len(args)))
	}
	return p.call(t, name, index, args)
}

// call is Call for a name that is known to be good.
func (p *Pool) call(t Type, name string, index int, args []Expr) Expr {
	ids := make([]uint32, len(args))
	for i, a := range args {
		p.own(a)
		ids[i] = a.id
	}
	return p.intern(node{op: Call, typ: t, a: p.name(name), c: uint32(len(args)) | uint32(index)<<16}, ids)
}

// MarkTuple records that calls of that name have several components, so that component 0
// prints as name(…)[0].
func (p *Pool) MarkTuple(name string) {
	p.check()
	if p.tuples == nil {
		p.tuples = map[uint32]bool{}
	}
	p.tuples[p.name(name)] = true
}

func (p *Pool) isTuple(e Expr) bool { return p.tuples[e.node().a] }

func (e Expr) foreign() string {
	if e.pool == nil {
		return noExpr
	}
	return "ir: expressions of different pools in one expression; use Pool.Import"
}

func (p *Pool) own(e Expr) {
	if e.pool != p {
		panic(e.foreign())
	}
}
