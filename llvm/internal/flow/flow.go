// Package flow finds natural loops of functions in LLVM IR, and which blocks dominate which.
package flow

import (
	"slices"

	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// Graph is the control flow of a function.
type Graph struct {
	Func  *syntax.Func
	Succs [][]int // by index of block, in the order of the labels
	Preds [][]int
	Order []int // reverse postorder of what is reachable from the entry
	idom  []int // −1 of the entry and of what is not reachable
	at    []int // place in Order; −1 where it is not reachable
}

// Of returns the graph of a function. A label that names no block leads nowhere.
func Of(f *syntax.Func) *Graph {
	n := len(f.Blocks)
	g := &Graph{Func: f, Succs: make([][]int, n), Preds: make([][]int, n)}
	for i, b := range f.Blocks {
		last := b.Last()
		if last.Op != "br" && last.Op != "switch" && last.Op != "invoke" && last.Op != "indirectbr" && last.Op != "callbr" {
			continue
		}
		labels := last.Labels
		if last.Uses != nil {
			labels = last.Uses
		}
		for _, name := range labels {
			if to := f.Named[name]; to != nil {
				g.Succs[i] = append(g.Succs[i], to.Index)
				if !slices.Contains(g.Preds[to.Index], i) {
					g.Preds[to.Index] = append(g.Preds[to.Index], i)
				}
			}
		}
	}
	g.order()
	g.dominators()
	return g
}

// order numbers blocks in reverse postorder, without recursion: functions may have many blocks.
func (g *Graph) order() {
	n := len(g.Succs)
	seen, next := make([]bool, n), make([]int, n)
	stack := []int{0}
	seen[0] = true
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if next[b] < len(g.Succs[b]) {
			to := g.Succs[b][next[b]]
			next[b]++
			if !seen[to] {
				seen[to] = true
				stack = append(stack, to)
			}
			continue
		}
		g.Order = append(g.Order, b)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(g.Order)
	g.at = slices.Repeat([]int{-1}, n)
	for i, b := range g.Order {
		g.at[b] = i
	}
}

// dominators is the algorithm of Cooper, Harvey and Kennedy.
func (g *Graph) dominators() {
	g.idom = slices.Repeat([]int{-1}, len(g.Succs))
	g.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range g.Order[1:] {
			best := -1
			for _, p := range g.Preds[b] {
				switch {
				case g.at[p] < 0 || g.idom[p] < 0:
				case best < 0:
					best = p
				default:
					best = g.Common(best, p)
				}
			}
			if g.idom[b] != best {
				g.idom[b], changed = best, true
			}
		}
	}
}

// Common returns the nearest block that dominates both.
func (g *Graph) Common(a, b int) int {
	for a != b {
		for g.at[a] > g.at[b] {
			a = g.idom[a]
		}
		for g.at[b] > g.at[a] {
			b = g.idom[b]
		}
	}
	return a
}

// Dominates reports whether every way to b leads over a.
func (g *Graph) Dominates(a, b int) bool {
	return g.at[a] >= 0 && g.at[b] >= 0 && g.Common(a, b) == a
}

// Idom returns the nearest other block that dominates b. The entry is its own.
func (g *Graph) Idom(b int) int { return g.idom[b] }

// IsAcyclic reports whether no block is reached twice.
func (g *Graph) IsAcyclic() bool {
	for b, to := range g.Succs {
		for _, s := range to {
			if g.at[b] >= 0 && g.at[s] <= g.at[b] {
				return false
			}
		}
	}
	return true
}

// Loop is a natural loop.
type Loop struct {
	Header  int
	Latches []int
	Blocks  []int // in reverse postorder, the header first
	Inner   bool  // it has a loop within
	in      map[int]bool
}

// Has reports whether a block belongs to the loop.
func (l *Loop) Has(b int) bool { return l.in[b] }

// Loops returns the natural loops, in the order of their headers. Cycles that are entered in the middle are none.
func (g *Graph) Loops() (loops []*Loop) {
	for _, h := range g.Order {
		l := &Loop{Header: h, in: map[int]bool{h: true}}
		for _, p := range g.Preds[h] {
			if g.Dominates(h, p) {
				l.Latches = append(l.Latches, p)
			}
		}
		if len(l.Latches) == 0 {
			continue
		}
		work := slices.Clone(l.Latches)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !l.in[b] && g.at[b] >= 0 {
				l.in[b] = true
				work = append(work, g.Preds[b]...)
			}
		}
		for _, b := range g.Order {
			if l.in[b] {
				l.Blocks = append(l.Blocks, b)
			}
		}
		loops = append(loops, l)
	}
	for _, l := range loops {
		for _, m := range loops {
			l.Inner = l.Inner || l != m && l.in[m.Header]
		}
		for _, b := range l.Blocks { // a cycle that is no natural loop
			for _, s := range g.Succs[b] {
				l.Inner = l.Inner || l.in[s] && s != l.Header && g.at[s] <= g.at[b]
			}
		}
	}
	return loops
}

// Place returns the debug location of the loop: that of the first instruction of its header that has one, else of its latch.
func (l *Loop) Place(f *syntax.Func) string {
	for _, b := range append([]int{l.Header}, l.Latches...) {
		insts := f.Blocks[b].Insts
		if dbg := insts[len(insts)-1].Meta["!dbg"]; dbg != "" {
			return dbg
		}
	}
	return ""
}
