//go:build !js

package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir"
)

// A module that the page times computes what the evaluator does: its serial loop bit for bit, and its slices as well where nothing rounds.
func TestSpeedComputes(t *testing.T) {
	ctx, console := playgroundPage(t)
	requests := []view.Request{
		{Text: "min(x0, y0) ; max(x1, y1)", Types: "x0:u32,x1:i64,y0:u32,y1:i64"},
		{Text: "x0 + select(y0 > 4, i64(y0)*y1, ~y1)", Types: "x0:i64,y0:i32,y1:i64"},
		{Text: "x0 + f64(y0)*y1", Types: "x0:f64,y0:u64,y1:f64"},
		{Text: "max(x0, abs(y0) - sqrt(y1))", Types: "x0:f32,y0:f32,y1:f32"},
		{Text: "x0 ^ u32(i32(y0))", Types: "x0:u32,y0:f64"},
		{Text: "x0*k0 + y0", Types: "x0:i32,y0:i32,k0:i32"},
		{Text: "max(x0 + y0, 0)", Types: "x0:i32,y0:i32", Assume: "+nsw"},
		{Text: "x0 && !is_nan(y0) && popcount(y1) <= 3", Types: "x0:bool,y0:f32,y1:u64"},
	}
	for _, g := range gallery(t) {
		requests = append(requests, g.Request)
	}
	compared := 0
	for _, r := range requests {
		page := r.Match(context.Background())
		page.Part(context.Background(), view.MergePart)
		for _, u := range page.Updates {
			if s := u.Speed(32); s != nil {
				compared++
				compareSpeed(t, ctx, u, s)
			}
		}
	}
	if compared < 15 {
		t.Errorf("%d answers are compared", compared)
	}
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// compareSpeed runs a module in the browser, and its data through the loop of Merged.
func compareSpeed(t *testing.T, ctx context.Context, u *view.Update, s *view.Speed) {
	t.Helper()
	module, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	got := eval[[2][]string](t, ctx, `(async () => {
		const s = `+string(module)+`, f = await runSpeed(s);
		f.serial();
		f.slices();
		const at = n => s.types.map((_, i) => String(new DataView(f.memory.buffer).getBigUint64(n + 8 * i, true)));
		return [at(0), at(512)];
	})()`)
	var data []string
	for _, r := range u.Merge.Rows {
		times := 1
		if r.Each {
			times = s.Steps / len(r.Values)
		}
		data = append(data, strings.Join(slices.Repeat(r.Values, times), " "))
	}
	m := u.Merged(data)
	if m.Failed != "" || len(m.Serial) != s.Steps+1 {
		t.Fatalf("%s: %d states of %q: %s", u.Text, len(m.Serial), data, m.Failed)
	}
	if serial := shownState(t, s.Types, got[0]); serial != m.Serial[s.Steps] {
		t.Errorf("%s: the serial loop gives %s, want %s", u.Text, serial, m.Serial[s.Steps])
	}
	if exact := !slices.ContainsFunc(s.Types, func(t string) bool { return ir.ParseType(t).IsFloat() }); exact {
		if sliced := shownState(t, s.Types, got[1]); m.Equal && sliced != m.Last.Value {
			t.Errorf("%s: slices give %s, want %s", u.Text, sliced, m.Last.Value)
		}
	}
}

// shownState prints bits as a merge prints states.
func shownState(t *testing.T, types, bits []string) string {
	t.Helper()
	var all []string
	for i, name := range types {
		b, err := strconv.ParseUint(bits[i], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		switch typ := ir.ParseType(name); {
		case typ == ir.Bool:
			all = append(all, fmt.Sprint(b != 0))
		case typ.IsFloat():
			all = append(all, strconv.FormatFloat(ir.Float(typ, b), 'g', -1, typ.Bits()))
		case typ.IsSigned() && typ.Bits() == 32:
			all = append(all, fmt.Sprint(int32(b)))
		case typ.IsSigned():
			all = append(all, fmt.Sprint(int64(b)))
		default:
			all = append(all, fmt.Sprint(b))
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// A reader who presses the button sees by how much slices are faster.
func TestMeasureHere(t *testing.T) {
	ctx, console := playgroundPage(t)
	match(t, ctx, "x0 + y0*y0", "x0:f32,y0:f32")
	eval[int](t, ctx, `document.querySelector(".speed button").click(); 0`)
	await(t, ctx, `/ times the serial loop: /.test(document.querySelector(".speed").textContent)`)
	t.Log(eval[string](t, ctx, `document.querySelector(".speed span").textContent`))
	match(t, ctx, "x0 + y0", "x0:i8,y0:i8")
	eval[int](t, ctx, `document.querySelector(".speed button").click(); 0`)
	await(t, ctx, `document.querySelector(".speed").textContent.includes("no form in WebAssembly")`)
	if said := console.read(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}
