package claims

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// claim is a line in few words: lists are separated by semicolons.
type claim struct {
	status, types, leaves, update, operator, identity, side, inject string
	operands, apply                                                 string // of a lift
	assumes, given, initial                                         string
	commutative, idempotent                                         bool
}

func split(text string) []string {
	out := []string{}
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// line is the claim as a line of answers.
func (c claim) line() []byte {
	if c.status == "" {
		c.status = "associative"
	}
	if c.operands == "" {
		c.operands = c.types
	}
	if c.side == "" {
		c.side = "none"
	}
	leaves := map[string]any{}
	for _, l := range split(c.leaves) {
		name, typ, _ := strings.Cut(l, ":")
		leaf := map[string]any{"type": strings.TrimSuffix(typ, " nonneg"), "text": name}
		if strings.HasSuffix(typ, " nonneg") {
			leaf["nonneg"] = true
		}
		leaves[name] = leaf
	}
	operator := map[string]any{"types": split(c.operands), "exprs": split(c.operator), "identity_side": c.side, "commutative": c.commutative, "idempotent": c.idempotent}
	if c.identity != "" {
		operator["identity"] = split(c.identity)
	}
	r := map[string]any{"schema": verify.Schema, "name": "f", "status": c.status, "types": split(c.types), "update": split(c.update), "leaves": leaves,
		"operator": operator, "inject": split(c.inject), "assumes": split(c.assumes), "given": split(c.given)}
	if c.initial != "" {
		r["initial"] = split(c.initial)
	}
	if c.status == "lifted" {
		r["apply"] = split(c.apply)
		wide := split(c.operands)
		for i, t := range wide {
			if strings.Contains(c.assumes, "nsw") && t[0] == 'i' {
				wide[i] = "i64"
			}
		}
		r["parameter_types"] = wide
		r["cost"] = map[string]any{"parameters": len(wide), "multiplications": 0}
	}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return text
}

// TestJudge judges claims that are known to be true or false; most of the false ones are those
// of DESIGN.md, which Halide or the paper accept.
func TestJudge(t *testing.T) {
	sum := claim{types: "i32", leaves: "y0:i32", update: "x0 + y0", operator: "x0 + y0", inject: "y0", identity: "0", side: "two", commutative: true}
	with := func(c claim, change func(*claim)) claim {
		change(&c)
		return c
	}
	maxU8 := claim{types: "u8", leaves: "y0:u8", update: "max(x0, y0)", operator: "max(x0, y0)", inject: "y0", identity: "0", side: "two", commutative: true, idempotent: true}
	argmin := claim{types: "u8; i32", leaves: "y0:u8; y1:i32", update: "min(x0, y0); select(x0 < y0, x1, y1)",
		operator: "min(x0, y0); select(x0 < y0, x1, y1)", inject: "y0; y1", identity: "255; 0", side: "left", idempotent: true}
	paper := claim{types: "i32", leaves: "k0:i32; y0:i32", update: "max(min(k0 - x0, y0), x0)", operator: "max(min(k0 - x0, y0), x0)", inject: "y0"}
	floats := claim{types: "f64", leaves: "y0:f64", update: "x0 + y0", operator: "x0 + y0", inject: "y0", identity: "-0.0", side: "two", commutative: true, assumes: "reassoc"}
	choose := claim{types: "f32", leaves: "y0:f32", update: "select(x0 > y0, x0, y0)", operator: "select(x0 > y0, x0, y0)", inject: "y0", assumes: "nnan"}
	softplus := claim{types: "f64", leaves: "y0:f64", update: "max(x0, y0) + log(1.0 + exp(-abs(x0 - y0)))", operator: "log(exp(x0) + exp(y0))",
		inject: "y0", identity: "-inf", side: "two", commutative: true, assumes: "reassoc; nnan; ninf; nsz; afn"}
	clamp := claim{status: "lifted", types: "i32", leaves: "y0:i32", update: "max(x0 + y0, 0)", operands: "i32; i32",
		operator: "x0 + y0; max(x1 + y0, y1)", inject: "y0; 0", apply: "max(x0 + p0, p1)", assumes: "nsw"}
	fraction := claim{status: "lifted", types: "f64", leaves: "y0:f64", update: "(2.0*x0 + y0)/(x0 + y0)", operands: "f64; f64; f64; f64",
		operator: "y0*x0 + y1*x2; y0*x1 + y1*x3; y2*x0 + y3*x2; y2*x1 + y3*x3", inject: "2.0; y0; 1.0; y0",
		apply: "(p0*x0 + p1)/(p2*x0 + p3)", assumes: "reassoc; nnan; ninf"}
	second := claim{types: "i8; i8", leaves: "y0:i8", update: "min(x0, y0); select(y0 < x0, x0, min(x1, y0))", operator: "min(x0, y0); min(min(x1, y1), max(x0, y0))",
		inject: "y0; 127", given: "x0 <= x1", identity: "127; 127", side: "two", commutative: true}
	natural := claim{types: "u32", leaves: "y0:u32", update: "x0 - y0", operator: "x0 + y0", inject: "-y0"}

	for name, tc := range map[string]struct {
		claim claim
		want  Outcome
		says  string // in the verdict
	}{
		"sum":                          {sum, True, ""},
		"sum: another update":          {with(sum, func(c *claim) { c.update = "x0 - y0" }), False, "update"},
		"sum: idempotent":              {with(sum, func(c *claim) { c.idempotent = true }), False, "idempotence"},
		"sum: identity 1":              {with(sum, func(c *claim) { c.identity = "1" }), False, "identity"},
		"sum: inject with the state":   {with(sum, func(c *claim) { c.inject = "x0" }), Nonsense, "inject"},
		"sum: operator with a leaf":    {with(sum, func(c *claim) { c.operator, c.leaves = "x0 + r", "y0:i32; r:i32" }), Nonsense, "operator"},
		"sum: two expressions":         {with(sum, func(c *claim) { c.operator = "x0 + y0; x0" }), Nonsense, "expressions"},
		"difference":                   {with(sum, func(c *claim) { c.operator, c.inject, c.commutative = "x0 - y0", "-y0", false }), False, "associativity"},
		"max of bytes":                 {maxU8, True, ""},
		"max of bytes: identity 1":     {with(maxU8, func(c *claim) { c.identity = "1" }), False, "left identity at y0=0"},
		"argmin keeps the last":        {argmin, True, ""},
		"argmin: commutative":          {with(argmin, func(c *claim) { c.commutative = true }), False, "commutativity"},
		"argmin: two-sided identity":   {with(argmin, func(c *claim) { c.side = "two" }), False, "right identity"},
		"argmin: middle":               {with(argmin, func(c *claim) { c.side = "middle" }), True, ""},
		"argmin: another middle":       {with(argmin, func(c *claim) { c.side, c.identity = "middle", "3; 0" }), False, "middle identity"},
		"the paper's ninth, unbounded": {with(paper, func(c *claim) { c.assumes = "nsw" }), True, ""},
		"the paper's ninth, wrapping":  {paper, False, "associativity"},
		"the paper's ninth: identity":  {with(paper, func(c *claim) { c.assumes, c.identity, c.side = "nsw", "tmin", "left" }), False, "left identity"},
		"max by nsw starts at tmin": {with(sum, func(c *claim) {
			c.update, c.operator, c.identity, c.assumes = "max(x0, y0)", "max(x0, y0)", "tmin", "nsw"
		}), True, ""},
		"a sum that wraps, clamped": {claim{types: "u32", leaves: "k0:u64; y0:u32", update: "u32(min(u64(x0 + y0), k0))", operator: "u32(min(u64(x0 + y0), k0))", inject: "y0"},
			False, "associativity"},
		"float sum, reordered":          {floats, True, ""},
		"float sum, exactly":            {with(floats, func(c *claim) { c.assumes = "" }), False, "associativity"},
		"float sum, identity +0":        {with(floats, func(c *claim) { c.identity = "0.0" }), True, ""},
		"float max, identity":           {claim{types: "f32", leaves: "y0:f32", update: "max(x0, y0)", operator: "max(x0, y0)", inject: "y0", identity: "-inf", side: "two", commutative: true, idempotent: true}, True, ""},
		"identity +0 is not -0":         {claim{types: "f32", leaves: "y0:f32", update: "x0", operator: "x0 + y0", inject: "0.0", identity: "0.0"}, False, "x0=-0"},
		"identity +0 is -0 by nsz":      {claim{types: "f32", leaves: "y0:f32", update: "x0", operator: "x0", inject: "0.0", identity: "0.0", side: "right", assumes: "nsz"}, True, ""},
		"choosing a float":              {choose, True, ""},
		"choosing a float, NaN":         {with(choose, func(c *claim) { c.assumes = "" }), False, "associativity"},
		"choosing a float, commutative": {with(choose, func(c *claim) { c.commutative = true }), False, "commutativity"},
		"choosing a float by nnan,nsz":  {with(choose, func(c *claim) { c.assumes, c.commutative = "nnan; nsz", true }), True, ""},
		"log-sum-exp":                   {softplus, True, ""},
		"log-sum-exp: other inject":     {with(softplus, func(c *claim) { c.inject = "y0 + 1e-10" }), False, "update"},
		"log-sum-exp without afn":       {with(softplus, func(c *claim) { c.assumes = "reassoc; nnan; ninf; nsz" }), False, ""},
		"log-sum-exp by afn alone":      {with(softplus, func(c *claim) { c.assumes = "nnan; ninf; nsz; afn" }), False, ""},
		"false where inject leads": {claim{types: "u64; u64", leaves: "y0:u64", update: "select(x0 == x1*x1 && 1000 < x1, x0, x0 + y0*y0); x1 + y0",
			operator: "select(x0 == x1*x1 && 1000 < x1, x0, x0 + y0); x1 + y1", inject: "y0*y0; y0"}, False, "associativity"},
		"clamp":                         {clamp, True, ""},
		"clamp, wrapping":               {with(clamp, func(c *claim) { c.assumes = "" }), False, "apply(apply"},
		"clamp: composed the other way": {with(clamp, func(c *claim) { c.operator = "x0 + y0; max(y1 + x0, x1)" }), False, "apply(apply"},
		"clamp: identity":               {with(clamp, func(c *claim) { c.identity, c.side = "0; tmin", "two" }), False, "unbounded"},
		"fractions":                     {fraction, True, ""},
		"fractions meet poles":          {with(fraction, func(c *claim) { c.assumes = "reassoc" }), False, "apply(apply"},
		"apply shifts: identity": {claim{status: "lifted", types: "i32", leaves: "y0:i32", update: "(x0 << 1) + y0", operands: "i32", operator: "x0 + y0", inject: "y0",
			apply: "(x0 << 1) + p0", assumes: "nsw", identity: "0", side: "two"}, False, "apply(apply"},
		"second minimum":                {second, True, ""},
		"second minimum, not given":     {with(second, func(c *claim) { c.given = "" }), False, "update"},
		"second minimum, no overflow":   {with(second, func(c *claim) { c.assumes, c.identity, c.side = "nsw", "", "none" }), True, ""},
		"second minimum: inject":        {with(second, func(c *claim) { c.inject = "y0; 0" }), False, ""},
		"second minimum: it starts":     {with(second, func(c *claim) { c.initial = "3; 5" }), True, ""},
		"second minimum: it starts not": {with(second, func(c *claim) { c.initial = "5; 3" }), False, "initial"},
		"an invariant that is not kept": {with(sum, func(c *claim) { c.given = "x0 <= 5" }), False, "inject has"},
		"a coordinate is not negative":  {claim{types: "i32", leaves: "r:i32 nonneg", update: "x0 + max(r, 0)", operator: "x0 + y0", inject: "r"}, True, ""},
		"a coordinate may be negative":  {claim{types: "i32", leaves: "r:i32", update: "x0 + max(r, 0)", operator: "x0 + y0", inject: "r"}, False, "r=-"},
		"wrapping inject":               {natural, True, ""},
		"inject is no natural number":   {with(natural, func(c *claim) { c.assumes = "nuw" }), False, "natural"},
		"division by zero is zero":      {claim{types: "i32", leaves: "y0:i32", update: "x0 + y0/0", operator: "x0 + y0", inject: "0"}, True, ""},
		"a shift by the width":          {claim{types: "u8", leaves: "y0:u8", update: "x0 + (y0 << 8)", operator: "x0 + y0", inject: "0"}, True, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := Judge(tc.claim.line(), Quick)
			if v.Outcome != tc.want || !strings.Contains(v.String(), tc.says) {
				t.Errorf("%s, want %s with %q\n%s", v, tc.want, tc.says, tc.claim.line())
			}
		})
	}
}

