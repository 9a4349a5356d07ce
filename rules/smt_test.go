package rules

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
)

var everyWidth = flag.Bool("every-width", false, "ask the solver at every width, and by the exact laws of floats")

// smt prints terms in SMT-LIB 2: bit-vectors at the type's width, Int where unbounded,
// IEEE floats.
type smt struct {
	unbounded bool
	abstract  bool // + − × ÷ are any functions: what holds of them holds of these
	ok        bool // false after something that has no printing here
}

func (s *smt) sort(t ir.Type) string {
	switch {
	case t == ir.Bool:
		return "Bool"
	case t.IsFloat():
		return map[ir.Type]string{ir.F32: "Float32", ir.F64: "Float64"}[t]
	case s.unbounded:
		return "Int"
	}
	return fmt.Sprintf("(_ BitVec %d)", t.Bits())
}

func (s *smt) literal(e ir.Expr) string {
	t := e.Type()
	switch {
	case t == ir.Bool:
		return fmt.Sprint(e.Value() != 0)
	case t.IsFloat():
		f := ir.Float(t, e.Value())
		exp, sig := map[ir.Type]int{ir.F32: 8, ir.F64: 11}[t], map[ir.Type]int{ir.F32: 24, ir.F64: 53}[t]
		switch {
		case math.IsInf(f, 1):
			return fmt.Sprintf("(_ +oo %d %d)", exp, sig)
		case math.IsInf(f, -1):
			return fmt.Sprintf("(_ -oo %d %d)", exp, sig)
		case f == 0 && math.Signbit(f):
			return fmt.Sprintf("(_ -zero %d %d)", exp, sig)
		}
		return fmt.Sprintf("((_ to_fp %d %d) RNE %.1f)", exp, sig, f)
	case s.unbounded && e.Int() < 0:
		return fmt.Sprintf("(- %d)", -e.Int())
	case s.unbounded:
		return fmt.Sprint(e.Int())
	}
	return fmt.Sprintf("(_ bv%d %d)", e.Value()&(math.MaxUint64>>(64-t.Bits())), t.Bits())
}

var smtBits = map[ir.Op]string{ir.Add: "bvadd", ir.Sub: "bvsub", ir.Mul: "bvmul", ir.Neg: "bvneg", ir.BitNot: "bvnot",
	ir.BitAnd: "bvand", ir.BitOr: "bvor", ir.BitXor: "bvxor", ir.Shl: "bvshl"}
var smtInts = map[ir.Op]string{ir.Add: "+", ir.Sub: "-", ir.Mul: "*", ir.Neg: "-", ir.Div: "div"}
var smtFloats = map[ir.Op]string{ir.Add: "fp.add RNE", ir.Sub: "fp.sub RNE", ir.Mul: "fp.mul RNE", ir.Div: "fp.div RNE",
	ir.Neg: "fp.neg", ir.Abs: "fp.abs"}
var smtAny = map[ir.Op]string{ir.Add: "any_add", ir.Sub: "any_sub", ir.Mul: "any_mul", ir.Div: "any_div"}
var smtOrder = map[ir.Op][4]string{ // Int, signed, unsigned, float
	ir.Lt: {"<", "bvslt", "bvult", "fp.lt"}, ir.Le: {"<=", "bvsle", "bvule", "fp.leq"},
	ir.Gt: {">", "bvsgt", "bvugt", "fp.gt"}, ir.Ge: {">=", "bvsge", "bvuge", "fp.geq"}}

