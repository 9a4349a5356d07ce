package funcs

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// tree writes the scan of a tile of floats by a fixed tree, which combines blocks of plan.TreeLanes elements; the first block, and what is left, are the
// plain function's.
func (w *scanWriter) tree() {
	w.head("bool", true, 1)
	first := fmt.Sprintf("[:%d]", plan.TreeLanes)
	w.F("fine := %sTree%s", w.r.Name, w.r.passed(w.r.treeState("begun"), first))
	w.advance(plan.TreeLanes)
	switch w.r.Lanes.Kind {
	case forms.ComposedScan:
		w.composed()
	case forms.AffineScan:
		w.affineTree()
	default:
		w.plainTree()
	}
	w.F("return %sTree%s && fine\n}", w.r.Name, w.r.passed(w.r.treeState("true"), ""))
}

// vectorsOf is how many vectors a block of a tree has.
func (w *scanWriter) vectorsOf() int { return plan.TreeLanes / w.l.Lanes() }

// total is the last lane, everywhere.
func (w *scanWriter) total(v string) string {
	if w.l.Bits == 32 {
		return v + ".Permute(seven)"
	}
	return w.l.Total(v)
}

// constants declares what the steps of a tree take besides.
func (w *scanWriter) constants(even string) {
	if w.l.Bits == 32 {
		w.F("even, seven := archsimd.BroadcastUint64x4(%s), archsimd.BroadcastUint32x8(7)", even)
	}
}

// watch declares what tells whether all states are finite: 0 times each is added up, by each vector of a turn apart. Additions of the states' differences
// to themselves would wait for those of the tree, which are many.
func (w *scanWriter) watch(vectors int) {
	w.F("zero := %s", w.splat("0"))
	for i := range vectors {
		w.F("finite%d := zero", i)
	}
}

func (w *scanWriter) watched(i int, v string) {
	w.F("finite%[1]d = %[2]s.MulAdd(zero, finite%[1]d)", i, v)
}

// leave stores what so many vectors of a turn have watched, and ends the use of vectors.
func (w *scanWriter) leave(vectors int) {
	sum := "finite0"
	for i := 1; i < vectors; i++ {
		sum += fmt.Sprintf(".Add(finite%d)", i)
	}
	w.F("%s.StoreArray(&ends[0])", sum)
	w.restore()
	w.F("for _, v := range ends[0] {\nfine = fine && v == 0\n}")
}

// plainTree writes the loop of a plain operation, by two vectors a turn: one block of 64 bits, or two of 32.
func (w *scanWriter) plainTree() {
	op, identity, even := "Mul", "1", "0x3f800000"
	if w.r.Lanes.Op == ir.Add {
		op, identity, even = "Add", w.l.Elem+"("+w.use("math")+".Copysign(0, -1))", "1<<31"
	}
	loads, values := w.values(2)
	w.F("begin := [...]%s{so.total, 0}", w.l.Elem)
	w.keep(2)
	w.hoisted()
	w.F("id, sum, carry := %s, %s, %s", w.splat(identity), w.splat("begin[0]"), w.splat(keptState(w.l.Bits)))
	w.watch(2)
	w.constants(even)
	w.loop(2, 0)
	w.WriteString(loads)
	names := []string{"v", "w"}
	for i, v := range names {
		w.F("%s := %s", v, values[i][0])
		w.WriteString(w.l.TreeSteps(op, v))
	}
	whole := w.vectorsOf() == 1 // a vector is a block
	if whole {
		w.F("s, t := %s, %s", w.total("v"), w.total("w"))
	} else {
		w.F("w = w.%s(%s)\nt := %s", op, w.l.Total("v"), w.total("w"))
	}
	for i, v := range names {
		w.F("%[1]s = carry.%[2]s(sum.%[2]s(%[1]s))", v, op)
		w.store(v, i*w.l.Lanes())
		w.watched(i, v)
		if i == 0 && whole {
			w.F("sum = sum.%s(s)", op)
		}
	}
	w.F("sum = sum.%s(t)\n}\nsum.StoreArray(&ends[1])", op)
	w.leave(2)
	w.F("so.total = ends[1][0]")
}

// keptState is where the state lies while vectors are in use.
func keptState(bits int) string { return fmt.Sprintf("kept%d[0]", bits) }

func (w *scanWriter) affineTree() {
	n := w.vectorsOf()
	loads, values := w.values(n)
	w.F("begin := [...]%s{so.factor, so.total}", w.l.Elem)
	w.keep(3)
	w.hoisted()
	w.watch(n)
	w.F("one, carry := %s, %s", w.splat("1"), w.splat(keptState(w.l.Bits)))
	w.F("factor, sum := %s, %s", w.splat("begin[0]"), w.splat("begin[1]"))
	w.constants("0x3f800000")
	for _, step := range []int{1, 2, 4} {
		if step < w.l.Lanes() {
			w.F("idle%d := %s", step, w.l.Idle(step))
		}
	}
	pairs := [][2]string{{"p", "q"}, {"u", "v"}}[:n]
	last := pairs[n-1]
	if w.uniform() { // powers are computed once
		w.F("p := %s", values[0][0])
		w.WriteString(w.l.Powers("p"))
		if n > 1 {
			w.F("u := %s.Mul(p)", w.l.Total("p"))
		}
		w.F("s := %s", w.total(last[0]))
	}
	w.loop(n, 0)
	w.WriteString(loads)
	for i, v := range pairs {
		if w.uniform() {
			w.F("%s := %s", v[1], values[i][1])
			w.WriteString(w.l.SummandSteps(v[1]))
		} else {
			w.F("%s, %s := %s, %s", v[0], v[1], values[i][0], values[i][1])
			w.WriteString(w.l.AffineSteps(v[0], v[1]))
		}
		switch {
		case i > 0 && w.uniform():
			w.F("v = %s.Mul(p).Add(v)", w.l.Total("q"))
		case i > 0:
			w.F("v = %s.Mul(u).Add(v)\nu = %s.Mul(u)", w.l.Total("q"), w.l.Total("p"))
		}
	}
	if !w.uniform() {
		w.F("s := %s", w.total(last[0]))
	}
	w.F("t := %s", w.total(last[1]))
	for i, v := range pairs {
		w.F("%[2]s = carry.Mul(factor.Mul(%[1]s)).Add(sum.Mul(%[1]s).Add(%[2]s))", v[0], v[1])
		w.store(v[1], i*w.l.Lanes())
		w.watched(i, v[1])
	}
	w.F("sum = sum.Mul(s).Add(t)\nfactor = factor.Mul(s)\n}\nfactor.StoreArray(&ends[1])\nsum.StoreArray(&ends[2])")
	w.leave(n)
	w.F("so.factor, so.total = ends[1][0], ends[2][0]")
}
