package main

import "fmt"

// conversion is a kernel from S to D. A turn loads Load elements as a vector,
// converts Step of them by Expr, and stores Store elements, which may be more than
// Step: the next turn, or the tail, overwrites the rest.
type conversion struct {
	S, D              element
	Load, Step, Store int
	Expr              string
}

func (c conversion) Func() string { return "convert" + c.S.Name() + "To" + c.D.Name() }

// Room is how many elements a turn needs.
func (c conversion) Room() int { return max(c.Load, c.Step, c.Store) }

// LoadVec is the vector that is loaded; signs are of no matter but for widening.
func (c conversion) LoadVec() string { return fmt.Sprintf("%sx%d", c.S.Name(), c.Load) }

// conversions lists all pairs that are one or two instructions; integers of the
// same width are a copy, and floats to narrow or unsigned integers stay scalar.
func conversions() (list []conversion) {
	for _, s := range elements {
		for _, d := range elements {
			if c, ok := convert(s, d); ok && s != d {
				list = append(list, c)
			}
		}
	}
	return list
}

func convert(s, d element) (conversion, bool) {
	switch {
	case s.Integer() && d.Integer() && s.Bits < d.Bits:
		return widening(s, d), true
	case s.Integer() && d.Integer() && s.Bits > d.Bits:
		return narrowing(s, d), true
	case s.Integer() && d.Float():
		return toFloat(s, d), true
	case s.Float() && d.Float():
		return conversion{s, d, 8, 8, 8, "v.ConvertTo" + d.Name() + "()"}, true
	case s.Float() && d.Signed() && d.Bits >= 32:
		step := 512 / max(s.Bits, d.Bits)
		return conversion{s, d, step, step, step, toInteger(s, d)}, true
	}
	return conversion{}, false
}

// widening takes the sign of the source; 8 bytes have no vector of their own.
func widening(s, d element) conversion {
	step := 512 / d.Bits
	load := max(step, 128/s.Bits)
	to := fmt.Sprintf("Int%d()", d.Bits)
	if s.Unsigned() {
		to = "U" + "int" + to[3:]
	}
	expr := "v.ExtendTo" + to
	if load > step {
		expr = fmt.Sprintf("v.ExtendLo%dTo%s", step, to)
	}
	if s.Unsigned() != d.Unsigned() {
		expr += sign(d)
	}
	return conversion{s, d, load, step, step, expr}
}

func narrowing(s, d element) conversion {
	step := 512 / s.Bits
	to := fmt.Sprintf("%d()", d.Bits)
	expr := "v.TruncToInt" + to
	if s.Unsigned() {
		expr = "v.TruncToUint" + to
	}
	if s.Unsigned() != d.Unsigned() {
		expr += sign(d)
	}
	return conversion{s, d, step, step, max(step, 128/d.Bits), expr}
}

// sign reads the same bits as the type d.
func sign(d element) string {
	if d.Unsigned() {
		return ".ToBits()"
	}
	return ".BitsTo" + d.Name() + "()"
}

func toFloat(s, d element) conversion {
	if s.Bits >= 32 {
		step := 512 / max(s.Bits, d.Bits)
		return conversion{s, d, step, step, step, "v.ConvertTo" + d.Name() + "()"}
	}
	c := widening(s, element{"int32", 32})
	if d.Bits == 64 {
		c.Load, c.Step, c.Store = max(8, 128/s.Bits), 8, 8
		c.Expr = "v.ExtendToInt32()"
		if s.Bits == 8 {
			c.Expr = "v.ExtendLo8ToInt32()"
		}
		if s.Unsigned() {
			c.Expr = c.Expr[:len(c.Expr)-len("Int32()")] + "Uint32().BitsToInt32()"
		}
	}
	c.D, c.Expr = d, c.Expr+".ConvertTo"+d.Name()+"()"
	return c
}

// toInteger mends what the instruction makes of NaN and of too large values: it
// gives the least integer for both.
func toInteger(s, d element) string {
	return fmt.Sprintf("saturate%sTo%s(v)", s.Name(), d.Name())
}
