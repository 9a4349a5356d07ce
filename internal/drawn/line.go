package drawn

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Line draws an abstract update over the whole language of docs/language.md, and its declarations.
//
//	x0:i32,x1:u8,y0:i32,y1:u8,y2:bool   t := gcd(x0, y0); max(x0, t); x1 + u8(popcount(t))
func Line(rng *rand.Rand) (types, text string) {
	for {
		w := &lineWriter{rng: rng, vars: map[ir.Type][]string{}}
		types, text = w.line()
		if _, err := program.ParseUpdate(ir.NewPool(), types, text); err == nil { // literals alone may have no type
			return types, text
		}
	}
}

// Update draws an update over the whole language: it parses a Line.
func Update(rng *rand.Rand) *ir.Update {
	types, text := Line(rng)
	u, err := program.ParseUpdate(ir.NewPool(), types, text)
	if err != nil {
		panic(fmt.Sprintf("drawn: internal: %s: %v", text, err))
	}
	u.Source.Name = "drawn"
	return u
}

// lineWriter writes terms as text.
type lineWriter struct {
	rng  *rand.Rand
	vars map[ir.Type][]string
	lets int
}

var allTypes = []ir.Type{ir.I32, ir.I32, ir.I32, ir.U8, ir.I8, ir.U16, ir.I16, ir.U32, ir.I64, ir.U64, ir.F32, ir.F64, ir.Bool}

