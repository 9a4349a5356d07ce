package tablegen

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/simd"
)

// screen refutes nearly all tuples that are not associative, or that have no identity,
// without evaluating an expression. For every function of the lower levels it has a row:
// the codes of its values at fixed places. Those of a function of such functions follow
// from theirs, and a triple of associativity is a comparison of a few of them. The screen
// says nothing where a value has no code or no place; what it refutes, evaluation refutes
// too.
type screen struct {
	tables  [numOpcodes]*table
	numbers rows
	flags   rows
	width   int       // places of a row
	triples int       // in the first places: (x, y), (y, z), (·, z), (x, ·) of each
	grid    int       // places of (·, z): one for each tuple of few values
	index   []*places // of a component's value in the grid
	size    []int     // values of a component in the grid
	trials  []trialOfIdentity
	choices int // of an identity
	held    held
}

// held is the row of one function beyond the stored ones, computed because it is about to be
// the operand of many.
type held struct {
	id  uint32
	row []code
}

// rows are those of the functions of one sort.
type rows struct {
	nodes  []node
	values []code
	stored uint32 // functions that have a row: the first ones
}

// places are where in a grid the values of a component are found; noPlace if nowhere.
type places [256]uint8

const noPlace = 255

// trialOfIdentity is a point at which f(e, y) = y and f(x, e) = x are tried: from a place on
// for all choices of e, first as the left operand, then as the right one.
type trialOfIdentity struct {
	from int
	want [2][]code // y_i, x_i
}

// sizes of the screen: for a single component there is a place for more values than for a
// pair, which needs one for each two of them.
func gridOf(components int) (values, triples int) {
	if components == 1 {
		return 15, 4
	}
	return 9, 4
}

const identityTrials = 3

// newScreen makes the rows of the levels that are merged.
func newScreen[T simd.Number](s *space[T]) *screen {
	ids := identities(s)
	_, depend := laterPoints(s)
	c := newCoder(s, ids)
	k := &screen{}
	for _, op := range s.ops {
		if len(operations[op].args) < 3 {
			k.tables[op] = c.table(op)
		}
	}
	envs := c.triples(k)
	envs = c.identities(k, envs, ids, depend)
	k.width = len(envs)
	var variables [maxVars][]code
	for v := range s.vars {
		for i := range envs {
			variables[v] = append(variables[v], c.code(envs[i][v]))
		}
	}
	top := min(s.complete, s.merged)
	k.numbers = newRows(s.numbers.nodes, s.numbers.levels[top], k.width)
	k.flags = newRows(s.flags.nodes, s.flags.levels[top], k.width)
	for n := 1; n <= top; n++ {
		for of := range numSorts {
			from, to := s.levelOf(of, n)
			for id := from; id < to; id++ {
				row, nd := k.row(of, id), s.node(of, id)
				if nd.op == opVar {
					copy(row, variables[nd.args[0]])
				} else {
					k.fill(row, &nd)
				}
			}
		}
	}
	return k
}

func newRows(nodes []node, stored uint32, width int) rows {
	return rows{nodes, make([]code, int(stored)*width), stored}
}

// triples chooses those of the first triples whose values have codes, and answers the
// points that make them up.
func (c *coder[T]) triples(k *screen) (envs []env[T]) {
	components := len(c.s.types)
	values, most := gridOf(components)
	least := -(values / 2)
	if c.s.w.values == naturals {
		least = 0
	}
	k.grid = 1
	for _, of := range c.s.types {
		p := new(places)
		for i := range p {
			p[i] = noPlace
		}
		from, n := least, values
		if of == flag {
			from, n = 0, 2
		}
		for i := range n {
			p[codeOf(from+i)] = uint8(i)
		}
		k.index, k.size = append(k.index, p), append(k.size, n)
		k.grid *= n
	}
	for i := range c.s.pts.triples {
		t := &c.s.pts.triples[i]
		if k.triples == most || !c.coded(&t.xy) || !c.coded(&t.yz) {
			continue
		}
		k.triples++
		envs = append(envs, t.xy, t.yz)
		envs = c.spread(envs, k, t.left, 0, least)
		envs = c.spread(envs, k, t.right, components, least)
	}
	return envs
}

