package verify_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/verify"
)

const (
	group = "proof.certificate.groups.0"
	lift  = "proof.certificate.lift"
)

// A line that was tampered with is not accepted, and the error names the clause.
func TestCheckRejects(t *testing.T) {
	for _, test := range []struct {
		line  string
		edits []edit
		want  string
	}{
		// The record.
		{"sum", []edit{{"schema", `1`}}, "schema 1, not 2"},
		{"sum", []edit{{"schema", `3`}}, "schema 3, not 2"},
		{"sum", []edit{{"schema", ``}}, "schema 0, not 2"},
		{"sum", []edit{{"schema", `"2"`}}, "cannot unmarshal string"},
		{"sum", []edit{{"status", `"proven"`}}, `there is no status "proven"`},
		{"sum", []edit{{"status", ``}}, `there is no status ""`},
		{"sum", []edit{{"status", `"Associative"`}}, `there is no status "Associative"`},
		{"sum", []edit{{"status", `"error"`}}, "could not be read"},
		{"sum", []edit{{"status", `"refused"`}}, "a refusal has no operator"},
		{"sum", []edit{{"status", `"refused"`}, {"operator", ``}}, "a refusal has no operator"},
		{"sum", []edit{{"status", `"refused"`}, {"operator", ``}, {"inject", ``}}, "a refusal has no operator"},
		{"sum", []edit{{"status", `"lifted"`}}, "not one of a lift"},
		{"horner", []edit{{"status", `"associative"`}}, "an operator on the state has no parameters of steps"},
		{"sum", []edit{{"Schema", `2`}}, "is there twice"},
		{"sum", []edit{{"operator.Commutative", `true`}}, "is there twice"},
		{"sum", []edit{{"aſſumes", `["nsw"]`}}, "is there twice"},
		{"sum", []edit{{"leaves.y0.Type", `"u32"`}}, "is there twice"},
		{"sum", []edit{{"proof", ``}}, "no certificate"},
		{"sum", []edit{{"proof.certificate", ``}}, "no certificate"},
		{"sum", []edit{{"proof.certificate", `null`}}, "null stands where a value belongs"},
		{"sum", []edit{{"proof.certificate", `{}`}}, "no group has component 0"},
		{"sum", []edit{{"operator", ``}}, "no certificate"},
		{"sum", []edit{{"proof.steps", `2`}}, "steps: 2, but by the proofs it is 1"},
		{"sum", []edit{{"counterexample", `{"left":"1","right":"2"}`}}, "an answer has no counterexample"},
		{"sum", []edit{{"nearest", `{"name":"","components":[],"exprs":[],"inject":[],"component":0,"at":{}}`}}, "an answer has no counterexample"},
		{"horner", []edit{{"proof.steps", `2`}}, "steps: 2, but by the proofs it is 0"},

		// The update and its leaves.
		{"sum", []edit{{"types", `["i8"]`}}, "update: expression:1:4: + of i8 and i32"},
		{"sum", []edit{{"types", `["i24"]`}}, `there is no type "i24"`},
		{"sum", []edit{{"types", `[]`}}, "0 components"},
		{"sum", []edit{{"types", `["i32","i32"]`}}, "1 expressions for 2 components"},
		{"sum", []edit{{"update", `["x0 - y0"]`}}, "component 0: certificate"},
		{"sum", []edit{{"update", `["x0 + "]`}}, "update:"},
		{"sum", []edit{{"update", `["x0 + x1"]`}}, "update:"},
		{"sum", []edit{{"leaves.y0.type", `"u32"`}}, "update:"},
		{"sum", []edit{{"leaves.y0.type", `""`}}, `leaf y0 has no type ""`},
		{"sum", []edit{{"leaves.x0", `{"type":"i32","text":""}`}}, "a leaf is called x0"},
		{"sum", []edit{{"leaves.p0", `{"type":"i32","text":""}`}}, "a leaf is called p0"},
		{"sum", []edit{{"leaves", `{}`}}, "update:"},
		{"count", []edit{{"leaves.y0.nonneg", `true`}}, "said not to be negative"},
		{"given", []edit{{"leaves.r.nonneg", `false`}}, "r is not said to be non-negative"},

		// The operator of a tuple.
		{"sum", []edit{{"operator.types", `["u32"]`}}, "types are not those of the update"},
		{"sum", []edit{{"operator.exprs", `["x0 - y0"]`}}, "operator: [x0 - y0], but by the proofs it is [x0 + y0]"},
		{"sum", []edit{{"operator.exprs", `["x0 + y0","x0"]`}}, "2 expressions for 1 components"},
		{"sum", []edit{{"operator.exprs", `["x0 + y1"]`}}, "operator:"},
		{"sum", []edit{{"operator.exprs", `["x0 - y0"]`}, {group + ".operator", `["x0 - y0"]`}}, "associativity: component 0"},
		{"sum", []edit{{"inject", `["-y0"]`}}, "inject: [-y0], but by the proofs it is [y0]"},
		{"sum", []edit{{"inject", `["-y0"]`}, {group + ".inject", `["-y0"]`}}, "component 0: certificate"},
		{"sum", []edit{{"inject", `["x0"]`}}, "inject: [x0], but by the proofs it is [y0]"},
		{"sum", []edit{{"inject", `["x0*x0 + y0"]`}, {group + ".inject", `["x0*x0 + y0"]`}}, `group 0: inject: expression:1:1: "x0" is not declared`},
		{"sum", []edit{{"inject", ``}}, "inject: [], but by the proofs it is [y0]"},
		{"sum", []edit{{"apply", `["x0 + p0"]`}}, "no parameters of steps"},
		{"sum", []edit{{"parameter_types", `["i64"]`}}, "no parameters of steps"},
		{"sum", []edit{{"cost", `{"parameters":1,"multiplications":0}`}}, "no parameters of steps"},
		{"sum", []edit{{"operator.identity", `["1"]`}}, "identity: [1], but by the proofs it is [0]"},
		{"sum", []edit{{"operator.identity", ``}}, "identity: [], but by the proofs it is [0]"},
		{"sum", []edit{{"operator.identity", `["0","0"]`}}, "identity: [0 0], but by the proofs it is [0]"},
		{"sum", []edit{{"operator.identity", `["y0"]`}}, "identity:"},
		{"sum", []edit{{"operator.identity", `["1"]`}, {group + ".identity", `["1"]`}}, "left identity: component 0"},
		{"sum", []edit{{"operator.identity_side", `"left"`}}, "identity_side: left, but by the proofs it is two"},
		{"sum", []edit{{"operator.identity_side", `"none"`}}, "identity_side: none, but by the proofs it is two"},
		{"last", []edit{{"operator.identity_side", `"right"`}, {group + ".identity_side", `"right"`}}, "right identity: 0 proofs of 1 equations"},
		{"last", []edit{{"operator.identity_side", `"both"`}, {group + ".identity_side", `"both"`}}, `there is no side "both"`},
		{"last", []edit{{"operator.identity_side", `"right"`}, {group + ".identity_side", `"right"`}, {group + ".properties.right", `[{"kind":"equal"}]`}}, "right identity: component 0"},
		{"sum", []edit{{"operator.commutative", `false`}}, "commutative: false, but by the proofs it is true"},
		{"last", []edit{{"operator.commutative", `true`}}, "commutative: true, but by the proofs it is false"},
		{"last", []edit{{"operator.commutative", `true`}, {group + ".commutative", `true`}}, "commutativity: 0 proofs of 1 equations"},
		{"last", []edit{{"operator.commutative", `true`}, {group + ".commutative", `true`}, {group + ".properties.commutative", `[{"kind":"equal"}]`}}, "commutativity: component 0"},
		{"sum", []edit{{"operator.idempotent", `true`}}, "idempotent: true, but by the proofs it is false"},
		{"sum", []edit{{"operator.idempotent", `true`}, {group + ".idempotent", `true`}, {group + ".properties.idempotent", `[{"kind":"equal"}]`}}, "idempotence: component 0"},
		{"sum", []edit{{group + ".properties.associative", `[]`}}, "associativity: 0 proofs of 1 equations"},
		{"sum", []edit{{group + ".properties.associative", `[null]`}}, "null stands where a value belongs"},
		{"sum", []edit{{group + ".update", `[]`}}, "0 proofs of 1 equations"},
		{"sum", []edit{{group + ".update.0", `{}`}}, "steps: 1, but by the proofs it is 0"},
		{"count", []edit{{group + ".update.0", `{}`}}, "the steps lead to select(y0, x0 + 1, x0), not to x0 + select(y0, 1, 0)"},
		{"count", []edit{{group + ".update.0", `{"steps":[{"rule":"ring","to":"x0 + select(y0, 1, 0)"}]}`}}, "step 1: there is no rule \"ring\""},
		{"count", []edit{{group + ".update.0", `{"steps":[{"rule":"trust","to":"x0 + select(y0, 1, 0)"}]}`}}, `there is no rule "trust"`},
		{"count", []edit{{group + ".update.0", `{"steps":[{"rule":"ring","path":[7],"to":"x0 + select(y0, 1, 0)"}]}`}}, "the path does not lead to the change"},
		{"count", []edit{{group + ".update.0.steps", `[]`}}, "it is proven twice"},

		// Groups.
		{"two", []edit{{"groups", `[[0,1]]`}}, "groups: [[0 1]], but by the proofs it is [[0] [1]]"},
		{"two", []edit{{"groups", ``}}, "groups: [], but by the proofs it is [[0] [1]]"},
		{"two", []edit{{group + ".components", `[1]`}}, "component"},
		{"two", []edit{{group + ".components", `[0,0]`}}, "components [0 0]"},
		{"two", []edit{{group + ".components", `[2]`}}, "components [2]"},
		{"two", []edit{{group + ".components", `[-1]`}}, "components [-1]"},
		{"two", []edit{{group + ".components", `[]`}}, "it has no components"},
		{"mean", []edit{{group + ".components", `[1]`}}, "component 1 depends on others"},
		{"shared", []edit{{"proof.certificate.overlaps", ``}}, "nothing shows that groups agree on component 0"},
		{"shared", []edit{{"proof.certificate.overlaps.0.component", `1`}}, "nothing shows that groups agree on component 0"},
		{"shared", []edit{{"proof.certificate.overlaps.0.assumes", `[]`}}, "is proven under []"},
		{"shared", []edit{{"proof.certificate.overlaps.0.operator", `null`}}, "null stands where a value belongs"},
		{"shared", []edit{{"proof.certificate.overlaps.0.inject", `{"kind":""}`}}, `component 1: certificate: a node of kind ""`},
		{"shared", []edit{{"update.0", `"x0 + 2*y0"`}, {"inject.0", `"2*y0"`}, {group + ".inject.0", `"2*y0"`}}, "group"},
		{"sum", []edit{{"proof.certificate.overlaps", `[{"component":0,"group":0,"operator":{"kind":"equal"},"inject":{"kind":"equal"}}]`}}, "1 proofs that groups agree on components that they do not share"},

		// Assumptions.
		{"mirror", []edit{{"assumes", `[]`}}, "it assumes nsw, which the answer does not"},
		{"mirror", []edit{{"assumes", `[]`}, {group + ".operator_assumes", `[]`}}, "associativity: component 0"},
		{"mirror", []edit{{group + ".operator_assumes", `[]`}}, "associativity: component 0"},
		{"mirror", []edit{{"assumes", `["nuw"]`}, {group + ".operator_assumes", `["nuw"]`}}, "associativity: component 0"},
		{"mirror", []edit{{"assumes", `["nsw","reassoc"]`}}, "assumes: nsw,reassoc, but by the proofs it is nsw"},
		{"sum", []edit{{"assumes", `["nsw"]`}}, "it overflows where the answer assumes that nothing does"},
		{"sum", []edit{{"assumes", `["nnan"]`}}, "assumes: nnan, but by the proofs it is none"},
		{"sum", []edit{{"assumes", `["trust"]`}}, "trust"},
		{"mean", []edit{{"assumes", `[]`}}, "it assumes reassoc,nnan, which the answer does not"},
		{"mean", []edit{{"assumes", `[]`}, {group + ".operator_assumes", `[]`}}, "associativity: component"},
		{"ratio", []edit{{"assumes", `["reassoc"]`}}, "which the answer does not"},
		{"ratio", []edit{{"assumes", `["reassoc"]`}, {lift + ".assumes", `["reassoc"]`}}, "that needs nnan and ninf"},
		{"ratio", []edit{{"assumes", `["reassoc","nnan"]`}, {lift + ".assumes", `["reassoc","nnan"]`}}, "that needs nnan and ninf"},
		{"ratio", []edit{{"assumes", `["reassoc","ninf"]`}, {lift + ".assumes", `["reassoc","ninf"]`}}, "that needs nnan and ninf"},
		{"ratio", []edit{{"assumes", `["nnan","ninf"]`}, {lift + ".assumes", `["nnan","ninf"]`}}, "component 0: certificate"},

		// The conditions in given.
		{"given", []edit{{"given", `[]`}}, "associativity"},
		{"given", []edit{{"given", `["x0 >= 1"]`}}, "group 0"},
		{"given", []edit{{"given", `["x0"]`}}, "given:"},
		{"given", []edit{{group + ".given", ``}}, "associativity"},
		{"given", []edit{{group + ".nonneg", ``}}, "inject has what is given"},
		{"given", []edit{{group + ".nonneg", `["y0"]`}}, "y0 is not said to be non-negative"},
		{"given", []edit{{group + ".admits", ``}}, "0 proofs of 1 conditions on inject"},
		{"given", []edit{{group + ".properties.closed", ``}}, "the operator preserves what is given: 0 proofs"},
		{"given", []edit{{group + ".properties.start", ``}}, "the identity has what is given: 0 proofs"},
		{"given", []edit{{"operator.identity", `["-1"]`}, {group + ".identity", `["-1"]`}}, "the identity has what is given: component 0"},
		{"sum", []edit{{"given", `["x0 >= 0"]`}}, "no group keeps the given condition x0 >= 0"},
		{"sum", []edit{{"given", `["x0 >= 0"]`}, {group + ".given", `true`}}, "associativity: component 0"},
		{"sorted", []edit{{"initial", `["100","99"]`}}, "initial: component 0"},
		{"sorted", []edit{{"initial", `["100",""]`}}, "initial: nothing is said of a component that x0 <= x1 mentions"},
		{"sorted", []edit{{"initial", `["100"]`}}, "initial: 1 values for 2 components"},
		{"sorted", []edit{{"initial", `["x0","x1"]`}}, "initial:"},
		{"sorted", []edit{{"initial", ``}}, "initial: 0 values for 2 components of which 1 conditions are given"},
		{"sorted", []edit{{"proof.certificate.initial", ``}}, "initial: 0 proofs of 1 equations"},
		{"sum", []edit{{"initial", `["0"]`}}, "initial: 1 values for 1 components of which 0 conditions are given"},
		{"horner", []edit{{"initial", `["0"]`}}, "0 conditions are given"},

		// Lifts.
		{"horner", []edit{{"apply", `["x0*p0 - p1"]`}}, "update = apply(x, inject)"},
		{"horner", []edit{{"apply", `["x0*p0 + y0"]`}}, "apply:"},
		{"horner", []edit{{"apply", ``}}, "apply: 0 expressions"},
		{"horner", []edit{{"inject", `["y0","k0"]`}}, "update = apply(x, inject)"},
		{"horner", []edit{{"inject", `["x0","y0"]`}}, `inject: expression:1:1: "x0" is not declared`},
		{"horner", []edit{{"operator.exprs", `["x0*y0","x1*y1 + y0"]`}}, "apply(apply(x, p), q)"},
		{"horner", []edit{{"operator.exprs", `["x0*y0","x1*y0 + k1"]`}}, "operator:"},
		{"horner", []edit{{"operator.types", `["i64","i32"]`}}, "operator: expression:1:3: * of i32 and i64: cast one of them"},
		{"horner", []edit{{"operator.identity", `["0","0"]`}}, "apply(x, identity) = x"},
		{"horner", []edit{{"operator.identity", ``}}, "identity_side: two, but by the proofs it is none"},
		{"horner", []edit{{"operator.identity_side", `"left"`}}, "identity_side: left, but by the proofs it is two"},
		{"horner", []edit{{"operator.identity_side", `"none"`}}, "identity_side: none, but by the proofs it is two"},
		{"horner", []edit{{"operator.commutative", `true`}}, "commutative: true, but by the proofs it is false"},
		{"horner", []edit{{"operator.idempotent", `true`}}, "idempotent: true, but by the proofs it is false"},
		{"horner", []edit{{"assumes", `["nsw"]`}, {lift + ".simpler.0.assumes", `["nsw"]`}}, "it is proven under none, where the answer assumes nsw"},
		{"horner", []edit{{"cost.multiplications", `1`}}, "cost:"},
		{"horner", []edit{{"cost", ``}}, "cost:"},
		{"horner", []edit{{"parameter_types", ``}}, "parameter_types:"},
		{"horner", []edit{{"parameter_types", `["i64","i64"]`}}, "parameter_types:"},
		{"clamp", []edit{{"parameter_types", `["i32","i32"]`}}, "parameter_types:"},
		{"horner", []edit{{"groups", `[[0]]`}}, "the certificate is not one of a lift"},
		{"horner", []edit{{"proof.certificate.groups", `[` + emptyGroup + `]`}}, "the certificate is not one of a lift"},
		{"horner", []edit{{lift + ".step.0", `"x0"`}}, "step: parameter 0"},
		{"horner", []edit{{lift + ".step", `[]`}}, "step: 0 expressions"},
		{"horner", []edit{{lift + ".simpler", `[]`}}, "0 proofs of 2 parameters"},
		{"horner", []edit{{lift + ".action", `[]`}}, "0 proofs of 1 equations"},
		{"horner", []edit{{lift + ".identity", ``}}, "0 proofs of 1 equations"},
		{"masked", []edit{{lift + ".unbounded", ``}}, "of unbounded integers: 0 proofs of 1 equations"},
		{"masked", []edit{{"assumes", `[]`}, {lift + ".assumes", `[]`}}, "apply(apply(x, p), q) = apply(x, p ∘ q): component 0"},
		{"clamp", []edit{{"operator.identity_side", `"two"`}, {"operator.identity", `["0","tmin"]`}, {lift + ".identity", `[{"kind":"equal"}]`}}, "of unbounded integers: 0 proofs of 1 equations"},
		{"clamp", []edit{{"operator.identity_side", `"two"`}, {"operator.identity", `["0","tmin"]`}, {lift + ".identity", `[{"kind":"equal"}]`}, {lift + ".unbounded", `[{"kind":"extrema"}]`}}, "of unbounded integers: component 0"},

		// Proofs of other kinds where they prove nothing.
		{"sum", []edit{{group + ".properties.associative.0.kind", `"extrema"`}}, "associativity: component 0"},
		{"sum", []edit{{group + ".properties.associative.0.kind", `"integers"`}}, "associativity: component 0"},
		{"sum", []edit{{group + ".properties.associative.0.kind", `"solver"`}}, `a node of kind "solver" proves nothing here`},
		{"mirror", []edit{{group + ".properties.associative.0", `{"kind":"bits"}`}}, "associativity: component 0"},
		{"count", []edit{{group + ".update.0.cases.then", `{"kind":"extrema"}`}}, `a node of kind "extrema" proves nothing here`},
		{"count", []edit{{group + ".update.0.cases.then", `{"kind":"integers"}`}}, `a node of kind "integers" proves nothing here`},
		{"count", []edit{{group + ".update.0.cases.then", ``}}, "a case is missing"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"using":[0]}]}`}}, "a case called absurd is not seen to be"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"using":[1]}]}`}}, "there is no decision number 1 to use"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"using":[-1]}]}`}}, "there is no decision number -1 to use"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd"}`}}, "a case called absurd is not seen to be"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"lines":[]}]}`}}, "a case called absurd is not seen to be"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"lines":[[0,1]]}]}`}}, "a case called absurd is not seen to be"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"lines":[[]]}]}`}}, "a case called absurd is not seen to be"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"products":[[0,0]]}]}`}}, "there are no signs 0 and 0"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"absurd","why":[{"products":[[0,-2147483648]]}]}`}}, "there are no signs"},
		{"sum", []edit{{"operator.exprs", `["x0 - y0"]`}, {group + ".operator", `["x0 - y0"]`}, {group + ".properties.associative.0", `{"kind":"carry","low":-9223372036854775808,"cases":[{"kind":"equal"}]}`}}, "times, not -9223372036854775808 to -9223372036854775808"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"rewrite","place":7,"then":{"kind":"equal"}}`}}, "there is no decision number 7"},
		{"count", []edit{{group + ".update.0.cases.else", `{"kind":"signs","term":"x0","cases":[]}`}}, "is not told apart by its sign"},
		{"mirror", []edit{{group + ".properties.associative.0", `{"kind":"bits"}`}}, "bits of integers that do not wrap"},
		{"mirror", []edit{{group + ".properties.associative.0", `{"kind":"integers","then":{"kind":"equal"}}`}}, "it is proven of integers that wrap"},
		{"clamp", []edit{{lift + ".action.0.kind", `"bits"`}}, "bits of integers that do not wrap"},
		{"clamp", []edit{{lift + ".action.0.kind", `"equal"`}}, "apply(apply(x, p), q)"},
		{"lowest", []edit{{lift + ".update.0.then", `{"kind":"integers","then":{"kind":"equal"}}`}}, "it is proven of integers that wrap, and claimed of unbounded ones"},
		{"lowest", []edit{{lift + ".update.0.then", ``}}, "a proof is missing"},
		{"rotated", []edit{{"apply", `["((x0 << (p0 & 7)) & p1) ^ p2"]`}}, "bit"},

		// Refusals.
		{"refused", []edit{{"counterexample.left", `"1"`}}, "counterexample: the sides are -1 and 1 there"},
		{"refused", []edit{{"counterexample.left", ``}}, "counterexample: the sides are -1 and 1 there"},
		{"refused", []edit{{"counterexample.z0", `"0"`}, {"counterexample.left", `"0"`}, {"counterexample.right", `"0"`}}, "both sides are the same there, which refutes nothing"},
		{"refused", []edit{{"counterexample.x0", `"0.5"`}}, "x0 has no value of type i32"},
		{"refused", []edit{{"counterexample.x0", ``}}, "x0 has no value of type i32"},
		{"refused", []edit{{"counterexample", ``}}, "values without what they refute"},
		{"refused", []edit{{"cost", `{"parameters":1,"multiplications":0}`}}, "a refusal has no groups, costs, initial values or assumptions"},
		{"refused", []edit{{"groups", `[[0]]`}}, "a refusal has no groups, costs, initial values or assumptions"},
		{"refused", []edit{{"parameter_types", `["i8"]`}}, "a refusal has no groups, costs, initial values or assumptions"},
		{"refused", []edit{{"assumes", `["nsw"]`}}, "a refusal has no groups, costs, initial values or assumptions"},
		{"refused", []edit{{"refutes", ``}}, "values without what they refute"},
		{"refused", []edit{{"refutes.roles", `[]`}}, "the leaf y0 has no role"},
		{"refused", []edit{{"refutes.roles", `["y0","y0"]`}}, "2 roles for 1 components"},
		{"refused", []edit{{"refutes.roles", `["x0"]`}}, `counterexample: roles: expression:1:1: "x0" is not declared`},
		{"refused", []edit{{"refutes.component", `1`}}, "there is no component 1"},
		{"refused", []edit{{"refutes.component", `-1`}}, "there is no component -1"},
		{"refused", []edit{{"update", `["x0 + y0"]`}}, "counterexample: the sides are"},
		{"refused", []edit{{"given", `["x0 > 0"]`}}, "counterexample: x0 > 0 does not hold there"},
		{"nearest", []edit{{"nearest.at.x0", `"8"`}}, "nearest: the sides are"},
		{"nearest", []edit{{"nearest.at.x0", `"8"`}, {"nearest.at.left", `"8"`}, {"nearest.at.right", `"8"`}}, "nearest: both sides are the same there"},
		{"nearest", []edit{{"nearest.exprs", `["max(x0, y0)"]`}, {"nearest.at.right", `"8"`}}, "nearest: the sides are"},
		{"nearest", []edit{{"nearest.component", `1`}}, "its parts do not fit together"},
		{"nearest", []edit{{"nearest.components", `[]`}}, "its parts do not fit together"},
		{"nearest", []edit{{"nearest.exprs", `[]`}}, "nearest: exprs: 0 expressions for 1 components"},
		{"nearest", []edit{{"nearest.components", `[3]`}}, "nearest: its parts do not fit together"},
	} {
		line := apply(t, lines[test.line](), test.edits...)
		if _, err := verify.Check([]byte(line)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %v: %v, want %s", test.line, test.edits, err, test.want)
		}
	}
}