// TestForm judges lines that claim nothing with a meaning, and what reads differently.
func TestForm(t *testing.T) {
	sum := string(claim{types: "i32", leaves: "y0:i32", update: "x0 + y0", operator: "x0 + y0", inject: "y0"}.line())
	for name, tc := range map[string]struct {
		line string
		want Outcome
	}{
		"the line":                         {sum, True},
		"cut":                              {sum[:len(sum)-1], Nonsense},
		"two lines":                        {sum + sum, Nonsense},
		"schema":                           {strings.Replace(sum, `"schema":2`, `"schema":1`, 1), Nonsense},
		"status":                           {strings.Replace(sum, `"associative"`, `"error"`, 1), Nonsense},
		"a type":                           {strings.Replace(sum, `"types":["i32"]`, `"types":["i33"]`, 1), Nonsense},
		"an extra member":                  {strings.Replace(sum, `{`, `{"extra":1,`, 1), True},
		"true, then false":                 {strings.Replace(sum, `"inject":["y0"]`, `"inject":["y0"],"inject":["1"]`, 1), False},
		"false, then true":                 {strings.Replace(sum, `"inject":["y0"]`, `"inject":["1"],"inject":["y0"]`, 1), False},
		"in another case":                  {strings.Replace(sum, `"inject":["y0"]`, `"inject":["y0"],"Inject":["1"]`, 1), False},
		"leaves in capitals":               {string(claim{types: "i32", leaves: "R:i32; r:i32", update: "x0 + R*r", operator: "x0 + y0", inject: "R*r"}.line()), True},
		"a number as only people write it": {strings.Replace(sum, `"inject":["y0"]`, `"inject":["0x7"]`, 1), Nonsense},
		"groups":                           {strings.Replace(sum, `{`, `{"groups":[[0]],`, 1), True},
		"groups lack one":                  {strings.Replace(sum, `{`, `{"groups":[],`, 1), Nonsense},
		"a leaf of no name":                {strings.Replace(sum, `"leaves":{`, `"leaves":{"":{"type":"i32"},`, 1), Nonsense},
	} {
		v := Judge([]byte(tc.line), Quick)
		if v.Outcome != tc.want {
			t.Errorf("%s: %s, want %s\n%s", name, v, tc.want, tc.line)
		}
		if err := Check([]byte(tc.line), 100, 1); (err == nil) != (tc.want == True) {
			t.Errorf("%s: Check says %v", name, err)
		}
	}
}

