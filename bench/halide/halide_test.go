package halide

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

func TestPrefix(t *testing.T) {
	for _, test := range []struct {
		types, update string
		want          string // empty where the driver does not read the update
	}{
		{"x0:i32,y0:i32", "x0 + y0", "add x:i32:0 y:i32:0"},
		{"x0:f32,y0:f32,k0:f32", "max(x0, y0*k0)", "max x:f32:0 mul y:f32:0 k:f32:0"},
		{"x0:i32,y0:i32", "x0 - i32(1)", "sub x:i32:0 c:i32:1"},
		{"x0:f32", "x0 + 1.0", "add x:f32:0 c:f32:1065353216"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "min(x0, y0); select(y0 < x0, r, x1)", "min x:i32:0 y:i32:0;select lt y:i32:0 x:i32:0 r:i32:0 x:i32:1"},
		{"x0:bool,y0:bool", "x0 && !y0", "and x:bool:0 not y:bool:0"},
		{"x0:u8,y0:u8", "x0 + y0", ""},
		{"x0:i32,y0:i32", "x0 << y0", ""},
	} {
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.update)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := prefix(u.Values); got != test.want || ok != (test.want != "") {
			t.Errorf("prefix of %s is %q, %v, not %q", test.update, got, ok, test.want)
		}
	}
}

func TestReadVerdicts(t *testing.T) {
	got, err := readVerdicts("a.tsv:sum\t1\t7900\na.tsv:square\t0\t12000\n")
	if err != nil || got["a.tsv:sum"] != (verdict{true, 7900 * time.Nanosecond}) || got["a.tsv:square"].accepted {
		t.Errorf("the verdicts are %v, %v", got, err)
	}
	for _, text := range []string{"a.tsv:sum\t1\n", "a.tsv:sum\tperhaps\t1\n", "a.tsv:sum\t1\tlong\n"} {
		if _, err := readVerdicts(text); err == nil || !strings.Contains(err.Error(), "the driver printed") {
			t.Errorf("readVerdicts(%q): %v", text, err)
		}
	}
}

func TestNotInstalled(t *testing.T) {
	h := halide{include: t.TempDir(), runs: 1, stderr: io.Discard}
	if err := h.build(context.Background(), filepath.Join(t.TempDir(), "driver")); err == nil || !strings.Contains(err.Error(), "no Halide 14 is installed") {
		t.Errorf("where Halide.h is not there: %v", err)
	}
}

func TestReport(t *testing.T) {
	var out strings.Builder
	report(&out, "both read", []*line{
		{ours: verdict{true, 3 * time.Microsecond}, theirs: verdict{false, 9 * time.Microsecond}},
		{ours: verdict{true, 1 * time.Microsecond}, theirs: verdict{true, 7 * time.Microsecond}},
	})
	const want = "both read\trfactor\t2\t2\t1.0\t3.0\t3.0\t3.0\nboth read\tHalide 14\t2\t1\t7.0\t9.0\t9.0\t9.0\n"
	if out.String() != want {
		t.Errorf("the report is %q, not %q", out.String(), want)
	}
}
