package verify_test

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// leastLines are lifts that have no parameter too many, with their certificates.
var leastLines = map[string]func() string{
	"affine": matched("x0:u64,y0:u64,y1:u64", "x0*y0 + y1", "none", ""),                                    // a family and one product more
	"flags":  matched("x0:bool,y0:bool,y1:bool", "select(y0, !x0, x0 || y1)", "none", ""),                  // products of literals alone
	"ramp":   matched("x0:u32,k0:u32,y0:u32", "x0*k0 + y0", "none", ""),                                    // a constant
	"runs":   matched("x0:u32,x1:u32,y0:bool", "select(y0, x0 + 1, 0); x1 + select(y0, 1, 0)", "none", ""), // powers
	"last":   matched("x0:f64,x1:i32,y0:f64,y1:bool", "select(y1, y0, x0); x1*3 + 1", "none", ""),          // a float
}

const least = lift + ".least"

// Fewer parameters are excluded by products of steps alone: what shows it may be exchanged, what is said may not.
func TestLeastRejects(t *testing.T) {
	for _, test := range []struct {
		line  string
		edits []edit
		want  string
	}{
		{"affine", []edit{{"least", ``}}, "least: , but by the proofs it is proven"},
		{"affine", []edit{{"least", `"claimed"`}}, "least: claimed, but by the proofs it is proven"},
		{"affine", []edit{{least, ``}}, "least: proven, but by the proofs it is"},
		{"affine", []edit{{least + ".more", `[]`}}, "18446744073709551616 functions are not too many for 18446744073709551616 values"},
		{"affine", []edit{{least + ".types", `["u32"]`}}, "least: family"},
		{"affine", []edit{{least + ".types", `["u128"]`}}, `there is no type "u128"`},
		{"affine", []edit{{least + ".types", `["u64","u64"]`}}, "1 terms for 2 variables"},
		{"affine", []edit{{least + ".types", `[]`}, {least + ".reads", `[]`}}, "least: family"},
		{"affine", []edit{{least + ".reads.0.term", `"q0*q0"`}}, "variable 0"},
		{"affine", []edit{{least + ".reads.0.term", `"y0"`}}, "least: family: reads"},
		{"affine", []edit{{least + ".reads.0.term", `"p0"`}}, "least: family: reads"},
		{"affine", []edit{{least + ".reads.0.term", `"0"`}}, "variable 0"},
		{"affine", []edit{{least + ".states", `[]`}}, "no states"},
		{"affine", []edit{{least + ".states", `[["0"],["0"]]`}}, "is there twice"},
		{"affine", []edit{{least + ".states", `[["0"],["p0"]]`}}, "states:"},
		{"affine", []edit{{least + ".states", `[["0"],["1 + 1"]]`}}, "are not all literals"},
		{"affine", []edit{{least + ".states", `[["0","1"]]`}}, "states: 2 expressions for 1 components"},
		{"affine", []edit{{least + ".steps", `[]`}}, "a product of 0 steps"},
		{"affine", []edit{{least + ".steps", `[{"inputs":{"y0":"p0"}}]`}}, "a step with 1 inputs in place of 2"},
		{"affine", []edit{{least + ".steps", `[{"inputs":{"y0":"p0","y2":"p0"}}]`}}, "least: family: y1"},
		{"affine", []edit{{least + ".steps", `[{"inputs":{"y0":"p0","y1":"x0"}}]`}}, "least: family: y1"},
		{"affine", []edit{{least + ".steps", `[{"inputs":{"y0":"p0","y1":"p1"}}]`}}, "least: family: y1"},
		{"affine", []edit{{least + ".steps", `[{"inputs":{"y0":"2*p0","y1":"0"}}]`}}, "variable 0"},
		{"affine", []edit{{least + ".more", `[[{"inputs":{"y0":"3","y1":"0"}}]]`}}, "product 0 is one of the family"},
		{"affine", []edit{{least + ".more", `[[{"inputs":{"y0":"3","y1":"y0"}}]]`}}, "product 0: y1"},
		{"affine", []edit{{least + ".more", `[[{"inputs":{"y0":"p0","y1":"1"}}]]`}}, "has no value"},
		{"affine", []edit{{least + ".more", `[[{"inputs":{"y0":"0","y1":"1"}}],[{"inputs":{"y0":"5","y1":"0"}},{"inputs":{"y0":"0","y1":"1"}}]]`}}, "products 0 and 1 are not told apart"},
		{"affine", []edit{{least + ".constants", `{"k0":"1"}`}}, "constants: one is not of the update"},
		{"affine", []edit{{"leaves.y0.nonneg", `true`}}, "where nothing is assumed or given"},
		{"affine", []edit{{"given", `["y0 != 1"]`}}, "where nothing is assumed or given"},
		{"ramp", []edit{{least + ".constants", ``}}, "nothing is said of k0"},
		{"ramp", []edit{{least + ".constants", `{"k0":"y0"}`}}, "constants:"},
		{"ramp", []edit{{least + ".constants", `{"k0":"1"}`}}, "is one of the family"},
		{"flags", []edit{{least + ".more.1", `[{"inputs":{"y0":"false","y1":"false"}},{"inputs":{"y0":"false","y1":"false"}}]`}}, "is one of the family"},
		{"runs", []edit{{least + ".powers", ``}}, "there is no power 1"},
		{"runs", []edit{{least + ".powers.0.type", `"u64"`}}, "power 1: result"},
		{"runs", []edit{{least + ".powers.0.type", `"bool"`}}, `power 1: "bool" is no type of integers`},
		{"runs", []edit{{least + ".powers.0.result", `["x0 + p0","x1 + 2*p0"]`}}, "power 1: next: component 1"},
		{"runs", []edit{{least + ".powers.0.result", `["x0 + p0 + 1","x1 + p0"]`}}, "power 1: start: component 0"},
		{"runs", []edit{{least + ".powers.0.result", `["select(p0 == 0, x0, p0)","x1 + p0"]`}}, "power 1: next: component 0"},
		{"runs", []edit{{least + ".powers.0.result", `["x0 + p1","x1 + p0"]`}}, "power 1: result"},
		{"runs", []edit{{least + ".powers.0.inputs", `{"y0":"false"}`}}, "power 1: next: component 0"},
		{"runs", []edit{{least + ".powers.0.inputs", `{"y0":"p0 == 0"}`}}, "power 1: y0"},
		{"runs", []edit{{least + ".powers.0.start", `[{"kind":"equal"}]`}}, "power 1: start: 1 proofs of 2 equations"},
		{"runs", []edit{{least + ".powers.0.next", `[]`}}, "power 1: next: 0 proofs of 2 equations"},
		{"runs", []edit{{least + ".steps.0.power", `2`}}, "there is no power 2"},
		{"runs", []edit{{least + ".steps.0.power", `-1`}}, "there is no power -1"},
		{"runs", []edit{{least + ".steps.0.power", ``}}, "there is no power 0"},
		{"runs", []edit{{least + ".steps.0.times", ``}}, "least: family: times"},
		{"runs", []edit{{least + ".steps.0.times", `"p1"`}}, "variable 0"},
		{"runs", []edit{{least + ".steps.0.times", `"x0"`}}, "least: family: times"},
		{"runs", []edit{{least + ".steps.0.inputs", `{"y0":"true"}`}}, "or it has inputs of its own"},
	} {
		fine := leastLines[test.line]()
		if _, err := verify.Check([]byte(fine)); err != nil || !strings.Contains(fine, `"least":"proven"`) {
			t.Fatalf("%s: %v\n%s", test.line, err, fine)
		}
		if _, err := verify.Check([]byte(apply(t, fine, test.edits...))); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %v: %v, want %s", test.line, test.edits, err, test.want)
		}
	}
}