func (s *smt) term(e ir.Expr) string {
	switch e.Op() {
	case ir.Var:
		return e.Name()
	case ir.Const:
		return s.literal(e)
	}
	args := make([]string, e.NumArgs())
	for i := range args {
		args[i] = s.term(e.Arg(i))
	}
	call := func(f string) string {
		if f == "" {
			s.ok = false
		}
		return "(" + f + " " + strings.Join(args, " ") + ")"
	}
	t := e.Arg(0).Type()
	switch e.Op() {
	case ir.Select:
		return call("ite")
	case ir.Not:
		return call("not")
	case ir.And:
		return call("and")
	case ir.Or:
		return call("or")
	case ir.Ne:
		return "(not " + s.equal(t, args[0], args[1]) + ")"
	case ir.Eq:
		return s.equal(t, args[0], args[1])
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		return call(s.order(e.Op(), t))
	case ir.Min:
		return s.minMax(t, ir.Lt, args)
	case ir.Max:
		return s.minMax(t, ir.Gt, args)
	case ir.SatAdd, ir.SatSub:
		return s.saturated(e.Op(), t, args)
	}
	switch {
	case s.abstract && e.Type() == t && smtAny[e.Op()] != "":
		return call(smtAny[e.Op()])
	case t.IsFloat():
		return call(smtFloats[e.Op()])
	case e.Op() == ir.Abs:
		zero := s.literal(e.Pool().Int(t, 0))
		neg := "bvneg"
		if s.unbounded {
			neg = "-"
		}
		return fmt.Sprintf("(ite (%s %s %s) (%s %s) %s)", s.order(ir.Lt, t), args[0], zero, neg, args[0], args[0])
	case s.unbounded:
		return call(smtInts[e.Op()])
	}
	return call(smtBits[e.Op()])
}

func (s *smt) order(op ir.Op, t ir.Type) string {
	names := smtOrder[op]
	switch {
	case t.IsFloat():
		return names[3]
	case s.unbounded:
		return names[0]
	case t.IsSigned():
		return names[1]
	}
	return names[2]
}

func (s *smt) equal(t ir.Type, a, b string) string {
	if t.IsFloat() {
		return "(fp.eq " + a + " " + b + ")"
	}
	return "(= " + a + " " + b + ")"
}

// minMax: floats propagate NaN and order -0 < +0, as Go's built-ins do.
func (s *smt) minMax(t ir.Type, op ir.Op, args []string) string {
	less := fmt.Sprintf("(%s %s %s)", s.order(op, t), args[0], args[1])
	if t.IsFloat() {
		sign := "fp.isNegative"
		if op == ir.Gt {
			sign = "fp.isPositive"
		}
		less = fmt.Sprintf("(or (fp.isNaN %[1]s) (and (not (fp.isNaN %[2]s)) (or %[3]s (and (fp.eq %[1]s %[2]s) (%[4]s %[1]s)))))",
			args[0], args[1], less, sign)
	}
	return fmt.Sprintf("(ite %s %s %s)", less, args[0], args[1])
}

func (s *smt) saturated(op ir.Op, t ir.Type, args []string) string {
	if !t.IsUnsigned() || s.unbounded {
		s.ok = false
		return ""
	}
	if op == ir.SatSub {
		return fmt.Sprintf("(ite (bvult %[1]s %[2]s) (_ bv0 %[3]d) (bvsub %[1]s %[2]s))", args[0], args[1], t.Bits())
	}
	return fmt.Sprintf("(ite (bvult (bvnot %[2]s) %[1]s) (bvnot (_ bv0 %[3]d)) (bvadd %[1]s %[2]s))", args[0], args[1], t.Bits())
}

// query asks whether the sides can differ; "" where the printer lacks something.
func query(r *Rule, t ir.Type, unbounded, abstract bool, needs ir.Assume) string {
	in := newInstance(r, t)
	s := &smt{unbounded: unbounded, abstract: abstract, ok: true}
	var b strings.Builder
	if abstract {
		for _, f := range []string{"add", "sub", "mul", "div"} {
			fmt.Fprintf(&b, "(declare-fun any_%s (%[2]s %[2]s) %[2]s)\n", f, s.sort(t))
		}
	}
	for _, v := range ir.Vars(in.lhs) {
		fmt.Fprintf(&b, "(declare-const %s %s)\n", v.Name(), s.sort(v.Type()))
	}
	for _, e := range in.subterms {
		if needs.Has(ir.NNaN) {
			fmt.Fprintf(&b, "(assert (not (fp.isNaN %s)))\n", s.term(e))
		}
		if needs.Has(ir.NInf) {
			fmt.Fprintf(&b, "(assert (not (fp.isInfinite %s)))\n", s.term(e))
		}
	}
	left, right := s.term(in.lhs), s.term(in.rhs)
	same := "(= " + left + " " + right + ")"
	if needs.Has(ir.NSZ) && in.lhs.Type().IsFloat() {
		same = "(or " + same + " (fp.eq " + left + " " + right + "))"
	}
	fmt.Fprintf(&b, "(assert (not %s))\n", same)
	if !s.ok {
		return ""
	}
	return b.String()
}

