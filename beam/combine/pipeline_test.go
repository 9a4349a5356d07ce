package combine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

func init() {
	register.Function1x2(parity)
	register.Function2x1(showKeyed)
	register.Function1x1(show)
	register.Function1x2(stamp)
}

func parity(row Row) (int, Row)           { return int(row.Index % 2), row }
func show(t Tuple) string                 { return fmt.Sprint(t.Values) }
func showKeyed(key int, t Tuple) string   { return fmt.Sprint(key, t.Values) }
func stamp(row Row) (beam.EventTime, Row) { return mtime.FromMilliseconds(row.Index * 1000), row }

// answer matches an abstract update.
func answer(t *testing.T, types, text string, allowed ir.Assume) *rfactor.Answer {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), types, text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := rfactor.Match(context.Background(), u, rfactor.Options{Allowed: allowed})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func reduction(t *testing.T, types, text string, initial ...uint64) *Reduction {
	t.Helper()
	r, err := New(answer(t, types, text, 0), initial, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rowsOf(columns ...[]uint64) []Row {
	rows := make([]Row, len(columns[0]))
	for i := range rows {
		rows[i].Index = int64(i)
		for _, c := range columns {
			rows[i].Leaves = append(rows[i].Leaves, c[i])
		}
	}
	return rows
}

func neg(v int64) uint64 { return uint64(v) }

func TestGlobal(t *testing.T) {
	for _, c := range []struct {
		name      string
		reduction *Reduction
		rows      []Row
		want      string
	}{
		{"sum", reduction(t, "x0:i32,y0:i32", "x0 + y0", 5), rowsOf([]uint64{1, 2, 3}), "[11]"},
		{"a lift, in order", reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 7), rowsOf([]uint64{2, 3, 5}, []uint64{1, 1, 2}), "[232]"},
		{"the first of equals", reduction(t, "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1)", 100, 0),
			rowsOf([]uint64{4, 2, 9, 2}, []uint64{10, 11, 12, 13}), "[2 11]"},
		{"nothing, with an initial value", reduction(t, "x0:i32,y0:i32", "max(x0, y0)", 3), nil, "[3]"},
		{"nothing, with an identity", reduction(t, "x0:i32,y0:i32", "min(x0, y0)"), nil, "[2147483647]"},
		{"nothing, lifted", reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 7), nil, "[7]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := beam.NewPipelineWithRoot()
			rows := c.rows
			var col beam.PCollection
			if len(rows) == 0 {
				col = beam.ParDo(s, dropRow, beam.CreateList(s, []Row{{}}))
			} else {
				col = beam.CreateList(s, rows)
			}
			passert.Equals(s, beam.ParDo(s, show, Global(s, c.reduction, col)), c.want)
			ptest.RunAndValidate(t, p)
		})
	}
}

func dropRow(Row, func(Row)) {}

func init() {
	register.Function2x0(dropRow)
	register.Emitter1[Row]()
}

// A key that does not occur has no output. Indices of one key have gaps.
func TestPerKey(t *testing.T) {
	r := reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 1)
	r.Sparse = true
	p, s := beam.NewPipelineWithRoot()
	rows := rowsOf([]uint64{2, 3, 5, 7}, []uint64{0, 1, 1, 0})
	out := PerKey(s, r, beam.ParDo(s, parity, beam.CreateList(s, rows)))
	passert.Equals(s, beam.ParDo(s, showKeyed, out), "0 [11]", "1 [28]")
	ptest.RunAndValidate(t, p)
}

func TestWindows(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	rows := beam.ParDo(s, stamp, beam.CreateList(s, rowsOf([]uint64{1, 2, 3, 4, 5})))
	rows = beam.WindowInto(s, window.NewFixedWindows(2*time.Second), rows)
	out := Global(s, reduction(t, "x0:i32,y0:i32", "x0 + y0"), rows)
	passert.Equals(s, beam.WindowInto(s, window.NewGlobalWindows(), beam.ParDo(s, show, out)), "[3]", "[7]", "[5]")
	ptest.RunAndValidate(t, p)
}

