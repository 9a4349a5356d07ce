package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// skipForm leaves out blocks of elements that change nothing. Every component keeps its value unless a
// condition on the element and the state holds:
//
//	select(mag(y) > mag(x), y, x)   →   a block in which mag(y) > mag(x) holds nowhere is skipped
//
// The state at the beginning of a block is that at each of its elements, as long as none has changed it. So
// a mask over the whole block tells whether any does; then the plain kernel takes the block. Elements stay
// in their order, whatever the operator.
type skipForm struct {
	bits    int
	changes ir.Expr // the condition
	seen    bool    // the last component tells whether any element has come: it is one of the first block that does
}

func skipping(_ *plan.Plan, k *kernel) vectorForm {
	var changes ir.Expr
	values, seen := k.values, false
	if _, rest, ok := k.peeled(); ok {
		values, seen = rest, true
	}
	for i, v := range values {
		c, ok := fold.Change(v, i)
		switch {
		case !ok:
			return nil
		case !c.IsValid() || c == changes:
		case changes.IsValid():
			changes = ir.OrOf(changes, c)
		default:
			changes = c
		}
	}
	if !changes.IsValid() {
		return nil
	}
	for _, w := range k.where {
		changes = ir.AndOf(changes, w)
	}
	f := &skipForm{changes: changes, seen: seen}
	for _, s := range k.streams {
		if !mentionsAny([]ir.Expr{changes}, s.call) {
			continue
		}
		b := laneBits(s.call.Type())
		if b == 0 || f.bits != 0 && f.bits != b {
			return nil
		}
		f.bits = b
	}
	if f.bits == 0 {
		return nil
	}
	w := f.writer(k, "a", &[]ir.Expr{})
	if w.mask(changes); w.failed {
		return nil
	}
	return f
}

// writer writes the condition. What of it is the same for all elements of a block goes to still, whose
// vectors are called stay0 and so on.
func (f *skipForm) writer(k *kernel, chain string, still *[]ir.Expr) *vecWriter {
	w := k.vecWriter(f.bits, chain)
	inner := w.leaf
	w.leaf = func(e ir.Expr) string {
		moves := mentionsAny([]ir.Expr{e}, k.loop.Var) || slices.ContainsFunc(k.streams, func(s stream) bool { return mentionsAny([]ir.Expr{e}, s.call) })
		if e.States() == 0 || moves || e.Type().Bits() != f.bits {
			return inner(e)
		}
		i := slices.Index(*still, e)
		if i < 0 {
			i = len(*still)
			*still = append(*still, e)
		}
		return fmt.Sprintf("stay%d", i)
	}
	return w
}

// skipBlock is how many elements a block has: few enough that one which changes the state costs little.
const skipBlock = 1024

func (f *skipForm) write(g *generator, k *kernel) {
	lead := k.streams[0].name
	var used []int
	for i, s := range k.streams {
		if mentionsAny([]ir.Expr{f.changes}, s.call) {
			used = append(used, i)
		}
	}
	vec := laneVector(k.streams[used[0]].call.Type())
	ints := fmt.Sprintf("Int%ds", f.bits)
	var still []ir.Expr
	var loads strings.Builder
	var masks, conds, blocks, rests, cut []string
	w := f.writer(k, "a", &still)
	for j, c := range chainNames[:4] {
		next := f.writer(k, c, &still)
		w.leaf = next.leaf
		masks = append(masks, w.mask(f.changes))
		for _, i := range used {
			at := []string{"", "[n:]", "[2*n:]", "[3*n:]"}[j]
			fmt.Fprintf(&loads, "y%d%s := simd.Load%s(%sBlock%s)\n", i, c, laneVector(k.streams[i].call.Type()), k.streams[i].name, at)
		}
	}
	for _, i := range used {
		name := k.streams[i].name
		conds, blocks, rests = append(conds, "len("+name+"Block) >= 4*n"), append(blocks, name+"Block"), append(rests, name+"Block[4*n:]")
		cut = append(cut, fmt.Sprintf("%sBlock := %s", name, laneSlice(k.streams[i], name+"[start:end]")))
	}
	g.file.printf("\n// %sKernel is %sPortable on vectors, which look for elements that change anything: it leaves blocks out\n// that have none.\n", k.name, k.name)
	g.file.printf("func %sKernel%s {\nvar v simd.%s\nn := v.Len()\n", k.name, k.params(), vec)
	g.file.printf("if simd.Emulated() || len(%s) < 4*n {\nreturn %sPortable%s\n}\n", lead, k.name, k.arguments(k.states(), "", ""))
	for _, s := range k.streams[1:] {
		g.file.printf("%s = %s[:len(%s)]\n", s.name, s.name, lead)
	}
	g.file.printf("var words [8]uint64\n")
	g.keep(k, nil)
	states := strings.Join(k.states(), ", ")
	plain := fmt.Sprintf("%s = %sPortable%s\n", states, k.name, k.arguments(k.states(), "[start:end]", " + start"))
	g.file.printf("start, whole := 0, len(%s)/(4*n)*(4*n)\nhits, plain := 0, 0\nfor start < whole {\nend := min(start+%d, whole)\n", lead, skipBlock)
	if f.seen {
		g.file.printf("if !x%d {\nplain = 1\n}\n", len(k.types)-1)
	}
	g.file.printf("if plain > 0 { // blocks before this one changed much, or there are none\n%splain, start = plain-1, end\ncontinue\n}\n", plain)
	g.save(k)
	for i, e := range still {
		g.file.printf("still%d := %s\n", i, k.writer(g, "start").typed(e))
	}
	for i, e := range still {
		g.file.printf("stay%d := simd.Broadcast%s(still%d)\n", i, vecTypes[e.Type()], i)
	}
	for _, h := range w.hoisted {
		g.file.printf("%s\n", h)
	}
	g.file.printf("%s\nvar any simd.%s\n", strings.Join(cut, "\n"), ints)
	g.file.printf("for ; %s; %s = %s {\n%sany = any.Or((%s).Or(%s).Or((%s).Or(%s)).To%s())\n}\n", strings.Join(conds, " && "), strings.Join(blocks, ", "),
		strings.Join(rests, ", "), loads.String(), masks[0], masks[1], masks[2], masks[3], ints)
	reshape := ".ToBits().ReshapeToUint64s()"
	if f.bits == 64 {
		reshape = ".ToBits()"
	}
	g.file.printf("any%s.Store(words[:])\n", reshape)
	g.restore(k)
	g.file.printf("if (words[0]|words[1])|(words[2]|words[3])|(words[4]|words[5])|(words[6]|words[7]) != 0 {\n%s", plain)
	if absorbs := map[ir.Op]string{ir.Or: "x0", ir.And: "!x0"}[k.values[0].Op()]; absorbs != "" && len(k.values) == 1 {
		g.file.printf("if %s { // which stays so\nreturn x0\n}\n", absorbs)
	}
	g.file.printf("hits++\nplain = min(hits*(hits-1), 16)\n} else {\nhits = 0\n}\nstart = end\n}\n")
	g.file.printf("return %sPortable%s\n}\n", k.name, k.arguments(k.states(), "[start:]", " + start"))
}
