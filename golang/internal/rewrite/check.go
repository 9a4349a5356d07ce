package rewrite

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Test is a file with a test that compares the call with the loop as it was, and a benchmark of both. It is nil where
// a variable has a type for which no values are made up.
func (r *Rewrite) Test() ([]byte, error) {
	vars := slices.Concat(r.states, r.outer)
	for _, v := range vars {
		if !canDraw(v.Type()) {
			return nil, nil
		}
	}
	var b strings.Builder
	r.writeKept(&b, "Serial", "is the loop as it was", r.textOf(r.loop.Stmt))
	r.writeKept(&b, "Called", "is what stands in its place", r.Call())
	title := upper(r.Name)
	fmt.Fprintf(&b, "func Test%s(t *testing.T) {\ndefer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))\n", title)
	fmt.Fprintf(&b, "for seed := range uint64(4) {\nfor _, n := range []int{0, 1, 7, 1000, %d} {\n", 3*grain*r.header.step+5)
	b.WriteString("rng := rand.New(rand.NewPCG(seed, uint64(n)))\n")
	r.writeDraws(&b, vars, "max(n-rng.IntN(8)/7, 0)")
	r.writeRun(&b, vars)
	b.WriteString("}\n}\n}\n\n")
	fmt.Fprintf(&b, "func Benchmark%s(b *testing.B) {\nconst n = 1 << 20\nrng := rand.New(rand.NewPCG(1, n))\n", title)
	r.writeDraws(&b, vars, "n")
	for _, which := range []string{"Serial", "Called"} {
		results := prefixed("r", len(r.states))
		fmt.Fprintf(&b, "b.Run(%q, func(b *testing.B) {\n", strings.ToLower(which))
		for i, v := range r.states {
			fmt.Fprintf(&b, "var r%d %s\n", i, r.types.write(v.Type()))
		}
		fmt.Fprintf(&b, "for range b.N {\n%s = %s%s(%s)\n}\n", results, r.Name, which, prefixed("v", len(vars)))
		for i := range r.states {
			fmt.Fprintf(&b, "runtime.KeepAlive(r%d)\n", i)
		}
		b.WriteString("})\n")
	}
	b.WriteString("}\n")
	return r.file(b.String())
}

// writeKept writes a function around a statement in which the variables of the loop have their names.
func (r *Rewrite) writeKept(b *strings.Builder, which, about, statement string) {
	var params, results []string
	for _, v := range slices.Concat(r.states, r.outer) {
		params = append(params, v.Name()+" "+r.types.write(v.Type()))
	}
	for _, v := range r.states {
		results = append(results, r.types.write(v.Type()))
	}
	fmt.Fprintf(b, "// %s%s %s.\nfunc %s%s(%s) (%s) {\n", r.Name, which, about, r.Name, which, strings.Join(params, ", "), strings.Join(results, ", "))
	fmt.Fprintf(b, "//rfactor:ignore\n%s\nreturn %s\n}\n\n", statement, strings.Join(namesOf(r.states), ", "))
}

// writeRun writes the comparison of both functions.
func (r *Rewrite) writeRun(b *strings.Builder, vars []*types.Var) {
	n := len(r.states)
	var results, differ []string
	for i, v := range r.states {
		results = append(results, fmt.Sprintf("r%d %s", i, r.types.write(v.Type())))
		differ = append(differ, r.differs(v.Type(), fmt.Sprint("got", i), fmt.Sprint("want", i)))
	}
	var types []string
	for _, v := range vars {
		types = append(types, r.types.write(v.Type()))
	}
	args := strings.Join(partsOf("v", len(vars)), ", ")
	fmt.Fprintf(b, "run := func(f func(%s) (%s)) (%s, panicked string) {\n", strings.Join(types, ", "), strings.Join(typesOf(results), ", "), strings.Join(results, ", "))
	b.WriteString("defer func() {\nif p := recover(); p != nil {\npanicked = fmt.Sprint(p)\n}\n}()\n")
	fmt.Fprintf(b, "%s = f(%s)\nreturn\n}\n", prefixed("r", n), args)
	fmt.Fprintf(b, "%s, wantPanic := run(%sSerial)\n%s, gotPanic := run(%sCalled)\n", prefixed("want", n), r.Name, prefixed("got", n), r.Name)
	fmt.Fprintf(b, "if gotPanic != wantPanic || %s {\n", strings.Join(differ, " || "))
	fmt.Fprintf(b, "t.Fatal(\"seed\", seed, \"n\", n, \"got\", %s, gotPanic, \"want\", %s, wantPanic)\n}\n", prefixed("got", n), prefixed("want", n))
}

