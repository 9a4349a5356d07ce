package source

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/sbinet/npyio/npy"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	rnpy "github.com/rfactor-go/rfactor/ndarray/npy"
	"github.com/rfactor-go/rfactor/rfactor"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

func init() {
	register.Function1x1(show)
	register.Function2x1(showKeyed)
}

func show(t combine.Tuple) string                 { return fmt.Sprint(t.Values) }
func showKeyed(key int64, t combine.Tuple) string { return fmt.Sprint(key, t.Values) }

func reduction(t *testing.T, types, text string, initial ...uint64) *combine.Reduction {
	t.Helper()
	u, err := program.ParseUpdate(ir.NewPool(), types, text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := rfactor.Match(t.Context(), u, rfactor.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := combine.New(a, initial, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func files(t *testing.T, texts ...string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprint(i, ".csv"))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

var ab = []Column{{"a", ir.I32}, {"b", ir.I32}}

func TestCSV(t *testing.T) {
	shards, err := ListCSV(t.Context(), files(t, "k,b,a\n1,0,2\n2,1,3\n", "k,b,a\n", "k,b,a\n1,1,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 1)
	r.Elements = Elements(shards)
	p, s := beam.NewPipelineWithRoot()
	passert.Equals(s, beam.ParDo(s, show, Global(s, r, ab, shards)), "[36]")
	passert.Equals(s, beam.ParDo(s, showKeyed, PerKey(s, r, Column{"k", ir.U8}, ab, shards)), "1 [11]", "2 [4]")
	passert.Equals(s, beam.ParDo(s, show, combine.Global(s, r, Rows(s, ab, shards))), "[36]")
	ptest.RunAndValidate(t, p)
}

// The index of an element comes from its shard, not from when it arrives: shards in any order give the same.
func TestIndices(t *testing.T) {
	shards, err := ListCSV(t.Context(), files(t, "a,b\n2,0\n3,1\n", "a,b\n5,1\n", "a,b\n7,2\n1,3\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 1)
	r.Elements = Elements(shards)
	p, s := beam.NewPipelineWithRoot()
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		var some []Shard
		for _, i := range order {
			some = append(some, shards[i])
		}
		passert.Equals(s, beam.ParDo(s, show, Global(s, r, ab, some)), "[257]")
		passert.Equals(s, beam.ParDo(s, show, combine.Global(s, r, Rows(s, ab, some))), "[257]")
	}
	ptest.RunAndValidate(t, p)
}

// A shard that cannot be read stops the pipeline.
func TestUnreadable(t *testing.T) {
	good := files(t, "a,b\n1,2\n", "a,b\n1,x\n", "a\n1\n", "")
	r := reduction(t, "x0:i32,y0:i32,y1:i32", "x0*y0 + y1", 1)
	for _, c := range []struct {
		shard Shard
		want  string
	}{
		{Shard{First: 1, Elements: 1, CSV: good[0] + "x"}, "no such file"},
		{Shard{First: 1, Elements: 2, CSV: good[0]}, "the number of lines changed"},
		{Shard{First: 1, Elements: 1, CSV: good[1]}, "line 2, column b"},
		{Shard{First: 1, Elements: 1, CSV: good[2]}, "there is no column b"},
		{Shard{First: 1, Elements: 1, Npy: map[string]string{"a": good[0], "b": good[0]}}, "0.csv"},
	} {
		p, s := beam.NewPipelineWithRoot()
		first := Shard{Elements: 1, CSV: good[0]}
		beam.ParDo(s, show, Global(s, r, ab, []Shard{first, c.shard}))
		if err := ptest.Run(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want an error with %q, got %v", c.want, err)
		}
	}
	if _, err := ListCSV(context.Background(), good[3:]); err == nil || !strings.Contains(err.Error(), "has no line with the names") {
		t.Error(err)
	}
}

// TestOtherLibrary reads by npyio what package npy writes, and the reverse.
func TestOtherLibrary(t *testing.T) {
	want := []float64{1, -2.5, 1e300}
	var theirs bytes.Buffer
	if err := npy.Write(&theirs, want); err != nil {
		t.Fatal(err)
	}
	a, err := rnpy.Read(&theirs)
	if err != nil || !slices.Equal(a.Data[0].([]float64), want) {
		t.Fatalf("%v, %v", a, err)
	}
	var ours bytes.Buffer
	if err := rnpy.Write(&ours, a, 0); err != nil {
		t.Fatal(err)
	}
	var got []float64
	if err := npy.Read(&ours, &got); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
