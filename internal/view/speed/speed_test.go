package speed

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec"
	"github.com/rfactor-go/rfactor/rfactor/plan"
	"github.com/rfactor-go/rfactor/verify"
)

// Loops that a page times compute what the evaluator does: the serial one bit for bit, and slices as well where nothing rounds.
func TestLoops(t *testing.T) {
	requests := []view.Request{
		{Text: "min(x0, y0) ; max(x1, y1)", Types: "x0:u32,x1:i64,y0:u32,y1:i64"},
		{Text: "x0 + select(y0 > 4, i64(y0)*y1, ~y1)", Types: "x0:i64,y0:i32,y1:i64"},
		{Text: "x0 + f64(y0)*y1", Types: "x0:f64,y0:u64,y1:f64"},
		{Text: "max(x0, abs(y0) - sqrt(y1))", Types: "x0:f32,y0:f32,y1:f32"},
		{Text: "x0 ^ u32(i32(y0))", Types: "x0:u32,y0:f64"},
		{Text: "x0 + exp(y0)", Types: "x0:f32,y0:f32"},
		{Text: "x0*k0 + y0", Types: "x0:i8,y0:i8,k0:i8"},
		{Text: "max(x0 + y0, 0)", Types: "x0:i32,y0:i32", Assume: "+nsw"},
		{Text: "x0 && !is_nan(y0) && popcount(y1) <= 3", Types: "x0:bool,y0:f32,y1:u64"},
	}
	var gallery []view.Request
	text, err := os.ReadFile("../../../playground/gallery.json")
	if err == nil {
		err = json.Unmarshal(text, &gallery)
	}
	if err != nil {
		t.Fatal(err)
	}
	compared := 0 // over 48 steps, of which no two slices have the same
	for i, r := range gallery {
		if i%4 == 0 {
			requests = append(requests, r)
		}
	}
	for _, r := range requests {
		page := r.Match(context.Background())
		page.Part(context.Background(), view.MergePart)
		for _, u := range page.Updates {
			if l := loopsOf(u, 48); l != nil {
				compared++
				l.compare(t, u)
			}
		}
	}
	if compared < 25 {
		t.Errorf("%d answers are compared", compared)
	}
}

// compare runs loops, and their data through the loop of Merged.
func (l *loops) compare(t *testing.T, u *view.Update) {
	t.Helper()
	var data []string
	for _, r := range u.Merge.Rows {
		times := 1
		if r.Each {
			times = l.steps / len(r.Values)
		}
		data = append(data, strings.Join(slices.Repeat(r.Values, times), " "))
	}
	if !slices.ContainsFunc(u.Merge.Rows, func(r view.Row) bool { return r.Each }) {
		return // the data do not say how many steps there are
	}
	m := u.Merged(data)
	if m.Failed != "" || len(m.Serial) != l.steps+1 {
		t.Fatalf("%s: %d states of %q: %s", u.Text, len(m.Serial), data, m.Failed)
	}
	if got := l.run(t, l.serial(), true); got != m.Serial[l.steps] {
		t.Errorf("%s: the serial loop gives %s, want %s", u.Text, got, m.Serial[l.steps])
	}
	if got := l.run(t, l.slices(), false); got != m.Last.Value && m.Equal && !slices.ContainsFunc(l.a.Types, ir.Type.IsFloat) {
		t.Errorf("%s: slices give %s, want %s", u.Text, got, m.Last.Value)
	}
}

// run returns the state at the end, as a merge prints it.
func (l *loops) run(t *testing.T, p *plan.Plan, scalar bool) string {
	t.Helper()
	compiled, err := exec.Compile(p, exec.Options{Goroutines: 1, Compile: 1, Scalar: scalar})
	if err != nil {
		t.Fatal(err)
	}
	out, err := compiled.Run(context.Background(), l.inputs)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, array := range out {
		for i, typ := range l.a.Types {
			switch v := array.Elements(i).At(0); {
			case typ.IsFloat():
				all = append(all, strconv.FormatFloat(ir.Float(typ, v), 'g', -1, typ.Bits()))
			default:
				all = append(all, verify.ValueText(typ, v))
			}
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// What the first call takes longer, as it compiles, is not measured.
func TestTimed(t *testing.T) {
	first := true
	least, err := timed(func() error {
		if first {
			time.Sleep(20 * time.Millisecond)
		}
		first = false
		return nil
	})
	if err != nil || least < 0 || least > time.Millisecond {
		t.Errorf("%v, %v", least, err)
	}
}