func typesOf(params []string) (list []string) {
	for _, p := range params {
		_, t, _ := strings.Cut(p, " ")
		list = append(list, t)
	}
	return list
}

// differs compares two results: bit by bit, but floats as the loop's comment permits.
func (r *Rewrite) differs(t types.Type, got, want string) string {
	if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat == 0 {
		return got + " != " + want
	}
	as := r.loop.Answer.Assumes
	bothNaN := fmt.Sprintf("(%s == %s || %s != %s && %s != %s)", got, want, got, got, want, want)
	switch {
	case as&ir.Reassoc != 0:
		return fmt.Sprintf("!%s && !(math.Abs(float64(%s-%s)) <= 1e-4*(1+math.Abs(float64(%s))))", bothNaN, got, want, want)
	case as&ir.NSZ != 0:
		return "!" + bothNaN
	}
	return fmt.Sprintf("!(%s && (%s != 0 || math.Signbit(float64(%s)) == math.Signbit(float64(%s))))", bothNaN, got, got, want)
}

// canDraw reports whether values of a type are made up: of numbers, booleans, strings, and slices of them.
func canDraw(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat|types.IsBoolean|types.IsString) != 0 && b.Kind() != types.Uintptr
}

// writeDraws declares v0, v1, …; slices have a length. Floats are small integers, of which sums are exact, and where they are
// multiplied mostly 1 and -1, for a product of others leaves the range in some slice and not in the whole.
func (r *Rewrite) writeDraws(b *strings.Builder, vars []*types.Var, length string) {
	for i, v := range vars {
		t := r.types.write(v.Type())
		s, isSlice := v.Type().Underlying().(*types.Slice)
		if isSlice {
			fmt.Fprintf(b, "v%d := make(%s, %s)\nfor i := range v%d {\nv%d[i] = %s\n}\n", i, t, length, i, i, r.draw(s.Elem(), r.types.write(s.Elem()), ""))
			continue
		}
		alternative := ""
		if i >= len(r.states) {
			alternative = "n"
		}
		fmt.Fprintf(b, "v%d := %s\n", i, r.draw(v.Type(), t, alternative))
	}
}

// draw is an expression of a type; an integer may be the alternative as well.
func (r *Rewrite) draw(t types.Type, name, alternative string) string {
	switch info := t.Underlying().(*types.Basic).Info(); {
	case info&types.IsBoolean != 0:
		return name + "(rng.IntN(2) == 0)"
	case info&types.IsString != 0:
		return name + "(fmt.Sprint(rng.IntN(100)))"
	case info&types.IsInteger != 0 && alternative != "":
		return fmt.Sprintf("%s([]int{%s, rng.IntN(9) - 1}[rng.IntN(2)])", name, alternative)
	case info&types.IsFloat != 0 && r.multiplies():
		return name + "([...]float64{2, 0.5, -1, 1}[min(rng.IntN(128), 2+rng.IntN(2))])"
	}
	return name + "(rng.IntN(201) - 100)"
}

// multiplies reports whether the operator has a product of floats.
func (r *Rewrite) multiplies() (found bool) {
	ir.Walk(r.loop.Answer.Operator.Exprs, func(e ir.Expr) {
		found = found || e.Op() == ir.Mul && e.Type().IsFloat()
	})
	return found
}
