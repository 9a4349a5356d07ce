package lowertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Lift is an update whose steps compose and that has no operator on its state. T is the type of in
// and b, m is an array of bools and c a parameter.
type Lift struct {
	Name, Halide, Init, Update string
	Emit                       bool // as a package, too
}

// Lifts lists lifts of every family.
func Lifts() []Lift { return lifts }

var lifts = []Lift{
	{"horner", "Int(32)", "T(3)", "f()*c + in(r)", true},
	{"reset", "UInt(8)", "T(0)", "select(m(r), 0, f() + in(r))", false},
	{"masked", "Int(64)", "T(5)", "select(m(r), f(), f()*b(r) + in(r))", false},
	{"bits", "UInt(16)", "T(77)", "(f() & in(r)) ^ b(r)", true},
	{"row", "Int(32)", "{T(1), T(2)}", "{f()[0]*in(r) + f()[1]*b(r), f()[0]*b(r) + f()[1]}", true},
	{"prefixes", "Int(32)", "{T(0), T(0)}", "{f()[0] + in(r), f()[1] + f()[0] + in(r)}", true},
	{"carry", "Int(32)", "cast<bool>(0)", "in(r) > 2 || (m(r) && f())", false},
	{"automaton", "Int(32)", "{cast<bool>(0), cast<bool>(1)}", "{f()[0] || !m(r), f()[1] && !(f()[0] && m(r))}", true},
	{"sorted", "Float(32)", "{T(-3), cast<bool>(1)}", "{in(r), f()[1] && f()[0] <= in(r)}", true},
	{"rises", "Int(32)", "{T(0), T(0)}", "{in(r), f()[1] + select(f()[0] <= b(r), r, 0)}", true},
	{"blocks", "Int(32)", "{cast<bool>(0), T(0)}", "{m(r), f()[1] + select(m(r) && !f()[0], T(1), T(0))}", false},
	{"variation", "Int(16)", "{T(0), T(0)}", "{in(r), f()[1] + abs(in(r) - f()[0])}", false},
	{"place", "Int(32)", "{T(0), T(0)}", "{f()[0]*c + r, f()[1] + b(r)}", false},
	{"clamp", "Int(16)", "T(3)", "max(min(f() + in(r), 6), -5)", true},
	{"floor", "Int(32)", "T(3)", "max(f() + in(r), 0)", false},
	{"mss", "Int(32)", "{T(0), T(0)}", "{max(f()[0] + in(r), 0), max(f()[1], max(f()[0] + in(r), 0))}", true},
	{"balanced", "Int(32)", "{T(0), cast<bool>(1)}", "{f()[0] + in(r), f()[1] && f()[0] + in(r) >= 0}", true},
	{"counter", "UInt(8)", "T(0)", "select(in(r) > 2, select(f() == 255, T(255), f() + T(1)), select(f() == 0, T(0), f() - T(1)))", true},
	{"hash", "Int(32)", "T(5)", "(f()*31 + in(r)) % 1000003", true},
	{"ascent", "Int(16)", "{T(0), T(0), T(0)}", "{select(f()[2] < in(r), f()[0] + 1, 0), max(select(f()[2] < in(r), f()[0] + 1, 0), f()[1]), in(r)}", true},
	{"profit", "Int(32)", "{T(9), T(0)}", "{min(f()[0], in(r)), max(f()[1], in(r) - f()[0])}", false},
	{"since", "Int(32)", "{T(9), T(0)}", "{min(f()[0], in(r)), select(in(r) < f()[0], b(r), f()[1] + 1)}", true},
	{"rotate", "UInt(32)", "T(9)", "((f() << 5) | (f() >> 27)) ^ in(r)", true},
	{"java", "UInt(8)", "0", "f()*31 + cast<int>(in(r))", true},
	{"digits", "Int(16)", "7", "f()*-3 + select(in(r) > 5, cast<int>(in(r)), 2)", false},
	{"linear", "UInt(32)", "T(9)", "f() ^ (f() << 7) ^ (f() << 3) ^ in(r)", true},
	{"fibonacci", "Int(32)", "T(9)", "f()*T(3) + f()*T(5) - in(r) + b(r)", false},
	{"recurrence", "Int(32)", "{T(9), T(7)}", "{f()[0]*3 - f()[1]*2 + in(r), f()[0]}", true},
	{"register", "Int(16)", "T(9)", "(f() << 1) | in(r)", false},
	{"xorshift", "UInt(8)", "T(9)", "f() ^ (f() << 2) ^ in(r)", false},
	{"crc", "UInt(8)", "T(9)", "(f() >> 1) ^ select(f() % 2 == 1, T(140), T(0)) ^ in(r)", true},
	{"squares", "Int(32)", "{T(3), T(5)}", "{f()[0]*c + in(r), f()[1] + f()[0]*f()[0]}", true},
	{"planes", "UInt(16)", "{T(3), T(5)}", "{(f()[0] ^ in(r)) & ~f()[1], (f()[1] ^ in(r)) & ~((f()[0] ^ in(r)) & ~f()[1])}", true},
	{"saturating", "Int(16)", "T(3)", "select(m(r), saturating_add(f(), in(r)), saturating_sub(f(), b(r)))", true},
	{"capped", "Int(32)", "T(3)", "select(m(r), select(f() < 9, f() + 1, f()), f())", true},
	{"longest", "Int(32)", "{T(0), T(0), T(0)}", "{select(m(r), f()[0] + 1, 0), max(f()[1], select(m(r), f()[0] + 1, 0)), select(select(m(r), f()[0] + 1, 0) > f()[1], r, f()[2])}", true},
	{"neighbours", "Int(32)", "{T(0), T(0), T(0)}", "{in(r), f()[0], f()[2] + select(f()[0] > f()[1] && f()[0] > in(r), T(1), T(0))}", true},
	{"remainder", "UInt(32)", "T(7)", "cast<uint32_t>((cast<uint64_t>(f())*31 + cast<uint64_t>(in(r))) % 1000003)", true},
	{"drawdown", "Int(32)", "{T(0), T(0), T(0)}", "{f()[0] + in(r), max(f()[1], f()[0] + in(r)), max(f()[2], max(f()[1], f()[0] + in(r)) - (f()[0] + in(r)))}", false},
	{"colours", "Int(16)", "{T(0), T(1), T(2)}", "{min(f()[1], f()[2]) + in(r), min(f()[0], f()[2]) + b(r), min(f()[0], f()[1]) + 3}", false},
	{"run", "Int(32)", "{T(0), T(0)}", "{select(m(r), f()[0] + 1, 0), max(f()[1], select(m(r), f()[0] + 1, 0))}", false},
}