// Each window has its own result of each key that occurs in it.
func TestWindowsPerKey(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	rows := beam.ParDo(s, stamp, beam.CreateList(s, rowsOf([]uint64{1, 2, 3, 4, 5, 6, 7})))
	rows = beam.WindowInto(s, window.NewFixedWindows(3*time.Second), rows)
	out := PerKey(s, reduction(t, "x0:i32,y0:i32", "max(x0, y0)"), beam.ParDo(s, parity, rows))
	passert.Equals(s, beam.WindowInto(s, window.NewGlobalWindows(), beam.ParDo(s, showKeyed, out)), "0 [3]", "1 [2]", "0 [5]", "1 [6]", "0 [7]")
	ptest.RunAndValidate(t, p)
}

// Mistakes stop the pipeline, and say what is wrong.
func TestErrors(t *testing.T) {
	affine := reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 1)
	forged := *affine
	forged.Answer = strings.Replace(forged.Answer, `"x0*y0","x1*y0 + y1"`, `"x0*y0","x1*y0 - y1"`, 1)
	few := *affine
	few.Fragments = 2
	all := *affine
	all.Elements = 4
	three := rowsOf([]uint64{2, 3, 5}, []uint64{0, 1, 1})
	for _, c := range []struct {
		name      string
		reduction *Reduction
		rows      []Row
		want      string
	}{
		{"a gap", affine, slices.Delete(slices.Clone(three), 1, 2), "the elements [1, 2) are missing"},
		{"a gap at the end", &all, three, "the elements [3, 4) are missing"},
		{"a duplicate", affine, append(slices.Clone(three), three[1]), "occur twice"},
		{"a column too few", affine, rowsOf([]uint64{1}), "a row has 1 values, and the update reads 2"},
		{"another type", affine, rowsOf([]uint64{1 << 40}, []uint64{0}), "y0 is i32"},
		{"a forged operator", &forged, three, "the certificate does not hold"},
		{"fragments", &few, []Row{{0, three[0].Leaves}, {2, three[0].Leaves}, {4, three[0].Leaves}}, "more than 2 ranges"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := beam.NewPipelineWithRoot()
			beam.ParDo(s, show, Global(s, c.reduction, beam.CreateList(s, c.rows)))
			if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want an error with %q, got %v", c.want, err)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		types, text string
		allowed     ir.Assume
		initial     []uint64
		want        string
	}{
		{"x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1)", 0, nil, "does not commute, and Beam merges in any order"},
		{"x0:i32,y0:i32", "x0*x0 + y0", 0, nil, "the answer is refused"},
		{"x0:i32,y0:i32,k0:i32", "max(x0, y0 + k0)", 0, nil, "the constant k0, which is k0, has no value"},
		{"x0:i8,y0:i8", "max(x0, y0)", 0, []uint64{300}, "its initial value 0x12c is none"},
	} {
		if _, err := New(answer(t, c.types, c.text, c.allowed), c.initial, nil, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v", c.text, c.want, err)
		}
	}
}

// What is damaged or of another form is not decoded.
func TestCoders(t *testing.T) {
	r := reduction(t, "x0:i32,x1:bool,x2:f64,y0:i32,y1:bool,y2:f64", "max(x0, y0); x1 || y1; max(x2, y2)")
	m, err := r.compile()
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.add(m.create(), Row{3, []uint64{neg(-7), 1, ir.FloatBits(ir.F64, 2.5)}})
	if err != nil {
		t.Fatal(err)
	}
	b := encodeAccumulator(a)
	back, err := decodeAccumulator(b)
	if err != nil || fmt.Sprint(back) != fmt.Sprint(a) {
		t.Errorf("%v became %v, %v", a, back, err)
	}
	for n := range b {
		if _, err := decodeAccumulator(b[:n]); err == nil {
			t.Errorf("%d bytes of %d are decoded", n, len(b))
		}
	}
	if _, err := decodeAccumulator(encodeRow(Row{1, []uint64{2}})); err == nil || !strings.Contains(err.Error(), "disagree on its coder") {
		t.Error(err)
	}
	back.Reduction++
	if _, err := m.mergeTwo(a, back); err == nil || !strings.Contains(err.Error(), "the parts of the pipeline disagree") {
		t.Error(err)
	}
}