// solver is a z3 process that answers queries one after another.
type solver struct {
	limit int // of the resources of one answer, as z3 counts them
	in    io.Writer
	out   *bufio.Reader
}

func startSolver(t *testing.T) *solver {
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("z3 is not on the path: rules are checked by evaluation only")
	}
	cmd := exec.Command(path, "-in")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return &solver{in: in, out: bufio.NewReader(out)}
}

func (s *solver) ask(t *testing.T, q string) string {
	fmt.Fprintf(s.in, "(reset)\n(set-option :rlimit %d)\n%s(check-sat)\n", s.limit, q)
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatalf("z3 stopped: %v", err)
	}
	return strings.TrimSpace(line)
}

var sampleOfRules = suite.More(30, 5)

// TestRulesBySolver asks z3 for a counterexample to every rule and axiom at 8 and 32 bits,
// with -every-width at every width and, which is slow, by the exact laws of floats. What it
// leaves open within its resources may differ between versions of z3; a counterexample
// fails the test. Axioms get a hundred times the resources, enough for z3 4.8 to prove all
// of them at 32 bits. For rules it is a second opinion: their proofs are certificates, which
// package verify/rule checks. An ordinary test asks about every axiom and one rule in sampleOfRules.
func TestRulesBySolver(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	z3 := startSolver(t)
	for i, r := range Ranked() {
		if r.Theory != "axioms" && i%suite.Sample(sampleOfRules, 1) != 0 {
			continue
		}
		z3.limit = 800_000
		if r.Theory == "axioms" {
			z3.limit *= 100
		}
		if proven := proveRule(t, z3, r); len(proven) == 0 {
			t.Logf("%s: by evaluation only", r.Name)
		}
	}
}

// proveRule lists the types in which the solver finds no counterexample.
func proveRule(t *testing.T, z3 *solver, r *Rule) (proven []string) {
	try := func(label string, typ ir.Type, unbounded, abstract bool, needs ir.Assume) bool {
		q := query(r, typ, unbounded, abstract, needs)
		if q == "" {
			return true
		}
		answer := z3.ask(t, q)
		switch {
		case answer == "unsat":
			proven = append(proven, label)
			return true
		case abstract || answer == "unknown":
			return false
		}
		t.Errorf("%s at %s: z3 says %s to\n%s", r.Text, label, answer, q)
		return true
	}
	ask := func(label string, typ ir.Type, unbounded bool, needs ir.Assume) {
		first := typ.IsFloat() // exact floats are slow
		if !try(label, typ, unbounded, first, needs) && (*everyWidth || !first || r.Theory == "axioms") {
			try(label, typ, unbounded, !first, needs)
		}
	}
	for _, c := range r.Classes {
		for _, typ := range c.Types() {
			switch {
			case !*everyWidth && typ.IsInt() && typ.Bits() != 8 && typ.Bits() != 32:
			case typ.IsFloat() && (c.Needs.Has(ir.Reassoc) || typ == ir.F64):
			case typ.IsFloat() || c.Domain != UnboundedOnly:
				ask(typ.String(), typ, false, c.Needs)
			}
		}
		if c.Domain != WrapOnly && c.Name != "bool" && c.Name != "float" {
			ask("Int", ir.I64, true, 0)
		}
	}
	return proven
}
