package bits

import (
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/poly"
)

// node is the diagram high where the input of a level is true, else low.
type node struct {
	level     int64
	high, low bit
}

// diagrams makes the diagrams of one equation.
type diagrams struct {
	*poly.Space // which pays
	first       [][]string
	nodes       []node
	numbers     map[node]bit
	chosen      map[[3]bit]bit
	inputs      int // words of inputs
}

func newDiagrams(space *poly.Space, first [][]string) *diagrams {
	leaf := node{level: math.MaxInt64}
	return &diagrams{space, first, []node{leaf, leaf}, map[node]bit{}, map[[3]bit]bit{}, 0}
}

// fresh returns a word of inputs. Of the words of a group the low bits are asked before the high ones,
// since carries go up.
func (d *diagrams) fresh(t ir.Type, name string) word {
	group := slices.IndexFunc(d.first, func(names []string) bool { return slices.Contains(names, name) })
	if group < 0 {
		group = len(d.first)
	}
	w := make(word, t.Bits())
	d.inputs++
	for i := range w {
		w[i] = d.node(node{int64(group*maxBits+i)<<32 | int64(d.inputs), yes, no})
	}
	return w
}

// maxBits is the width of the widest word.
const maxBits = 64

// stepsOfNode pays for the memory of a node.
const stepsOfNode = 40

func (d *diagrams) node(x node) bit {
	d.Burn(stepsOfNode)
	if x.high == x.low {
		return x.high
	}
	n, ok := d.numbers[x]
	if !ok {
		n = bit(len(d.nodes))
		d.nodes = append(d.nodes, x)
		d.numbers[x] = n
	}
	return n
}

// choose returns a where p is true, else b.
func (d *diagrams) choose(p, a, b bit) bit {
	switch {
	case p == yes || a == b:
		return a
	case p == no:
		return b
	case a == yes && b == no:
		return p
	}
	key := [3]bit{p, a, b}
	n, ok := d.chosen[key]
	if !ok {
		level := min(d.nodes[p].level, d.nodes[a].level, d.nodes[b].level)
		pHigh, pLow := d.at(level, p)
		aHigh, aLow := d.at(level, a)
		bHigh, bLow := d.at(level, b)
		n = d.node(node{level, d.choose(pHigh, aHigh, bHigh), d.choose(pLow, aLow, bLow)})
		d.chosen[key] = n
	}
	return n
}

// at returns what is left of a diagram where the input of a level is true, and where it is false.
func (d *diagrams) at(level int64, n bit) (high, low bit) {
	if x := d.nodes[n]; x.level == level {
		return x.high, x.low
	}
	return n, n
}

func (d *diagrams) not(a bit) bit    { return d.choose(a, no, yes) }
func (d *diagrams) and(a, b bit) bit { return d.choose(a, b, no) }
func (d *diagrams) or(a, b bit) bit  { return d.choose(a, yes, b) }
func (d *diagrams) xor(a, b bit) bit { return d.choose(a, d.not(b), b) }
func (d *diagrams) lost() bool       { return false }