func TestRefusal(t *testing.T) {
	const line = `{"schema":2,"status":"refused","types":["i8"],"update":["x0 ^ (x0 & y0) ^ max(x0, y0)"],"leaves":{"y0":{"type":"i8","text":"y0"}},` +
		`"assumes":[],"given":[],"counterexample":{"left":"1","right":"0","x0":"2","y0":"0","z0":"1"},` +
		`"nearest":{"name":"or","components":[0],"exprs":["x0 | y0"],"inject":["max(y0, 0)"],"component":0,"at":{"left":"1","right":"0","x0":"1","y0":"-1"}}}`
	const nearest = `"at":{"left":"1","right":"0"`
	v := Judge([]byte(strings.Replace(line, `"nearest"`, `"other"`, 1)), Quick)
	if v.Outcome != True {
		t.Errorf("a counterexample that refutes: %s", v)
	}
	for _, change := range [][2]string{{`"right":"0","x0":"2"`, `"right":"1","x0":"2"`}, {`"z0":"1"`, `"z0":"0"`}, {`"x0":"2"`, `"x0":"0"`}, {nearest, `"at":{"left":"3","right":"0"`}} {
		if v := Judge([]byte(strings.Replace(line, change[0], change[1], 1)), Quick); v.Outcome != False {
			t.Errorf("%s in place of %s: %s", change[1], change[0], v)
		}
	}
}

