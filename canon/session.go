package canon

import (
	"cmp"
	"context"

	"github.com/rfactor-go/rfactor/egraph"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/internal/reuse"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
)

// A Session saturates expressions of one pool under one set of assumptions. Reset makes it
// ready for others. It is not safe for concurrent use.
type Session struct {
	pool    *ir.Pool
	allowed ir.Assume
	types   ir.TypeSet // that occur
	nonNeg  []ir.Expr
	purpose purpose
	plain   *egraph.Graph
	proving *egraph.Graph // made when it is first asked for
	g       *egraph.Graph // one of the two

	heads []ir.Expr        // of the session's symbols: variables, calls, literals
	nodes []egraph.Node    // of the pool's expressions that were added, plus 1
	added []int32          // their ids, to clear nodes
	done  map[ir.Expr]bool // terms that the theory steps have dealt with
	todo  []theoryTask
	given egraph.Class // classes from here on were made by saturation

	best [levels]choice
	kids []egraph.Class

	// Meter is charged for saturation, which ends where it is used up; nil for none.
	Meter *effort.Meter

	// Own has rules beside those of package rules; nil for none. OwnApplied names those that were applied since
	// it was nil.
	Own        *Own
	OwnApplied map[string]bool

	// Study is what an experiment changes of saturations, and where it watches them; nil for nothing.
	Study *study.Setup
}

// Limits of a saturation. They find what any limits find in the corpus, with room to spare: there
// 5 iterations and 150 nodes are enough. None is of time: an answer must not depend on how busy
// the machine is. A context ends what takes too long.
const (
	maxIterations = 6
	maxNodes      = 800
)

// NewSession returns a session that must be Reset before use.
func NewSession() *Session {
	s := &Session{done: map[ir.Expr]bool{}}
	s.plain = egraph.New(egraph.Options{Analysis: s.analysis()})
	return s
}

func (s *Session) analysis() *egraph.Analysis {
	return &egraph.Analysis{Make: s.nodeFacts, Join: joinFacts}
}

// Reset empties the session for expressions of the pool under the allowed assumptions. With
// proofs saturation is slower, and Explain can be asked. Reset panics on a nil pool.
func (s *Session) Reset(pool *ir.Pool, allowed ir.Assume, proofs bool) {
	if pool == nil {
		panic("canon: Reset of a session with a nil pool")
	}
	s.pool, s.allowed, s.types, s.nonNeg, s.purpose = pool, allowed, 0, nil, matching
	s.g = s.plain
	if proofs {
		if s.proving == nil {
			s.proving = egraph.New(egraph.Options{Analysis: s.analysis(), Proofs: true})
		}
		s.g = s.proving
	}
	s.g.Reset()
	for _, id := range s.added {
		s.nodes[id] = 0
	}
	s.added, s.heads = s.added[:0], s.heads[:0]
	s.done = reuse.Map(s.done)
	s.given = 0
	for l := range s.best {
		s.best[l].changes = 0
	}
}

// AssumeNonNeg says that variables are never negative: reduction coordinates are.
// It must come before the first Add.
func (s *Session) AssumeNonNeg(vars []ir.Expr) { s.nonNeg = vars }

// Graph returns the session's e-graph, for matching and export.
func (s *Session) Graph() *egraph.Graph { return s.g }

// Pool returns the pool of the session's expressions.
func (s *Session) Pool() *ir.Pool { return s.pool }

// Allowed returns the set of assumptions that saturation may use.
func (s *Session) Allowed() ir.Assume { return s.allowed }

// Facts returns what is known of the value of a class. The terms of a class are equal, so that a fact about one holds of all.
func (s *Session) Facts(c egraph.Class) Facts { return Facts(s.g.Data(c)) }

// Same reports whether two classes are known to be equal.
func (s *Session) Same(a, b egraph.Class) bool { return s.g.Find(a) == s.g.Find(b) }

// Add adds an expression of the pool and returns its class. It panics on an expression of
// another pool.
func (s *Session) Add(e ir.Expr) egraph.Class {
	if e.Pool() != s.pool {
		panic("canon: Add of an expression that is not of the session's pool")
	}
	n := s.node(e)
	s.given = max(s.given, egraph.Class(n)+1)
	return s.g.ClassOf(n)
}

// node returns the node that stands for exactly e.
func (s *Session) node(e ir.Expr) egraph.Node {
	id := e.ID()
	for len(s.nodes) <= id {
		s.nodes = append(s.nodes, make([]egraph.Node, max(64, id+1-len(s.nodes)))...)
	}
	if n := s.nodes[id]; n != 0 {
		return n - 1
	}
	var few [3]egraph.Node
	kids := few[:0]
	for i := range e.NumArgs() {
		kids = append(kids, s.node(e.Arg(i)))
	}
	n := s.g.AddNode(s.symbol(e), kids...)
	s.types |= 1 << e.Type()
	s.nodes[id] = n + 1
	s.added = append(s.added, int32(id))
	return n
}

// symbol returns the operator symbol of e's root; new for a variable or call of the session.
func (s *Session) symbol(e ir.Expr) egraph.Op {
	switch e.Op() {
	case ir.Const:
		if sym, ok := literalSymbol(e.Type(), e.Value()); ok {
			return sym
		}
	case ir.Var:
	case ir.Call:
		for i, h := range s.heads {
			if h.Op() == ir.Call && h.Name() == e.Name() && h.Index() == e.Index() && h.Type() == e.Type() && h.NumArgs() == e.NumArgs() {
				return egraph.Op(firstSession + i)
			}
		}
	default:
		return exprSymbol(e)
	}
	s.heads = append(s.heads, e)
	return egraph.Op(firstSession + len(s.heads) - 1)
}

// Saturate rewrites until goal is true, nothing changes, a limit of iterations or nodes is
// reached, the Meter is used up or ctx is done, and reports whether goal is true. It asks goal before the first and
// after every iteration; goal must not change the graph.
func (s *Session) Saturate(ctx context.Context, goal func() bool) bool {
	limits := egraph.Limits{Iterations: maxIterations, Nodes: maxNodes}
	if s.Study != nil {
		limits.Iterations = cmp.Or(s.Study.Iterations, limits.Iterations)
		limits.Nodes = cmp.Or(s.Study.Nodes, limits.Nodes)
	}
	return s.saturate(ctx, limits, goal)
}

func (s *Session) saturate(ctx context.Context, limits egraph.Limits, goal func() bool) bool {
	if goal() {
		return true
	}
	if s.theorySteps(ctx) && goal() {
		return true
	}
	done, steps := false, 0
	rs := s.rules()
	limits, seen := s.watched(rs, limits)
	limits = s.countOwn(rs, limits)
	report := egraph.Run(ctx, s.g, rs, limits, func(it egraph.Iteration) bool {
		seen.grew(it)
		s.Meter.Spend(effort.Saturation, it.Steps-steps+it.Nodes)
		steps = it.Steps
		done = goal() || s.theorySteps(ctx) && goal()
		return !done && !s.Meter.Done()
	})
	seen.ended(rs, limits.Fired, report, done)
	s.noteOwn(rs, limits.Fired)
	return done
}
