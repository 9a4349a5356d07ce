package bits

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// word lists bits, the lowest first.
type word []literal

// sum adds two words and a carry. It returns the last carry, too.
func (c *circuit) sum(x, y word, carry literal) (word, literal) {
	out := make(word, len(x))
	for i := range x {
		half := c.xor(x[i], y[i])
		both := c.and(x[i], y[i])
		out[i] = c.xor(half, carry)
		carry = c.or(both, c.and(half, carry))
	}
	return out, carry
}

// product adds up shifted words. Where they have many bits, only the low ones of the product are read.
func (c *circuit) product(t ir.Type, m, n int) int {
	x, y := c.words[m], c.words[n]
	if y.occupied() < x.occupied() {
		x, y = y, x
	}
	var high word
	if x.occupied()*len(x) > maxPartialBits {
		high = c.opaque(ir.Mul, t, m, n)[lowWidth:]
		x, y = x[:lowWidth], y[:lowWidth]
	}
	total := constant(0, len(x))
	for i, l := range x {
		if l == no {
			continue
		}
		row := constant(0, len(x))
		for j := i; j < len(x); j++ {
			row[j] = c.and(l, y[j-i])
		}
		total, _ = c.sum(total, row, no)
	}
	return c.number(append(total, high...))
}

// Limits of products. The search has the same.
const (
	maxPartialBits = 80
	lowWidth       = 8
)

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
		w[i] = literal(v >> i & 1)
	}
	return w
}

func repeated(l literal, n int) word { return slices.Repeat(word{l}, n) }

func (w word) top() literal { return w[len(w)-1] }

// sign is what extends a word of the type: its highest bit, or 0.
func (w word) sign(t ir.Type) literal {
	if t.IsSigned() {
		return w.top()
	}
	return no
}

func (w word) not() word {
	out := slices.Clone(w)
	for i := range out {
		out[i] = out[i].not()
	}
	return out
}

// up and down shift a word by at most its width. Fill comes in.
func (w word) up(n int) word { return append(repeated(no, n), w[:len(w)-n]...) }

func (w word) down(n int, fill literal) word {
	return append(slices.Clone(w[n:]), repeated(fill, n)...)
}

// each applies a function to the bits of two words.
func each(f func(a, b literal) literal, x, y word) word {
	out := make(word, len(x))
	for i := range x {
		out[i] = f(x[i], y[i])
	}
	return out
}

func (c *circuit) pick(p literal, x, y word) word {
	return each(func(a, b literal) literal { return c.choose(p, a, b) }, x, y)
}

// below reports x < y: x + ^y + 1 does not carry. Signs count the other way.
func (c *circuit) below(t ir.Type, x, y word) literal {
	if t.IsSigned() {
		last := len(x) - 1
		x, y = append(slices.Clone(x[:last]), y[last]), append(slices.Clone(y[:last]), x[last])
	}
	_, carry := c.sum(x, y.not(), yes)
	return carry.not()
}

// same reports x = y.
func (c *circuit) same(x, y word) literal {
	all := yes
	for i := range x {
		all = c.and(all, c.xor(x[i], y[i]).not())
	}
	return all
}