// TestReal compares the operations on rational numbers with those of the machine, on numbers
// and operations that do not round.
func TestReal(t *testing.T) {
	p := ir.NewPool()
	a, b := p.Y(0, ir.F64), p.Y(1, ir.F64)
	values := []float64{-3, -2, -0.5, 0, 0.25, 1, 2, 8}
	for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Min, ir.Max, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne} {
		e := ir.Make(op, a, b)
		for _, spans := range []bool{false, true} {
			exact := compile(world{assume: ir.Reassoc, spans: spans}, map[ir.Expr]int{a: 0, b: 1}, []ir.Expr{e})
			for _, x := range values {
				for _, y := range values {
					if op == ir.Div && (y == 0 || y == -3) { // no float
						continue
					}
					exact.run([]value{exact.realOf(x), exact.realOf(y)})
					want := exact.number(e.Type(), ir.Apply2(op, ir.F64, ir.FloatBits(ir.F64, x), ir.FloatBits(ir.F64, y)))
					if got := exact.root(0); got.void || exact.differ(e.Type(), got, want) {
						t.Errorf("%v %s %v = %s, want %s", x, op, y, got.text(e.Type()), want.text(e.Type()))
					}
				}
			}
		}
	}
}

// TestSpans checks that intervals of exp, log and sqrt hold the machine's values, are narrow,
// and undo each other.
func TestSpans(t *testing.T) {
	p := ir.NewPool()
	x := p.Y(0, ir.F64)
	w := world{assume: ir.Reassoc | ir.AFN, spans: true}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, e := range []ir.Expr{ir.Make(ir.Exp, x), ir.Make(ir.Log, x), ir.Make(ir.Sqrt, x)} {
		prog := compile(w, map[ir.Expr]int{x: 0}, []ir.Expr{e})
		for range 200 {
			f := rng.Float64() * 20
			prog.run([]value{w.realOf(f)})
			v := prog.root(0)
			want := ir.Float(ir.F64, ir.Apply1(e.Op(), ir.F64, ir.F64, ir.FloatBits(ir.F64, f)))
			lo, _ := v.lo.Float64()
			if d := lo/want - 1; d > 1e-12 || d < -1e-12 {
				t.Fatalf("%s at %v is %v, want %v", e, f, lo, want)
			}
			if width := new(big.Float).Sub(v.hi, v.lo); width.Sign() > 0 && width.MantExp(nil) > v.hi.MantExp(nil)-150 {
				t.Fatalf("%s at %v is %v wide", e, f, width)
			}
		}
	}
	same := compile(w, map[ir.Expr]int{x: 0}, []ir.Expr{ir.Make(ir.Log, ir.Make(ir.Exp, x)), x, ir.MulOf(ir.Make(ir.Sqrt, x), ir.Make(ir.Sqrt, x))})
	for range 50 {
		same.run([]value{w.realOf(rng.Float64() * 9)})
		if same.differ(ir.F64, same.root(0), same.root(1)) || same.differ(ir.F64, same.root(2), same.root(1)) {
			t.Error("log(exp(x)) or sqrt(x)*sqrt(x) is not x")
		}
	}
}

// FuzzJudge reads lines of any form: the judge must answer something of each.
func FuzzJudge(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"schema":2,"status":"associative","types":["i8"],"update":["x0 + y0"],"leaves":{"y0":{"type":"i8"}},"operator":{"types":["i8"],"exprs":["x0 + y0"],"identity_side":"none"},"inject":["y0"]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		o := Options{Points: 10, Work: 1000}
		Judge(line, o)
		if tree, err := ordered.Parse(line); err == nil {
			if _, err := ordered.Parse(tree.Bytes()); err != nil {
				t.Errorf("%s is written as %s: %v", line, tree.Bytes(), err)
			}
		}
	})
}
