package egraph

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A Table is a compiled list of entries, each a tuple of patterns that share
// variables. It never changes. Entries that number their variables alike, by
// role or by first occurrence, are matched together as far as they agree.
type Table struct {
	progs []*program // by number of patterns
	vars  int
}

// CompileTable prepares entries for Match: entries[i][j] is the pattern that
// must match in the class given as root j. A pattern that is too large is an error that names its
// entry.
func CompileTable(entries [][]Pattern) (*Table, error) {
	t := &Table{}
	for i, patterns := range entries {
		vars := 0
		for _, p := range patterns {
			if err := p.check(&vars); err != nil {
				return nil, fmt.Errorf("entry %d: %w", i, err)
			}
		}
		t.vars = max(t.vars, vars)
		for len(t.progs) <= len(patterns) {
			t.progs = append(t.progs, newProgram())
		}
		if _, err := t.progs[len(patterns)].compile(i, patterns, len(patterns), vars, true); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
	}
	for _, prog := range t.progs {
		prog.layOut()
	}
	return t, nil
}

// Operators is a set of operators that may have more than were put into it: some 64 bits tell most apart.
type Operators uint64

// OperatorsOf returns the set of one operator on so many operands.
func OperatorsOf(op Op, arity int) Operators { return 1 << bitOf(headOf(op, arity)) }

// Operators returns the set of the operators that the graph has. It rebuilds the graph first if need be.
func (g *Graph) Operators() Operators {
	g.index.ensure(g, nil)
	return Operators(g.index.all)
}

// A Query asks which entries of a table match.
type Query struct {
	// Roots are the classes in which the patterns of an entry must match; only
	// entries of so many patterns are looked at.
	Roots []Class
	// Bound[v], unless NoClass, is the only class that variable v may stand
	// for. It may be shorter than there are variables.
	Bound []Class
	// Accept, if any, says whether variable v may stand for a class. Found gets
	// every match and returns false to stop; subst has a place for every variable of the table,
	// is NoClass for one that does not occur, and valid only during the call. Neither may change
	// the graph, call Match or Run.
	Accept func(g *Graph, v int, c Class) bool
	Found  func(entry int, subst []Class) bool
	// Steps is set by Match: how many nodes of the graph it looked at.
	Steps int
}

// Match finds all entries that match, in one pass over the table's tree. It
// rebuilds the graph first if need be. It panics for a nil Query.Found.
func (t *Table) Match(g *Graph, q *Query) {
	if t == nil || g == nil || q == nil || q.Found == nil {
		panic("egraph: Match needs a table, a graph and a Query with Found")
	}
	if len(q.Roots) >= len(t.progs) || len(t.progs[len(q.Roots)].yields) == 0 {
		return
	}
	g.index.ensure(g, nil)
	m := queries.Get().(*machine)
	m.begin(g, t.progs[len(q.Roots)])
	for i, c := range q.Roots {
		m.regs[i] = g.Find(c)
	}
	m.bound = m.bound[:0]
	for _, c := range q.Bound {
		if c != NoClass {
			c = g.Find(c)
		}
		m.bound = append(m.bound, c)
	}
	for len(m.subst) < t.vars {
		m.subst = append(m.subst, NoClass)
	}
	m.accept, m.found, m.sink, m.vars = q.Accept, q.Found, report, t.vars
	m.poller.start(context.Background(), time.Time{})
	m.exec(m.prog.code[0].child)
	q.Steps = m.poller.steps()
	m.release()
	queries.Put(m)
}

// queries are machines for the next Match, of any graph.
var queries = sync.Pool{New: func() any { return &machine{} }}

// report hands a match to the query.
func report(m *machine, y int) bool {
	yd := &m.prog.yields[y]
	vars := m.prog.variables(yd)
	for i := 0; i < len(vars); i += 2 {
		m.subst[vars[i]] = m.regs[vars[i+1]]
	}
	ok := m.found(int(yd.entry), m.subst[:m.vars])
	for i := 0; i < len(vars); i += 2 {
		m.subst[vars[i]] = NoClass
	}
	return ok
}
