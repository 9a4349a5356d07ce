package program

import "github.com/rfactor-go/rfactor/ir"

// syn is one node of the syntax tree: not typed yet, without pointers, operands first.
type syn struct {
	kind  synKind
	op    ir.Op
	typ   ir.Type
	neg   bool
	depth uint16
	pos   int32
	a     int32
	b     int32
	c     int32
}

// synKind says what a, b and c of a syn are.
type synKind uint8

const (
	synBad     synKind = iota // reported already
	synNum                    // text[a:b], negated where neg
	synLimit                  // the limit a of typ, or of the type that is wanted
	synBool                   // a is 0 or 1
	synName                   // names[a]
	synCall                   // names[a], operands args[b:b+c]
	synIndex                  // element b of a
	synLocal                  // a, by a name
	synDerived                // the function names[a] of derivedFuncs, operands args[b:b+c]
	synTable                  // the same; the first operand is the index
	synOp                     // op of a, b, c
	synCast                   // typ(a)
	synPow                    // pow(a, b)
	synWiden                  // op of a and b in the next wider type
)

// The limits that have a name.
const (
	limitMin int32 = iota
	limitMax
	limitInf
	limitNaN
)

var limitNames = map[string]int32{"tmin": limitMin, "tmax": limitMax, "inf": limitInf, "nan": limitNaN}

// tree is the syntax of one source.
type tree struct {
	*reporter
	nodes   []syn
	args    []int32
	names   []string
	nameIDs map[string]int32
}

func newTree(src *ir.Source) *tree {
	return &tree{reporter: &reporter{src: src}, nodes: make([]syn, 1, 64), nameIDs: map[string]int32{}}
}

func (t *tree) intern(name string) int32 {
	id, ok := t.nameIDs[name]
	if !ok {
		id = int32(len(t.names))
		t.names, t.nameIDs[name] = append(t.names, name), id
	}
	return id
}

// kids are the operands of node n.
func (t *tree) kids(n int32) []int32 {
	s := &t.nodes[n]
	switch s.kind {
	case synCall, synDerived, synTable:
		return t.args[s.b : s.b+s.c]
	case synIndex, synCast, synLocal:
		return []int32{s.a}
	case synPow, synWiden:
		return []int32{s.a, s.b}
	case synOp:
		return []int32{s.a, s.b, s.c}[:s.op.Arity()]
	}
	return nil
}

// name is the name of a synName, synCall or synDerived.
func (t *tree) name(n int32) string { return t.names[t.nodes[n].a] }

// unindexed is the operand of an index, with the index; n itself and 0, false for others.
func (t *tree) unindexed(n int32) (inner int32, index int, indexed bool) {
	if s := &t.nodes[n]; s.kind == synIndex {
		return s.a, int(s.b), true
	}
	return n, 0, false
}

// isLogical reports whether op takes and gives bool.
func isLogical(op ir.Op) bool { return op == ir.Not || op == ir.And || op == ir.Or }
