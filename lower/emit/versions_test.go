package emit

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Emitted packages have no data race, and all versions of a benchmark are right. The sample is
// the versions that a schedule factored.
func TestEmittedRace(t *testing.T) {
	if suite.More(true, false) && !lowertest.Full() {
		t.Skip("CI runs the race detector")
	}
	m := newModule(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("the race detector needs a C compiler")
	}
	for _, name := range lowertest.Benchmarks() {
		for i, version := range lowertest.Versions(name) {
			if !sampled(i+1, 3) {
				continue
			}
			p, err := lowertest.PlanOfFile("../../testdata/programs/" + version + ".rf")
			if err != nil {
				t.Fatal(err)
			}
			pkg := strings.ReplaceAll(filepath.Base(version), "-", "")
			files, err := Source(p, pkg)
			if err != nil {
				t.Fatal(version, err)
			}
			m.add(t, pkg, files)
		}
	}
	m.program(t)
	m.run(t, []string{"CGO_ENABLED=1"}, "test", "-race", ".")
}

// Emitted tests draw what the program is made for: keys that the output has, and numbers of
// which a narrow type holds the sums.
func addDraws(t *testing.T, m *module) {
	const sliced = "RVar ro, ri; Var u; f.update(0).split(r, ro, ri, 5).rfactor(ro, u).compute_root().update(0).parallel(u);"
	for pkg, c := range map[string]struct {
		text    string
		extents map[string]ndarray.Box
		want    string
	}{
		"keys": {"ImageParam in(Int(32), 1); Func f; Var x; RDom r(0, in.width()); f(x) = 0; f(in(r)) += 1;",
			map[string]ndarray.Box{"f": {{Min: 10, Extent: 20}}}, "func(rng *rand.Rand, _ int) int32 { return int32(10 + rng.IntN(20)) }"},
		"flag": {"ImageParam in(Int(32), 1); Param<bool> k; Func f; f() = 0; RDom r(0, in.width()); f() = select(k, f() + in(r), f());", nil, "k := size[0]%2 == 1"},
		"narrow": {"ImageParam in(Int(8), 1); Func f; RDom r(0, in.width()); f() = Tuple(cast<int8_t>(0), cast<int8_t>(0)); f() = Tuple(max(f()[0] + in(r), cast<int8_t>(0)), max(f()[1], f()[0] + in(r)));",
			nil, "{3, 3}, {31, 31}}"},
	} {
		prog := lowertest.Parse(t, pkg+".rf", c.text+sliced)
		p, err := plan.Factor(context.Background(), prog, plan.Options{Match: rfactor.Options{Allowed: ir.DefaultAssumptions | ir.NSW}, Extents: c.extents})
		if err != nil {
			t.Fatal(err)
		}
		files, err := Source(p, "")
		if err != nil {
			t.Fatal(err)
		}
		if text := string(files[pkg+"_test.go"]); !strings.Contains(text, c.want) {
			t.Errorf("%s: there is no %q in\n%s", pkg, c.want, text)
		}
		m.add(t, pkg, files)
	}
}
