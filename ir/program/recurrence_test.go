package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// recurrences are programs, the update of their state, and what they keep.
var recurrences = []struct{ text, want string }{
	{"f(r) = f(r - 1) + in(r)", "x0 + in(r) keeps [{0 false}]"},
	{"f(r + 1) = f(r) + in(r)", "x0 + in(r) keeps [{0 false}]"},
	{"f(r) += f(r - 1)", "f(r) + x0 keeps [{0 false}]"},
	{"f(r) = f(-1 + r) + in(r)", "x0 + in(r) keeps [{0 false}]"},
	{"f(n - 1 - r) = f(n - r) + in(n - 1 - r)", "x0 + in(n - 1 - r) keeps [{0 false}]"},
	{"f(r) = in(r) + a*f(r - 1) + b*f(r - 2)", "in(r) + a*x0 + b*x1; x0 keeps [{0 false}]"},
	{"f(r) = in(r) ^ f(r - 4)", "in(r) ^ x3; x0; x1; x2 keeps [{0 false}]"},
	{"f(r) = {f(r - 1)[0] + in(r), f(r - 1)[0]}", "x0 + in(r) keeps [{0 false} {0 true}]"},
	{"f(r) = {f(r - 1)[0]*2, f(r - 1)[1] + in(r)}", "x0*2; x1 + in(r) keeps [{0 false} {1 false}]"},
	{"f(r) = {f(r - 1)[0] + in(r), max(f(r - 1)[1], f(r - 2)[0])}", "x0 + in(r); max(x1, x2); x0 keeps [{0 false} {1 false}]"},
	{"s(x, r) = s(x, r - 1) + in(x, r)", "x0 + in(x, r) keeps [{0 false}]"},
	{"s(r.x, r.y) = s(r.x, r.y - 1) + in(r.x, r.y)", "x0 + in(r.x, r.y) keeps [{0 false}]"},
	{"s(r.x, r.y) = s(r.x - 1, r.y) + in(r.x, r.y)", "x0 + in(r.x, r.y) keeps [{0 false}]"},
	{"f(r.x) = f(r.x - 1) + in(r.x, r.y)", "x0 + in(r.x, r.y) keeps [{0 false}]"},
}

func TestRecurrences(t *testing.T) {
	for _, test := range recurrences {
		prog, err := ParseProgram(ir.NewPool(), "test.rf", test.text, ir.I32)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		d := prog.Definitions()[0]
		if d.Recurrence() == nil {
			t.Errorf("%s is no recurrence: %v", test.text, d.Self)
			continue
		}
		u := d.Matched()
		got := fmt.Sprintf("%s keeps %v", ir.Strings(u.Values), u.Keep)
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, wanted %s", test.text, got, test.want)
		}
	}
}

// TestRecurrenceStarts wants what the first step reads.
func TestRecurrenceStarts(t *testing.T) {
	const head = "ImageParam in(Int(32), 1); Func f; Var x; RDom r(2, in.width() - 2); f(x) = 7; "
	for _, test := range []struct{ text, before, initial string }{
		{"f(r) = f(r - 1) + in(r);", "f(1)", "7"},
		{"f(r) = in(r) + f(r - 1) + f(r - 2);", "f(1) f(0)", "7; 7"},
		{"f(r + 3) = f(r + 2) + in(r);", "f(4)", "7"},
		{"f(in.width() - 1 - r) = f(in.width() - r) + in(r);", "f(in.width() - 2)", "7"},
	} {
		prog, err := ParseProgram(ir.NewPool(), "test.rf", head+test.text, ir.Invalid)
		if err != nil {
			t.Fatal(err)
		}
		rec := prog.Definitions()[0].Recurrence()
		var before []string
		for i := range rec.State {
			before = append(before, rec.Before(i).String())
		}
		if got := strings.Join(before, " "); got != test.before {
			t.Errorf("%s starts from %s, wanted %s", test.text, got, test.before)
		}
		if got := ir.Strings(rec.Update().Init); got != test.initial {
			t.Errorf("%s starts from the values %s, wanted %s", test.text, got, test.initial)
		}
	}
}

// TestNoRecurrence wants a hint that says what could be instead, at the read that it is about.
func TestNoRecurrence(t *testing.T) {
	for _, test := range []struct{ text, at, want string }{
		{"f(r) = f(r + 1) + in(r)", "f(r + 1)", "a later step writes it; a recurrence may read f(r - 1) to f(r - 4)"},
		{"f(n - r) = f(n - r - 1)", "f(n - r - 1)", "a later step writes it; a recurrence may read f(n - r + 1) to f(n - r + 4)"},
		{"f(r) = f(r - 5) + in(r)", "f(r - 5)", "it is 5 steps back, and a recurrence may read f(r - 1) to f(r - 4)"},
		{"f(r) = f(r - k) + in(r)", "f(r - k)", "some steps back in one argument: f(r - 1) where f(r) is written"},
		{"f(r) = f(in(r)) + 1", "f(in(r))", "some steps back in one argument: f(r - 1) where f(r) is written"},
		{"f(2*r) = f(2*r - 2) + in(r)", "f(2*r - 2)", "has to be one coordinate, forwards or backwards"},
		{"f(r.x + r.y) = f(r.x + r.y - 1)", "f(r.x + r.y - 1)", "has to be one coordinate, forwards or backwards"},
		{"f(k) = f(k - 1) + in(r)", "f(k - 1)", "has to be a coordinate of the domain"},
		{"f(r, r) = f(r, r - 1)", "f(r, r - 1)", "r may occur in one argument alone"},
		{"f(in(r), r) = f(in(r), r - 1)", "f(in(r), r - 1)", "r may occur in one argument alone"},
		{"f(r.y) = f(r.y - 1) + in(r.x, r.y)", "f(r.y - 1)", "r.x runs inside of r.y"},
		{"s(r.x, r.y) = s(r.x - 1, r.y) + s(r.x, r.y - 1) + in(r.x, r.y)", "s(r.x, r.y - 1)", "let one function scan along one coordinate"},
		{"s(x, r) = s(x - 1, r - 1)", "s(x - 1, r - 1)", "in one argument"},
		{"f(x) = f(x - 1)", "f(x - 1)", "runs over a reduction domain"},
		{"RDom r(0, 9); r.where(r > 3); Func f; f(r) = f(r - 1) + 1", "f(r - 1)", "put it into the value"},
		{"RDom r(0, 9); Var x; Func f; f(x) = 0; f(r + f(0)) = f(r + f(0) - 1) + 1", "f(r + f(0) - 1)", "must not depend on f"},
	} {
		prog, err := ParseProgram(ir.NewPool(), "test.rf", test.text, ir.I32)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		d := prog.Definitions()[0]
		if d.Recurrence() != nil {
			t.Errorf("%s is a recurrence", test.text)
			continue
		}
		found := false
		for _, s := range d.Self {
			if s.Hint != "" {
				found = strings.Contains(s.Hint, test.want) && strings.HasPrefix(test.text[s.Pos:], test.at)
				if !found {
					t.Errorf("%s: at %s: %s, wanted at %s: %s", test.text, test.text[s.Pos:], s.Hint, test.at, test.want)
				}
			}
		}
		if !found {
			t.Errorf("%s has no such hint", test.text)
		}
	}
}