// spread adds a point for each tuple of the grid, which takes the place of an operand.
func (c *coder[T]) spread(envs []env[T], k *screen, e env[T], operand, least int) []env[T] {
	points := []env[T]{e}
	for i, n := range k.size {
		from := least
		if c.s.types[i] == flag {
			from = 0
		}
		var next []env[T]
		for _, p := range points {
			for v := range n {
				p[operand+i] = T(int64(from + v))
				next = append(next, p)
			}
		}
		points = next
	}
	return append(envs, points...)
}

func (c *coder[T]) coded(e *env[T]) bool {
	for v := range c.s.vars {
		if !c.exact(c.code(e[v])) {
			return false
		}
	}
	return true
}

// identities adds the points at which identities are tried, for tuples.
func (c *coder[T]) identities(k *screen, envs []env[T], ids []identity[T], depend []env[T]) []env[T] {
	n := len(c.s.types)
	if n == 1 {
		return envs
	}
	choices := identityChoices(c.s.types, ids)
	if k.choices = len(choices); k.choices > 64 {
		panic("tablegen: internal: more identities than bits")
	}
	for i := range depend {
		if len(k.trials) == identityTrials || !c.coded(&depend[i]) {
			continue
		}
		t := trialOfIdentity{from: len(envs)}
		for side := range 2 {
			at, other := side*n, n-side*n
			for j := range n {
				t.want[side] = append(t.want[side], c.code(depend[i][other+j]))
			}
			for _, pick := range choices {
				envs = append(envs, withIdentity(depend[i], pick, at))
			}
		}
		k.trials = append(k.trials, t)
	}
	return envs
}

func (k *screen) of(s sort) *rows {
	if s == flag {
		return &k.flags
	}
	return &k.numbers
}

// row is that of a function that has one.
func (k *screen) row(of sort, id uint32) []code {
	return k.of(of).values[int(id)*k.width : (int(id)+1)*k.width]
}

// fill computes a row from those of the operands.
func (k *screen) fill(row []code, n *node) {
	o := &operations[n.op]
	a, b := k.row(o.args[0], n.args[0]), []code(nil)
	if len(o.args) > 1 {
		b = k.row(o.args[1], n.args[1])
	}
	switch len(o.args) {
	case 1:
		t := k.tables[n.op]
		for i, v := range a {
			row[i] = t.at(v, v)
		}
	case 2:
		t := k.tables[n.op]
		for i, v := range a {
			row[i] = t.at(v, b[i])
		}
	case 3:
		for i := range a {
			row[i] = k.value(n, i)
		}
	}
}

// number is a function's value at a place.
func (k *screen) number(id uint32, place int) code {
	if id < k.numbers.stored {
		return k.numbers.values[int(id)*k.width+place]
	}
	if id == k.held.id && k.held.row != nil {
		return k.held.row[place]
	}
	return k.value(&k.numbers.nodes[id], place)
}

func (k *screen) flag(id uint32, place int) code {
	if id < k.flags.stored {
		return k.flags.values[int(id)*k.width+place]
	}
	return k.value(&k.flags.nodes[id], place)
}

// value is the same, given the root.
func (k *screen) value(n *node, place int) code {
	t := k.tables[n.op]
	switch {
	case t == nil:
		return k.choice(n, place)
	case n.op >= opBoth:
		return t.at(k.flag(n.args[0], place), k.flag(n.args[1], place))
	}
	return t.at(k.number(n.args[0], place), k.number(n.args[1], place)) // of a unary operation, the first one counts
}

