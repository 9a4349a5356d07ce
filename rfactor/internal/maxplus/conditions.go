package maxplus

// condition is a function of flags as an ordered decision diagram: equal functions are the same
// condition.
type condition int32

const (
	never condition = iota
	always
)

// node decides by a flag: what is above it in a diagram decides by smaller ones.
type node struct {
	flag      int
	then, els condition
}

// conditions keeps every node once.
type conditions struct {
	nodes  []node // of the first two, which are no decisions, the flag is beyond all others
	known  map[node]condition
	chosen map[[3]condition]condition
}

func newConditions() *conditions {
	last := node{flag: int(^uint(0) >> 1)}
	return &conditions{nodes: []node{last, last}, known: map[node]condition{}, chosen: map[[3]condition]condition{}}
}

func (c *conditions) make(n node) condition {
	if n.then == n.els {
		return n.then
	}
	id, ok := c.known[n]
	if !ok {
		id = condition(len(c.nodes))
		c.nodes = append(c.nodes, n)
		c.known[n] = id
	}
	return id
}

// variable is the condition that a flag holds.
func (c *conditions) variable(flag int) condition { return c.make(node{flag, always, never}) }

// choose is p ? a : b. Beyond the bound of nodes it is anything.
func (c *conditions) choose(p, a, b condition) condition {
	switch {
	case p == always || a == b:
		return a
	case p == never:
		return b
	case len(c.nodes) > maxNodes:
		return never
	}
	key := [3]condition{p, a, b}
	if out, ok := c.chosen[key]; ok {
		return out
	}
	flag := min(c.nodes[p].flag, c.nodes[a].flag, c.nodes[b].flag)
	at := func(x condition, holds bool) condition {
		switch n := c.nodes[x]; {
		case n.flag != flag:
			return x
		case holds:
			return n.then
		default:
			return n.els
		}
	}
	out := c.make(node{flag, c.choose(at(p, true), at(a, true), at(b, true)), c.choose(at(p, false), at(a, false), at(b, false))})
	c.chosen[key] = out
	return out
}

func (c *conditions) and(a, b condition) condition { return c.choose(a, b, never) }
func (c *conditions) or(a, b condition) condition  { return c.choose(a, always, b) }
func (c *conditions) not(a condition) condition    { return c.choose(a, never, always) }