func one[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// line draws one to three components, often of one type, an input for each, one of another type and a condition.
func (w *lineWriter) line() (types, text string) {
	var declared, components []string
	declare := func(name string, t ir.Type) {
		w.vars[t] = append(w.vars[t], name)
		declared = append(declared, name+":"+t.String())
	}
	state := make([]ir.Type, one(w.rng, 1, 1, 1, 1, 2, 2, 2, 3))
	for i := range state {
		state[i] = one(w.rng, allTypes...)
		if i > 0 && w.rng.IntN(3) > 0 {
			state[i] = state[0]
		}
		declare(fmt.Sprint("x", i), state[i])
	}
	for i, t := range state {
		declare(fmt.Sprint("y", i), t)
	}
	declare("c", one(w.rng, ir.Bool, one(w.rng, allTypes...)))
	if w.rng.IntN(3) == 0 {
		declare("k0", one(w.rng, state[0], one(w.rng, allTypes...)))
	}
	if w.rng.IntN(4) == 0 {
		declare("r", ir.I32)
	}
	named := ""
	if w.rng.IntN(6) == 0 {
		t := one(w.rng, state...)
		named = "t := " + w.term(t, 2) + "; "
		w.vars[t] = append(w.vars[t], "t", "t", "t")
	}
	for i, t := range state {
		components = append(components, w.component(fmt.Sprint("x", i), t))
	}
	return strings.Join(declared, ","), named + strings.Join(components, "; ")
}

// component draws what a component becomes: half of the time a step that may be one of a reduction.
func (w *lineWriter) component(x string, t ir.Type) string {
	operators := []string{"A + B", "max(A, B)", "min(A, B)", "A*B", "A - B", "B", "A"}
	switch {
	case t == ir.Bool:
		operators = []string{"A && B", "A || B", "A ^ B", "A != B", "A == B", "A & B", "A | B", "B"}
	case t.IsInt():
		operators = append(operators, "A & B", "A | B", "A ^ B", "gcd(A, B)", "A + B", "saturating_add(A, B)", "lcm(A, B)")
	}
	step := func() string {
		return "(" + strings.NewReplacer("A", x, "B", w.term(t, w.rng.IntN(3))).Replace(one(w.rng, operators...)) + ")"
	}
	switch w.rng.IntN(6) {
	case 0, 1:
		return step()
	case 2:
		return fmt.Sprintf("select(%s, %s, %s)", w.term(ir.Bool, w.rng.IntN(3)), step(), one(w.rng, x, step()))
	}
	return w.term(t, 1+w.rng.IntN(4))
}

// term draws a term of a type, at most depth functions deep.
func (w *lineWriter) term(t ir.Type, depth int) string {
	if depth <= 0 || w.rng.IntN(8) == 0 {
		return w.leaf(t)
	}
	sub := func(t ir.Type) string { return w.term(t, depth-1) }
	switch w.rng.IntN(12) {
	case 0:
		return fmt.Sprintf("select(%s, %s, %s)", sub(ir.Bool), sub(t), sub(t))
	case 1:
		return one(w.rng,
			fmt.Sprintf("(%s ? %s : %s)", sub(ir.Bool), sub(t), sub(t)),
			fmt.Sprintf("select(%s, %s, %s, %s, %s)", sub(ir.Bool), sub(t), sub(ir.Bool), sub(t), sub(t)),
			w.table(t, sub))
	case 2:
		return w.let(t, depth)
	case 3:
		return w.cast(t, sub(one(w.rng, allTypes...)))
	}
	switch {
	case t == ir.Bool:
		return w.condition(sub)
	case t.IsFloat():
		return w.float(t, sub)
	}
	return w.integer(t, sub)
}

// apply replaces A, B and C in a form by terms of a type.
func (w *lineWriter) apply(form string, t ir.Type, sub func(ir.Type) string) string {
	var b strings.Builder
	for _, r := range form {
		if r >= 'A' && r <= 'C' {
			b.WriteString(sub(t))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

var numberForms = []string{"(A + B)", "(A - B)", "A*B", "(A*B)", "(A/B)", "min(A, B)", "max(A, B)", "min(A, B, C)", "max(A, B, C)", "-A", "abs(A)", "clamp(A, B, C)", "(+A)"}

var integerForms = []string{"(A % B)", "(A & B)", "(A | B)", "(A ^ B)", "~A", "(A << B)", "(A >> B)", "(A << (B & 3))", "(A >> (B & 3))", "saturating_add(A, B)", "saturating_sub(A, B)",
	"quo(A, B)", "rem(A, B)", "gcd(A, B)", "gcd(A, B, C)", "gcd(A, A)", "lcm(A, B)", "popcount(A)", "clz(A)", "ctz(A)", "bitreverse(A)", "rotl(A, B)", "mulhi(A, B)", "pow(A, 2)", "pow(A, 3)", "Expr(A)"}

var floatForms = []string{"sqrt(A)", "exp(A)", "log(A)", "log1p(A)", "sin(A)", "cos(A)", "tanh(A)", "floor(A)", "round(A)", "exp2(A)", "pow(A, B)", "pow(A, 2)"}

func (w *lineWriter) integer(t ir.Type, sub func(ir.Type) string) string {
	if w.rng.IntN(12) == 0 {
		for _, from := range allTypes {
			if from.IsInt() && from.Bits() < 64 && from.Wider() == t {
				return w.apply(one(w.rng, "widening_add(A, B)", "widening_mul(A, B)"), from, sub)
			}
			if from.IsUnsigned() && from.IsInt() && from.Bits() < 64 && from.Bits()*2 == t.Bits() && t.IsSigned() && w.rng.IntN(2) == 0 {
				return w.apply("widening_sub(A, B)", from, sub)
			}
		}
	}
	return w.apply(one(w.rng, one(w.rng, numberForms...), one(w.rng, integerForms...)), t, sub)
}

func (w *lineWriter) float(t ir.Type, sub func(ir.Type) string) string {
	return w.apply(one(w.rng, one(w.rng, numberForms...), one(w.rng, numberForms...), one(w.rng, floatForms...)), t, sub)
}

func (w *lineWriter) condition(sub func(ir.Type) string) string {
	t := one(w.rng, allTypes...)
	for _, of := range allTypes { // of a type that there is, mostly
		if len(w.vars[of]) > 0 && w.rng.IntN(3) == 0 {
			t = of
		}
	}
	switch w.rng.IntN(4) {
	case 0:
		return w.apply(one(w.rng, "!A", "(A && B)", "(A || B)", "(A ^ B)", "(A & B)", "(A | B)", "(A == B)", "(A != B)"), ir.Bool, sub)
	case 1:
		if t != ir.Bool {
			return w.apply(one(w.rng, "is_nan(A)", "(A == B)", "(A != B)"), t, sub)
		}
	}
	if t == ir.Bool {
		t = ir.I32
	}
	return w.apply(one(w.rng, "(A < B)", "(A <= B)", "(A > B)", "(A >= B)", "(A == B)", "(A != B)"), t, sub)
}

// let names a term within another.
func (w *lineWriter) let(t ir.Type, depth int) string {
	of := one(w.rng, t, one(w.rng, allTypes...))
	name := fmt.Sprint("v", w.lets)
	w.lets++
	e := w.term(of, depth-1)
	outer := w.vars[of]
	w.vars[of] = append([]string{name, name, name, name}, outer...)
	body := w.term(t, depth-1)
	w.vars[of] = outer
	if !strings.Contains(body, name) {
		return body
	}
	return fmt.Sprintf("(let %s = %s in %s)", name, e, body)
}

// table draws a table with its index.
func (w *lineWriter) table(t ir.Type, sub func(ir.Type) string) string {
	index := one(w.rng, allTypes[:10]...)
	entries := make([]string, 1+w.rng.IntN(6))
	for i := range entries {
		entries[i] = w.literal(t)
	}
	return fmt.Sprintf("table(%s, %s)", sub(index), strings.Join(entries, ", "))
}

// cast writes a cast in one of its spellings.
func (w *lineWriter) cast(t ir.Type, e string) string {
	return one(w.rng, t.String()+"("+e+")", t.String()+"("+e+")", "cast<"+t.String()+">("+e+")")
}

// leaf draws a variable of a type, or a literal; where there is no variable, a cast of another.
func (w *lineWriter) leaf(t ir.Type) string {
	names := w.vars[t]
	switch k := w.rng.IntN(6); {
	case k > 0 && len(names) > 0:
		return one(w.rng, names...)
	case k > 3:
		for _, of := range allTypes {
			if len(w.vars[of]) > 0 && w.rng.IntN(2) == 0 {
				return w.cast(t, one(w.rng, w.vars[of]...))
			}
		}
	}
	if t == ir.Bool {
		return w.literal(t)
	}
	return t.String() + "(" + w.literal(t) + ")"
}

// literal draws a literal of a type without its name.
func (w *lineWriter) literal(t ir.Type) string {
	switch {
	case t == ir.Bool:
		return one(w.rng, "true", "false")
	case t.IsFloat():
		return one(w.rng, "0.0", "1.0", "2.0", "0.5", "-1.0", "3.0", "1e9", "inf", "-inf", "nan", "-0.0")
	case t.IsSigned():
		return one(w.rng, "0", "1", "2", "3", "7", "-1", "100", "0x1f", "tmin", "tmax")
	}
	return one(w.rng, "0", "1", "2", "3", "7", "100", "0xff", "127", "tmax")
}