func (k *screen) choice(n *node, place int) code {
	var pick uint32
	switch k.flag(n.args[0], place) {
	case codeOf(1):
		pick = n.args[1]
	case codeOf(0):
		pick = n.args[2]
	default:
		return unknown
	}
	if n.op == opSelect {
		return k.number(pick, place)
	}
	return k.flag(pick, place)
}

// hold computes the row of a number, if it has none.
func (k *screen) hold(id uint32) {
	if id < k.numbers.stored {
		return
	}
	if k.held.row == nil {
		k.held.row = make([]code, k.width)
	}
	n := &k.numbers.nodes[id]
	k.held.id = noID
	if o := &operations[n.op]; len(o.args) == 2 && n.args[0] < k.numbers.stored && n.args[1] < k.numbers.stored {
		k.fill(k.held.row, n)
	} else {
		for i := range k.held.row {
			k.held.row[i] = k.value(n, i)
		}
	}
	k.held.id = id
}

// part is a component as the screen reads it: a row, where the function has one.
type part struct {
	component
	row        []code
	table      *table // or its root, and the rows of the operands
	left       []code
	right      []code
	identities [2]uint64 // choices that may be one: as the left operand, as the right one
}

// part makes one of a function of the space.
func (k *screen) part(of sort, id uint32, leaves int) part {
	r := k.of(of)
	p := part{component: component{r.nodes[id], of, leaves}}
	if id < r.stored {
		p.row = k.row(of, id)
	}
	return p
}

// root makes one of a function that is no function of the space, but its operands are.
func (k *screen) root(n node, of sort, leaves int) part {
	p := part{component: component{n, of, leaves}}
	if o := &operations[n.op]; len(o.args) == 2 && o.args[0] == number {
		if a, b := k.numberRow(n.args[0]), k.numberRow(n.args[1]); a != nil && b != nil {
			p.table, p.left, p.right = k.tables[n.op], a, b
		}
	}
	return p
}

// numberRow is the row of a number, nil if there is none.
func (k *screen) numberRow(id uint32) []code {
	switch {
	case id < k.numbers.stored:
		return k.row(number, id)
	case id == k.held.id:
		return k.held.row
	}
	return nil
}

func (k *screen) partAt(p *part, place int) code {
	switch {
	case p.row != nil:
		return p.row[place]
	case p.table != nil:
		return p.table.at(p.left[place], p.right[place])
	}
	return k.value(&p.node, place)
}

// refutes reports whether at one of the triples a tuple is seen not to be associative.
func (k *screen) refutes(tuple []part) bool {
next:
	for t := range k.triples {
		base := t * (2 + 2*k.grid)
		l, r := 0, 0
		for i := range tuple {
			a, b := k.index[i][k.partAt(&tuple[i], base)], k.index[i][k.partAt(&tuple[i], base+1)]
			if a == noPlace || b == noPlace {
				continue next
			}
			l, r = l*k.size[i]+int(a), r*k.size[i]+int(b)
		}
		for i := range tuple {
			a, b := k.partAt(&tuple[i], base+2+l), k.partAt(&tuple[i], base+2+k.grid+r)
			if differ(a, b) {
				return true
			}
		}
	}
	return false
}

// identities are those of some choices that may be an identity for component i of a tuple,
// as the left operand or as the right one.
func (k *screen) identities(p *part, i, side int, among uint64) uint64 {
	for left := among; left != 0; left &= left - 1 {
		c := bits.TrailingZeros64(left)
		for _, t := range k.trials {
			if differ(k.partAt(p, t.from+side*k.choices+c), t.want[side][i]) {
				among &^= 1 << c
				break
			}
		}
	}
	return among
}

func (k *screen) identify(p *part, i int) {
	for side := range p.identities {
		p.identities[side] = k.identities(p, i, side, 1<<k.choices-1)
	}
}

// mayShare reports whether component i may have one of some identities.
func (k *screen) mayShare(p *part, i int, ids [2]uint64) bool {
	return k.identities(p, i, 0, ids[0]) != 0 || k.identities(p, i, 1, ids[1]) != 0
}