// Sines that another machine computed are refuted by as well, as long as they are nearly those of this one; sums are computed alike everywhere.
func TestValuesOfOtherMachines(t *testing.T) {
	for _, test := range []struct {
		line string
		by   float64
		want string // part of the error; "" where there is none
	}{
		{"rounded", 1 + 1e-15, ""},
		{"rounded", 1 + 1e-5, "counterexample: the sides are"},
		{"scaled", 1 + 1e-15, "counterexample: the sides are"},
	} {
		line := lines[test.line]()
		r, err := verify.Read([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		left, err := strconv.ParseFloat(r.Counterexample["left"], 64)
		if err != nil {
			t.Fatal(err)
		}
		line = apply(t, line, edit{"counterexample.left", fmt.Sprintf(`"%v"`, left*test.by)})
		if _, err := verify.Check([]byte(line)); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %v times %g: %v", test.line, left, test.by, err)
		}
	}
}

// emptyGroup is a group that proves nothing.
const emptyGroup = `{"components":[],"operator":[],"identity_side":"","inject":[],"operator_assumes":[],"commutative":false,"idempotent":false,"properties":{"associative":[]},"update":[]}`

// Texts that are no record, or one that two readers would read in two ways.
func TestReadRejects(t *testing.T) {
	sum := lines["sum"]()
	nested := func(n int, open, shut string) string { return strings.Repeat(open, n) + `{}` + strings.Repeat(shut, n) }
	replaced := func(old, with string) string {
		out := strings.Replace(sum, old, with, 1)
		if out == sum {
			t.Fatalf("%s is not in %s", old, sum)
		}
		return out
	}
	for _, test := range []struct{ name, line, want string }{
		{"nothing", "", "unexpected end of JSON input"},
		{"a number", "7", "cannot unmarshal number"},
		{"a list", "[]", "cannot unmarshal array"},
		{"no name", replaced(`"name":"f",`, ""), `the field "name" is missing`},
		{"no list of assumptions", replaced(`"assumes":[],`, ""), `the field "assumes" is missing`},
		{"no text of a leaf", replaced(`,"text":"y0"`, ""), `the field "text" is missing`},
		{"no flag", replaced(`,"idempotent":false`, ""), `the field "idempotent" is missing`},
		{"a flag in another case", replaced(`"idempotent"`, `"Idempotent"`), `the field "idempotent" is there twice, once as "Idempotent"`},
		{"no proof of associativity", replaced(`"associative":`, `"associated":`), `the field "associative" is missing`},
		{"no kind of a tree", replaced(`{"kind":"equal"}`, `{}`), `the field "kind" is missing`},
		{"two records", sum + sum, "invalid character '{' after top-level value"},
		{"half a record", sum[:len(sum)/2], "unexpected end of JSON input"},
		{"a field twice", replaced(`"assumes":[]`, `"assumes":["nsw"],"assumes":[]`), `the field "assumes" is there twice`},
		{"a field twice, in another case", replaced(`"assumes":[]`, `"assumes":[],"Assumes":["nsw"]`), `the field "assumes" is there twice`},
		{"a field of the certificate twice", replaced(`"properties":{`, `"properties":{},"properties":{`), `the field "properties" is there twice`},
		{"deep lists", replaced(`"via":`, `"more":`+nested(3000, "[", "]")+`,"via":`), "more than 2000 objects and arrays"},
		{"a deep tree", replaced(`{"kind":"equal"}`, strings.Replace(nested(1900, `{"kind":"split","then":`, `}`), `{}`, `{"kind":"equal"}`, 1)), "a case is split where nothing is open"},
		{"a deeper tree", replaced(`{"kind":"equal"}`, nested(3000, `{"kind":"split","then":`, `}`)), "more than 2000 objects and arrays"},
		{"deep parentheses", replaced(`"exprs":["x0 + y0"]`, `"exprs":["`+strings.Repeat("(", 9000)+"x0"+strings.Repeat(")", 9000)+`"]`), "operator:"},
		{"a number that is none", replaced(`"steps":1`, `"steps":1e400`), "cannot unmarshal number"},
		{"components beyond all numbers", replaced(`"components":[0]`, `"components":[18446744073709551616]`), "cannot unmarshal number"},
	} {
		if _, err := verify.Check([]byte(test.line)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// A proof may be of something other than what the answer says of the update.
func TestCheckRejectsOtherClaims(t *testing.T) {
	const record = `{"schema":2,"name":"f","status":"associative","types":["i32"],"update":["UPDATE"],"leaves":{"y0":{"type":"i32","text":"a"},"y1":{"type":"i32","text":"b"}},` +
		`"operator":{"types":["i32"],"exprs":["OPERATOR"],"identity_side":"none","commutative":false,"idempotent":false},"inject":["INJECT"],"assumes":[ASSUMES],"given":[],"groups":[[0]],"proof":{"steps":1,"certificate":{"groups":[GROUP]}},"micros":0}`
	const once = `{"components":[0],"operator":["OPERATOR"],"identity_side":"none","inject":["INJECT"],"operator_assumes":[],"commutative":false,"idempotent":false,"properties":{"associative":[{"kind":"equal"}]},"update":[{"cases":{"kind":"equal"}}]}`
	const twice = `{"components":[0,0],"operator":["y1","y1"],"identity_side":"none","inject":["y0","y1"],"operator_assumes":[],"commutative":false,"idempotent":false,"properties":{"associative":[{"kind":"equal"},{"kind":"equal"}]},` +
		`"update":[{"cases":{"kind":"equal"}},{"cases":{"kind":"equal"}}]}`
	for _, test := range []struct{ group, operator, update, inject, assumes, want string }{
		{once, "y0", "y1", "y1", "", ""},
		{once, "y0", "x0*x0 - y1", "x0*x0 - y1", "", `inject: expression:1:1: "x0" is not declared`},
		{twice, "y0", "y1", "y0", "", "group 0: components [0 0]"},
		{once, "x0 + y0", "x0 - y1", "-y1", "", ""},
		{once, "x0 + y0", "x0 - y1", "-y1", `"nsw"`, "it overflows where the answer assumes that nothing does"}, // -y1 may where x0 - y1 does not
	} {
		line := strings.NewReplacer("UPDATE", test.update, "INJECT", test.inject, "OPERATOR", test.operator, "ASSUMES", test.assumes).Replace(strings.Replace(record, "GROUP", test.group, 1))
		_, err := verify.Check([]byte(line))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with inject %s: %v, want %s", test.update, test.inject, err, test.want)
		}
	}
}

// TestCheckAccepts reads written lines back; lines that nothing was done to are accepted.
func TestCheckAccepts(t *testing.T) {
	for name, line := range lines {
		r, err := verify.Check([]byte(line()))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if back, err := r.Line(); err != nil || string(back) != line() {
			t.Errorf("%s is written as\n%s\n%v", name, back, err)
		}
	}
}

// Long terms do not make the checker compare each operation with each other one, which would take
// minutes here.
func TestCheckIsQuick(t *testing.T) {
	var products func(lo, hi int, reversed bool) string
	products = func(lo, hi int, reversed bool) string {
		switch {
		case hi-lo > 1:
			return "max(" + products(lo, (lo+hi)/2, reversed) + ", " + products((lo+hi)/2, hi, reversed) + ")"
		case reversed:
			return fmt.Sprintf("y0*%d", 4001-lo)
		}
		return fmt.Sprintf("y0*%d", 2+lo)
	}
	update, inject := quoted("max(x0, "+products(0, 4000, false)+")"), quoted(products(0, 4000, true))
	line := apply(t, lines["greatest"](), edit{"assumes", `["nsw"]`}, edit{group + ".operator_assumes", `["nsw"]`}, edit{"update", update}, edit{"inject", inject}, edit{group + ".inject", inject})
	if _, err := verify.Check([]byte(line)); err == nil || !strings.Contains(err.Error(), "a case is not settled as \"equal\" says") {
		t.Error(err)
	}
}
