package ir

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// genTypes are the types that a random expression has variables of.
var genTypes = []Type{Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64}

// genScope declares one variable of each role and type, named after the type.
func genScope(p *Pool) Scope {
	vars := map[string]Expr{}
	for i, t := range genTypes {
		for kind, letter := range map[VarKind]string{State: "x", Leaf: "y", Param: "k", Coord: "r."} {
			name := letter + "_" + t.String()
			index := 0
			if kind == State {
				index = i
			}
			vars[name] = p.Var(kind, name, index, t)
		}
	}
	return Scope{
		Var: func(name string) (Expr, bool) { e, ok := vars[name]; return e, ok },
		Call: func(name string, _ int) (Type, bool) {
			t := ParseType(strings.TrimPrefix(name, "c_"))
			return t, t != Invalid
		},
	}
}

// gen makes a random expression of type t of about size nodes.
func gen(r *rand.Rand, p *Pool, t Type, size int) Expr {
	if size <= 1 {
		return genLeaf(r, p, t)
	}
	part := func(t Type) Expr { return gen(r, p, t, r.IntN(size)) }
	operand := genTypes[1+r.IntN(len(genTypes)-1)]
	switch r.IntN(8) {
	case 0:
		return CastTo(t, part(genTypes[r.IntN(len(genTypes))]))
	case 1:
		return SelectOf(part(Bool), part(t), part(t))
	case 2:
		return p.Call(t, "c_"+t.String(), r.IntN(3), part(operand), part(I32))
	}
	var choice []Op
	for op := range Op(NumOps) {
		switch ops[op].class {
		case leafOp:
			continue
		case compOp, equalOp:
			if t != Bool {
				continue
			}
		case boolOp:
			operand = Bool
		}
		choice = append(choice, op)
	}
	for range 50 {
		op := choice[r.IntN(len(choice))]
		from := t
		if t == Bool && ops[op].class != boolOp {
			from = genTypes[r.IntN(len(genTypes))]
		}
		args := []Type{from, from, from}[:op.Arity()]
		if op == Cast || op == Select {
			continue
		}
		if got, err := CheckTypes(op, args...); err != nil || got != t {
			continue
		}
		es := make([]Expr, len(args))
		for i := range es {
			es[i] = part(from)
		}
		return Make(op, es...)
	}
	return genLeaf(r, p, t)
}

func genLeaf(r *rand.Rand, p *Pool, t Type) Expr {
	switch r.IntN(6) {
	case 0:
		return p.Var(State, "x_"+t.String(), int(t)-1, t)
	case 1:
		return p.Var(Leaf, "y_"+t.String(), 0, t)
	case 2:
		return p.Var(Coord, "r._"+t.String(), 0, t)
	}
	edges := []uint64{0, 1, 2, 3, 5, 127, 128, 255, t.Min(), t.Max(), t.Max() - 1, math.MaxUint64, math.MaxUint64 - 4, r.Uint64()}
	v := edges[r.IntN(len(edges))]
	if t.IsFloat() && r.IntN(2) == 0 {
		fs := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, -2.5, 1e20, 1e21, 1e-7, math.Pi, 16777217, math.MaxFloat32, math.NaN(), math.Inf(-1), 5e-324}
		return p.Float(t, fs[r.IntN(len(fs))])
	}
	if t == F32 {
		v &= math.MaxUint32
	}
	return p.Const(t, v)
}

// Whatever is printed parses back to the same expression.
func FuzzRoundTrip(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed), uint8(1+seed*3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, typ, size uint8) {
		p := NewPool()
		e := gen(rand.New(rand.NewPCG(seed, 1)), p, genTypes[int(typ)%len(genTypes)], int(size))
		text := e.String()
		if strings.Contains(text, "…") {
			t.Skip()
		}
		back, err := ParseExpr(p, genScope(p), e.Type(), text)
		if err != nil {
			t.Fatalf("%s\ndoes not parse: %v", text, err)
		}
		if back != e {
			t.Fatalf("%s\nreads back as\n%s", text, back)
		}
	})
}

// No text makes the parser panic, and every error lies in the text.
func FuzzParse(f *testing.F) {
	for _, l := range corpus(f)[:40] {
		f.Add(l.Types, l.Exprs)
	}
	for _, s := range []string{
		"f() = select(P(r), f() + 1, f())", "Func f; RDom r(0, 10); f() = 0; f() += r; f.update(0).parallel(r)",
		"f() = {f()[0], f()[1", "ImageParam in({UInt(8), Int(32)}, 2, \"in\");", "Tuple t = {1, 2}; f() = t", "r.where(",
		"int n = 3; Func g = f.update(0).rfactor({{r.x, u}}, v)", "f(x)+=\x00", "é", "1e999", "0x", "cast<", "UInt(8).max()", "a.b.c(1).d",
	} {
		f.Add("x0:i32", s)
	}
	f.Fuzz(func(t *testing.T, types, text string) {
		if len(types)+len(text) > 1<<16 {
			t.Skip()
		}
		u, err := ParseUpdate(NewPool(), types, text)
		checkErrors(t, err, types, text)
		if err == nil {
			Strings(u.Values)
		}
		pr, err := ParseProgram(NewPool(), "p.rf", text, I32)
		checkErrors(t, err, text, text)
		if err == nil {
			for _, d := range pr.Definitions() {
				Strings(d.Update().Values)
			}
		}
	})
}

func checkErrors(t *testing.T, err error, texts ...string) {
	if err == nil {
		return
	}
	list, ok := err.(ErrorList)
	if !ok || len(list) == 0 || len(list) > MaxErrors {
		t.Fatalf("%T of %d errors", err, len(list))
	}
	for _, e := range list {
		in := false
		for _, text := range texts {
			lines := strings.Split(text, "\n")
			in = in || e.Line >= 1 && e.Line <= len(lines) && e.Col >= 1 && e.Col <= len(lines[e.Line-1])+1
		}
		if !in || e.Msg == "" {
			t.Fatalf("%d:%d lies outside of the text: %v", e.Line, e.Col, e)
		}
		_ = e.Error()
	}
}
