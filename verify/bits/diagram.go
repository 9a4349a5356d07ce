package bits

import "math"

// diagrams decides by binary decision diagrams which literals are the same: each function of inputs has
// one diagram, whatever gates compute it.
type diagrams struct {
	*circuit
	nodes []node
	known map[node]int
	made  map[[3]int]int
	found map[literal]int // the diagrams of gates
}

// node is the number of the diagram high where the input of a level is true, else low.
type node struct{ level, high, low int }

// diagrams asks inputs first that fewer gates part from the outputs: the count of a shift before the
// bits that it moves. Diagrams 0 and 1 are the constants.
func (c *circuit) diagrams(outputs []literal) *diagrams {
	leaf := node{level: math.MaxInt}
	d := &diagrams{c, []node{leaf, leaf}, map[node]int{}, map[[3]int]int{}, map[literal]int{no: 0}}
	seen := map[literal]bool{no: true}
	for queue := outputs; len(queue) > 0; queue = queue[1:] {
		l := queue[0] &^ 1
		if seen[l] {
			continue
		}
		seen[l] = true
		d.Burn(1)
		g := d.gates[l/2]
		if g.kind == input {
			d.found[l] = d.node(node{len(d.nodes), 1, 0})
		} else {
			queue = append(queue, g.a, g.b)
		}
	}
	return d
}

// of returns the diagram of a literal.
func (d *diagrams) of(l literal) int {
	if l&1 != 0 {
		return d.choose(d.of(l.not()), 0, 1)
	}
	n, ok := d.found[l]
	if ok {
		return n
	}
	switch g := d.gates[l/2]; g.kind {
	case conjunction:
		n = d.choose(d.of(g.a), d.of(g.b), 0)
	case difference:
		n = d.choose(d.of(g.a), d.of(g.b.not()), d.of(g.b))
	default:
		panic("internal: an input has no level")
	}
	d.found[l] = n
	return n
}

// choose returns the diagram of a where p is true, else of b.
func (d *diagrams) choose(p, a, b int) int {
	switch {
	case p == 1 || a == b:
		return a
	case p == 0:
		return b
	case a == 1 && b == 0:
		return p
	}
	key := [3]int{p, a, b}
	n, ok := d.made[key]
	if !ok {
		level := min(d.nodes[p].level, d.nodes[a].level, d.nodes[b].level)
		pHigh, pLow := d.at(level, p)
		aHigh, aLow := d.at(level, a)
		bHigh, bLow := d.at(level, b)
		n = d.node(node{level, d.choose(pHigh, aHigh, bHigh), d.choose(pLow, aLow, bLow)})
		d.made[key] = n
	}
	return n
}

// at returns what is left of a diagram where the input of a level is true, and where it is false.
func (d *diagrams) at(level, n int) (high, low int) {
	if x := d.nodes[n]; x.level == level {
		return x.high, x.low
	}
	return n, n
}

// stepsOfNode pays for the memory of a node.
const stepsOfNode = 40

func (d *diagrams) node(x node) int {
	d.Burn(stepsOfNode)
	if x.high == x.low {
		return x.high
	}
	n, ok := d.known[x]
	if !ok {
		n = len(d.nodes)
		d.nodes = append(d.nodes, x)
		d.known[x] = n
	}
	return n
}
