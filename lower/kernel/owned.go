package kernel

import "github.com/rfactor-go/rfactor/ir"

// Owned cuts a run into parts, one for each lane. A lane combines the elements of its part in their order, or composes their
// steps. The results of the parts are joined with the state in the order of the parts. A vector of words is loaded from each part and
// transposed, so that each lane gets words of its own part.
type Owned struct {
	Copies int
	Word   ir.Type    // of the lanes, unsigned
	Each   int        // elements in a word
	Steps  [][]*Value // of each of them, the components' values; Load is the words of a stream
	First  []ir.Expr  // what the first element of a part makes of its components; nil where parts start with what changes nothing
	Join   []ir.Expr  // of the state and a part's, over State and Right
	Most   int        // elements of a part
	Least  int        // shorter parts are left to steps
}

func (Owned) node() {}

// Lanes is how many parts a copy has.
func (o *Owned) Lanes(bits int) int { return bits / o.Word.Bits() }

// cost is that of an element: what steps wait for one another, or operations, with those that transpose words.
func (o *Owned) cost(k *Kernel, bits int) float64 {
	work, waits := 0.0, 0.0
	for _, step := range o.Steps {
		seen := map[*Value]bool{}
		for _, v := range step {
			v.Walk(func(v *Value) {
				if !seen[v] {
					seen[v] = true
					work += laneOp(v).work
				}
			})
			waits = max(waits, laneArrival(v))
		}
	}
	const transposed = 5 // a word's operations and loads
	work += float64(transposed * float64(len(k.Streams)))
	return max(waits*float64(o.Each)/float64(o.Copies), work/OpsACycle) / float64(o.Lanes(bits)*o.Each)
}

// Part is how long the parts of a block are, of which so many elements are left; 0 where they are left to steps.
func (o *Owned) Part(left, bits int) int {
	lanes := o.Lanes(bits) * o.Copies
	blocks := (left + lanes*o.Most - 1) / (lanes * o.Most)
	if blocks == 0 {
		return 0
	}
	part := left / (blocks * lanes)
	if o.First != nil {
		part--
	}
	if part < o.Least {
		return 0
	}
	if part = ((part/o.Line() - 1) | 1) * o.Line(); o.First != nil {
		part++
	}
	return part
}

// Tile is how many elements of a part are taken at once: as many as 128 bits have.
func (o *Owned) Tile() int { return 128 / o.Word.Bits() * o.Each }

// Line is how many elements a line of a cache has. Parts have an odd number of lines, so that no two begin in the same set of a cache.
func (o *Owned) Line() int { return 4 * o.Tile() }

// owned checks the values of steps.
func (c *checker) owned(o Owned) {
	for _, step := range o.Steps {
		if len(step) != len(c.k.Accumulators) {
			c.failf("a step of %d values for %d accumulators", len(step), len(c.k.Accumulators))
		}
	}
	if len(o.Steps) != o.Each {
		c.failf("%d steps for %d elements", len(o.Steps), o.Each)
	}
}