// LiftSchedules lists schedules that keep the order of the loop; the first is automatic.
func LiftSchedules() []string { return liftSchedules }

var liftSchedules = []string{
	"",
	"f.update(0).split(r, ro, ri, 16).rfactor(ro, u).compute_root().update(0).parallel(u);",
	"f.update(0).split(r, ro, ri, 5).rfactor(ro, u).compute_root();",
	"f.update(0).split(r, ro, ri, 100).rfactor(ro, u).compute_root().update(0).parallel(u).split(ri, rio, rii, 7).rfactor(rio, v).compute_root().update(0).vectorize(v);",
	"f.update(0).split(r, ro, ri, 1).rfactor(ro, u).compute_root().update(0).vectorize(u);",
}

// LiftPlan factors an update of Lifts under a schedule. The test fails where that is not lifted.
func LiftPlan(t *testing.T, init, update, halide, where, schedule string) *plan.Plan {
	t.Helper()
	text := fmt.Sprintf("ImageParam in(%s, 1), b(%s, 1), m(Bool(), 1);\nParam<int> k;\nExpr c = T(k);\nFunc f;\nVar u, v;\nRVar ro, ri, rio, rii;\nf() = %s;\nRDom r(0, in.width());\n%sf() = %s;\n%s",
		halide, halide, init, where, update, schedule)
	for _, et := range elementTypes {
		if et.Halide == halide {
			text = strings.ReplaceAll(text, "T(", "cast<"+et.T.String()+">(")
		}
	}
	prog := Parse(t, "lift.rf", text)
	opts := liftOptions
	opts.Auto = schedule == ""
	p, err := plan.Factor(context.Background(), prog, opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if a := p.Answers[prog.Func("f").Updates[0]]; a == nil || a.Status != rfactor.Lifted {
		t.Errorf("%s is not lifted", update)
	}
	return p
}

// LiftOptions are the options of LiftPlan.
func LiftOptions() plan.Options { return liftOptions }

var liftOptions = plan.Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions | ir.NSW}, Grain: 40}
