package emit

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/lower/emit/internal/dense"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// catalog lists the functions of a package for what runs inside of loops.
type catalog struct {
	kernels  []*funcs.Run
	twins    map[*loopnest.Nest]*funcs.Run // kernels that are written for another nest
	denses   []*dense.Stage
	asDense  map[*loopnest.Nest]*dense.Stage // where lanes run along a pure dimension
	undense  map[*plan.Stage]string          // why lanes along a pure dimension are plain loops
	scatters []*funcs.Scatter
	scans    []*scan
	scanned  []*funcs.Scan // their functions
	keepers  []*funcs.Keeper

	unscanned map[*plan.Stage]string  // why a scan is a serial loop
	states    map[string]plan.Reading // by the names of arrays that stand for states of a block
}

// functions counts what is listed.
func (c *catalog) functions() int {
	return len(c.kernels) + len(c.twins) + len(c.denses) + len(c.scatters) + len(c.scans) + len(c.keepers)
}

// kernelOf is the kernel that a nest calls; nil where it calls none.
func (c *catalog) kernelOf(n *loopnest.Nest) *funcs.Run {
	if k := c.twins[n]; k != nil {
		return k
	}
	if i := slices.IndexFunc(c.kernels, func(k *funcs.Run) bool { return k.Nest == n }); i >= 0 {
		return c.kernels[i]
	}
	return nil
}

// twin is a run that does what k does, of another stage of the same update; nil where there is none.
func (c *catalog) twin(k *funcs.Run) *funcs.Run {
	if k.First || k.Nest.From == nil {
		return nil
	}
	for _, other := range c.kernels {
		if other.Nest.From == k.Nest.From && other.Nest.Factored() == k.Nest.Factored() && other.Same(k) {
			return other
		}
	}
	return nil
}

func (c *catalog) kernelName(n *loopnest.Nest) string {
	base := strings.ToLower(scope.Identifier(n.Buffer.Name)[:1]) + scope.Identifier(n.Buffer.Name)[1:]
	name := base
	for i := 2; c.used(name); i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// used reports whether functions have a name.
func (c *catalog) used(name string) bool {
	return c.named(name) || slices.ContainsFunc(c.scanned, func(r *funcs.Scan) bool { return r.Name == name }) ||
		slices.ContainsFunc(c.keepers, func(k *funcs.Keeper) bool { return k.Name == name })
}

// unused is a name, or the same with something behind it that functions do not have.
func (c *catalog) unused(name string) string {
	for c.used(name) {
		name += "s"
	}
	return name
}

// named reports whether a kernel has a name.
func (c *catalog) named(name string) bool {
	return slices.ContainsFunc(c.kernels, func(k *funcs.Run) bool { return k.Name == name })
}

// kernelsOf lists the kernels of a stage.
func (c *catalog) kernelsOf(s *plan.Stage) (out []*funcs.Run) {
	for _, k := range slices.Concat(c.kernels, slices.Collect(maps.Values(c.twins))) {
		if k.Nest.Stage == s {
			out = append(out, k)
		}
	}
	return out
}

// vectorizes reports whether a stage has a kernel on vectors.
func (c *catalog) vectorizes(s *plan.Stage) bool {
	return slices.ContainsFunc(c.kernelsOf(s), (*funcs.Run).InLanes) ||
		slices.ContainsFunc(c.denses, func(d *dense.Stage) bool { return d.Nest.Stage == s }) || c.scansStage(s) ||
		slices.ContainsFunc(c.keepers, func(k *funcs.Keeper) bool { return k.Nest.Stage == s && k.Vector != nil })
}

// scansStage reports whether functions keep the steps of a stage.
func (c *catalog) scansStage(s *plan.Stage) bool {
	return slices.ContainsFunc(c.scans, func(sc *scan) bool { return sc.nest.Stage == s })
}

// whyPlain is the reason why a stage has no kernel on vectors.
func (c *catalog) whyPlain(s *plan.Stage) string {
	if why := c.undense[s]; why != "" {
		return why
	}
	for _, k := range c.keepers {
		if k.Nest.Stage == s {
			return k.Why
		}
	}
	if ks := c.kernelsOf(s); len(ks) > 0 {
		return ks[0].Why
	}
	if len(access.Reads(s)) == 0 {
		return "it reads no array"
	}
	return "no loop of it steps through what it reads one element after another"
}

func (c *catalog) hasVectors() bool {
	return len(c.denses) > 0 || slices.ContainsFunc(c.scanned, (*funcs.Scan).InLanes) || slices.ContainsFunc(c.keepers, func(k *funcs.Keeper) bool { return k.Vector != nil }) || slices.ContainsFunc(c.kernels, (*funcs.Run).InLanes)
}