// An answer that is no lift says nothing of parameters.
func TestLeastOfOthers(t *testing.T) {
	for _, line := range []string{
		matched("x0:i32,y0:i32", "x0 + y0", "none", "")(),
		matched("x0:i32,x1:i32,y0:i32", "x0 + y0; select(x0 + y0 > 9, 3*x1, x1 + y0)", "none", "")(),
		matched("x0:i32,y0:i32", "x0*x0 + y0", "none", "")(),
	} {
		if _, err := verify.Check([]byte(apply(t, line, edit{"least", `"proven"`}))); err == nil {
			t.Errorf("%s is accepted as least", line)
		}
	}
}

// Where no operator is said to exist, products of steps are more than there are states.
func TestNoOperatorRejects(t *testing.T) {
	square := matched("x0:u32,y0:u32", "x0*x0 + y0", "none", "")()
	sum := matched("x0:u32,y0:u32", "x0 + y0", "none", "")()
	shown := `{"states":[["0"],["2"]],"types":["u32"],"steps":[{"inputs":{"y0":"p0"}}],"reads":[{"term":"q0","proof":{"kind":"equal"}}],"more":[[{"inputs":{"y0":"0"}},{"inputs":{"y0":"0"}}]]}`
	if _, err := verify.Check([]byte(square)); err != nil || !strings.Contains(square, `"no_operator":`+shown) {
		t.Fatalf("%v: %s", err, square)
	}
	refused := apply(t, square, edit{"update", `["x0 + y0"]`}, edit{"counterexample", ``}, edit{"refutes", ``})
	for _, test := range []struct {
		line  string
		edits []edit
		want  string
	}{
		{refused, nil, "no_operator: product 0 is one of the family"}, // a sum has an operator
		{refused, []edit{{"no_operator.more", `[]`}}, "4294967296 functions are not too many for 4294967296 values"},
		{sum, []edit{{"no_operator", shown}}, "an operator on the state has no parameters of steps"},
		{square, []edit{{"no_operator.more", `[]`}}, "4294967296 functions are not too many for 4294967296 values"},
		{square, []edit{{"no_operator.reads.0.term", `"q1"`}}, "no_operator: family: variable 0"},
		{square, []edit{{"given", `["x0 >= 0"]`}}, "where nothing is assumed or given"},
		{square, []edit{{"leaves.y0.nonneg", `true`}}, "where nothing is assumed or given"},
		{square, []edit{{"no_operator", `{}`}}, "missing"},
	} {
		if _, err := verify.Check([]byte(apply(t, test.line, test.edits...))); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %s", test.edits, err, test.want)
		}
	}
}

// Types have as many values as evaluation tells apart.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		types         []ir.Type
		values, fewer string
	}{
		{[]ir.Type{ir.Bool}, "2", "1"},
		{[]ir.Type{ir.I8, ir.Bool}, "512", "256"},
		{[]ir.Type{ir.U64, ir.I64}, "340282366920938463463374607431768211456", "18446744073709551616"},
		{[]ir.Type{ir.F32, ir.U32}, "18374686492556525568", "4294967296"}, // 2³² less two times 2²³ − 1 patterns of NaN, and one NaN
	} {
		if got := verify.Values(test.types).String(); got != test.values {
			t.Errorf("%v have %s values, not %s", test.types, got, test.values)
		}
		if got := verify.Fewer(test.types).String(); got != test.fewer {
			t.Errorf("%v have %s values without the least, not %s", test.types, got, test.fewer)
		}
	}
}
