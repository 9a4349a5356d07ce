package tablegen

import "github.com/rfactor-go/rfactor/ir"

// family is the types that share their enumerations, and the worlds in which these run: an
// operator that is found in an earlier one is not listed again for a later one.
type family struct {
	name   string
	types  []ir.Type
	worlds []string
}

var families = []family{
	{"signed", []ir.Type{ir.I8, ir.I16, ir.I32, ir.I64}, []string{"signed", "integers"}},
	{"unsigned", []ir.Type{ir.U8, ir.U16, ir.U32, ir.U64}, []string{"unsigned", "naturals"}},
	{"float", []ir.Type{ir.F32, ir.F64}, []string{"ieee", "numbers", "reals"}},
	{"bool", []ir.Type{ir.Bool}, []string{"truths"}},
}

// study is one enumeration: all tuples of a shape over a signature.
type study struct {
	world  *world
	shape  string // of the components: n for a number, f for a flag
	wide   bool   // with the wider signature, a second constant and literals
	leaves int
}

func (s study) name() string {
	sig := "paper"
	if s.wide {
		sig = "wide"
	}
	return s.world.name + "-" + s.shape + "-" + sig
}

func (s study) sorts() (out []sort) {
	for _, c := range s.shape {
		if c == 'f' {
			out = append(out, flag)
		} else {
			out = append(out, number)
		}
	}
	return out
}

func (s study) signature() (ops []opcode, ks int, literals []int) {
	ops, ks = s.world.paper, 1
	if !s.wide {
		return ops, ks, nil
	}
	ops = append(append(ops[:len(ops):len(ops)], s.world.wide...), opChoose)
	switch s.world.values {
	case truths:
		return ops, 2, nil
	case unsignedWords, naturals:
		return ops, 2, []int{0, 1}
	}
	return ops, 2, []int{0, 1, -1}
}

// deep are the worlds of i32, whose expressions have as many leaves as the paper's.
func deep(w *world) bool { return w.values == signedWords || w.values == integers }

const (
	shallowLeaves = 6 // of the worlds that are not deep
	wideLeaves    = 5
)

// studies are the enumerations that the options ask for.
func studies(o *Options) (all []study) {
	for i := range worlds {
		w := &worlds[i]
		if !o.wantsWorld(w) {
			continue
		}
		n := min(o.leaves(), shallowLeaves)
		if deep(w) {
			n = o.leaves()
		}
		one, two := "n", []string{"nn"}
		if w.values == truths {
			one, two = "f", []string{"ff"}
		}
		all = append(all, study{w, one, false, n}, study{w, one, true, min(n, wideLeaves)})
		for _, shape := range two {
			all = append(all, study{w, shape, false, n}, study{w, shape, true, min(n, wideLeaves)})
		}
		if w.values != truths && o.wants(ir.Bool) {
			all = append(all, study{w, "nf", true, min(n, wideLeaves)})
		}
	}
	return all
}

// largest is the largest number of leaves of a component. Those of a pair have two or more.
func (s study) largest() int { return s.leaves - 2*(len(s.shape)-1) }

// levels are the numbers of leaves whose functions are kept: those of components, but of one component not the largest, which are
// tried as they are made.
func (s study) levels() int { return min(s.largest(), s.leaves-1) }
