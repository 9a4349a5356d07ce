package kernel

import (
	"github.com/rfactor-go/rfactor/ir"
)

// Plain gives the kernel that takes a run one element after another: steps in chunks, looked up where the state has few values, the first element apart
// where it is another one.
func (k *Kernel) Plain() *Kernel { return Peel(byTable(Chunk(k))) }

// minChunk is how many elements a chunk has at least.
const minChunk = 16

// Chunk cuts the run of a kernel that composes steps into parts, which go side by side: in one run, each composition would wait for
// the one before. Each part starts from the identity, and the parts are composed in their order at the end. A kernel of many
// components stays as it is, since registers would not suffice for several parts.
//
//	(a, b) = (a*c, b*c + in[i])   →   (a0, b0) and (a1, b1) over the halves of in, then composed
func Chunk(k *Kernel) *Kernel {
	each := k.Each()
	n := len(k.State)
	if !k.May.Compose || k.May.Seen || len(each.Where) > 0 || len(k.Operator) != n || len(k.Identity) != n || n > 4 {
		return k
	}
	parts := 4
	if n > 2 {
		parts = 2
	}
	out := *k
	out.Body = append([]Node{Chunks{Parts: parts, Least: minChunk, Start: k.Identity, To: each.To, Same: k.Same(each.To), Join: k.Operator}}, k.Body...)
	return &out
}

// Same tells for each component whether it is the same in all chunks, which are equally long: it depends on no element.
func (k *Kernel) Same(to []ir.Expr) []bool {
	out := make([]bool, len(to))
	for i := range out {
		out[i] = true
	}
	for changed := true; changed; {
		changed = false
		for i, v := range to {
			moves := Mentions([]ir.Expr{v}, Place, 0)
			for s := range k.Streams {
				moves = moves || Mentions([]ir.Expr{v}, Load, s)
			}
			for j := range to {
				moves = moves || !out[j] && v.States()>>j&1 != 0
			}
			if out[i] && moves {
				out[i], changed = false, true
			}
		}
	}
	return out
}

// Peel takes the first element that arrives apart, where a flag tells whether any has: a run asks the flag once.
//
//	x = select(seen, x ⊕ h, h), seen = true   →   x = h, seen = true of the first, then x = x ⊕ h
func Peel(k *Kernel) *Kernel {
	first, rest, ok := k.Peeled()
	if !ok {
		return k
	}
	out := *k
	out.Body = []Node{Peeled{first}, Each{To: rest}}
	return &out
}

// Peeled is the values for the first element that arrives, and for those after it; ok is false where the kernel is not of that kind.
func (k *Kernel) Peeled() (first, rest []ir.Expr, ok bool) {
	each := k.Each()
	last := len(each.To) - 1
	if !k.May.Seen || len(each.Where) > 0 || last < 1 || !each.To[last].IsConst(1) {
		return nil, nil, false
	}
	flag := each.To[last].Pool().X(last, ir.Bool)
	for _, v := range each.To[:last] {
		if v.Op() != ir.Select || v.Arg(0) != flag || Mentions([]ir.Expr{v.Arg(1), v.Arg(2)}, State, last) {
			return nil, nil, false
		}
		first, rest = append(first, v.Arg(2)), append(rest, v.Arg(1))
	}
	return append(first, each.To[last]), append(rest, flag), Mentions(rest, Load, 0)
}
