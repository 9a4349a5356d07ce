package bits

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// word lists bits, the lowest first.
type word []bit

// sum adds two words and a carry. It returns the last carry, too.
func (r *reader) sum(x, y word, carry bit) (word, bit) {
	out := make(word, len(x))
	for i := range x {
		half := r.xor(x[i], y[i])
		out[i] = r.xor(half, carry)
		carry = r.choose(half, carry, x[i])
	}
	return out, carry
}

// minus subtracts. The last carry is false where x is below y as unsigned numbers.
func (r *reader) minus(x, y word) (word, bit) { return r.sum(x, r.complement(y), yes) }

// Limits of products.
const (
	maxPartialBits = 80
	lowWidth       = 8
)

// product adds up shifted words. Where neither factor is a literal and they have many bits, only the low
// ones of the product are read.
func (r *reader) product(x, y word, t ir.Type) word {
	if slices.Compare(x, y) > 0 {
		x, y = y, x // literals first
	}
	literal := !slices.ContainsFunc(x, func(l bit) bool { return l > yes })
	var high word
	if n := min(x.occupied(), y.occupied()); !literal && n*len(x) > maxPartialBits {
		high = r.opaque(ir.Mul, x, y, t)[lowWidth:]
		x, y = x[:lowWidth], y[:lowWidth]
	}
	total := constant(0, len(x))
	for i, l := range x {
		if l != no {
			total, _ = r.sum(total, r.pick(l, y.up(i), constant(0, len(x))), no)
		}
	}
	return append(total, high...)
}

// occupied counts the bits that are not known to be 0.
func (w word) occupied() (n int) {
	for _, l := range w {
		if l != no {
			n++
		}
	}
	return n
}

func constant(v uint64, width int) word {
	w := make(word, width)
	for i := range w {
		w[i] = bit(v >> i & 1)
	}
	return w
}

func repeated(l bit, n int) word { return slices.Repeat(word{l}, n) }

func (w word) top() bit { return w[len(w)-1] }

// sign is what extends a word of the type: its highest bit, or 0.
func (w word) sign(t ir.Type) bit {
	if t.IsSigned() {
		return w.top()
	}
	return no
}

// up and down shift a word by at most its width. Fill comes in.
func (w word) up(n int) word { return append(repeated(no, n), w[:len(w)-n]...) }

func (w word) down(n int, fill bit) word {
	return append(slices.Clone(w[n:]), repeated(fill, n)...)
}

// each applies a function to the bits of two words.
func each(f func(a, b bit) bit, x, y word) word {
	out := make(word, len(x))
	for i := range x {
		out[i] = f(x[i], y[i])
	}
	return out
}

func (r *reader) complement(x word) word {
	return each(r.xor, x, repeated(yes, len(x)))
}

func (r *reader) pick(p bit, x, y word) word {
	return each(func(a, b bit) bit { return r.choose(p, a, b) }, x, y)
}

// below reports x < y. Signs count the other way.
func (r *reader) below(t ir.Type, x, y word) bit {
	if t.IsSigned() {
		last := len(x) - 1
		x, y = append(slices.Clone(x[:last]), y[last]), append(slices.Clone(y[:last]), x[last])
	}
	_, carry := r.minus(x, y)
	return r.not(carry)
}

// parity reports whether an odd number of bits are 1.
func (r *reader) parity(x word) bit {
	odd := no
	for _, l := range x {
		odd = r.xor(odd, l)
	}
	return odd
}

// same reports x = y.
func (r *reader) same(x, y word) bit {
	all := yes
	for i := range x {
		all = r.and(all, r.not(r.xor(x[i], y[i])))
	}
	return all
}
