package emit

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// catalog lists the functions of a package for what runs inside of loops.
type catalog struct {
	kernels  []*run
	twins    map[*nest]*run // kernels that are written for another nest
	denses   []*dense
	asDense  map[*nest]*dense       // where lanes run along a pure dimension
	undense  map[*plan.Stage]string // why lanes along a pure dimension are plain loops
	scatters []*scatter
	scans    []*scan
	scanned  []*scanRun // their functions
	keepers  []*keeper

	unscanned map[*plan.Stage]string  // why a scan is a serial loop
	states    map[string]plan.Reading // by the names of arrays that stand for states of a block
}

// kernelOf is the kernel that a nest calls; nil where it calls none.
func (c *catalog) kernelOf(n *nest) *run {
	if k := c.twins[n]; k != nil {
		return k
	}
	if i := slices.IndexFunc(c.kernels, func(k *run) bool { return k.nest == n }); i >= 0 {
		return c.kernels[i]
	}
	return nil
}

// twin is a run that does what k does, of another stage of the same update; nil where there is none.
func (c *catalog) twin(k *run) *run {
	if k.first || k.nest.From == nil {
		return nil
	}
	for _, other := range c.kernels {
		if other.nest.From == k.nest.From && other.nest.factored() == k.nest.factored() && other.same(k) {
			return other
		}
	}
	return nil
}

func (c *catalog) kernelName(n *nest) string {
	base := strings.ToLower(identifier(n.Buffer.Name)[:1]) + identifier(n.Buffer.Name)[1:]
	name := base
	used := func(name string) bool {
		return c.named(name) || slices.ContainsFunc(c.scanned, func(r *scanRun) bool { return r.name == name }) ||
			slices.ContainsFunc(c.keepers, func(k *keeper) bool { return k.name == name })
	}
	for i := 2; used(name); i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// named reports whether a kernel has a name.
func (c *catalog) named(name string) bool {
	return slices.ContainsFunc(c.kernels, func(k *run) bool { return k.name == name })
}

// kernelsOf lists the kernels of a stage.
func (c *catalog) kernelsOf(s *plan.Stage) (out []*run) {
	for _, k := range slices.Concat(c.kernels, slices.Collect(maps.Values(c.twins))) {
		if k.nest.Stage == s {
			out = append(out, k)
		}
	}
	return out
}

// vectorizes reports whether a stage has a kernel on vectors.
func (c *catalog) vectorizes(s *plan.Stage) bool {
	return slices.ContainsFunc(c.kernelsOf(s), (*run).inLanes) ||
		slices.ContainsFunc(c.denses, func(d *dense) bool { return d.nest.Stage == s }) || c.scansStage(s) ||
		slices.ContainsFunc(c.keepers, func(k *keeper) bool { return k.nest.Stage == s && k.lanes != nil })
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
		if k.nest.Stage == s {
			return k.why
		}
	}
	if ks := c.kernelsOf(s); len(ks) > 0 {
		return ks[0].why
	}
	if len(access.Reads(s)) == 0 {
		return "it reads no array"
	}
	return "no loop of it steps through what it reads one element after another"
}

func (c *catalog) hasVectors() bool {
	lanes := func(r *scanRun) bool { return r.lanes != nil }
	return len(c.denses) > 0 || slices.ContainsFunc(c.scanned, lanes) || slices.ContainsFunc(c.keepers, func(k *keeper) bool { return k.lanes != nil }) || slices.ContainsFunc(c.kernels, (*run).inLanes)
}

// inLanes reports whether a run has a function on vectors, or one that finds its end.
func (k *run) inLanes() bool { return k.vector != nil || k.until != nil && k.until.find != nil }

// hasTrees reports whether floats are combined by trees of scans.
func (c *catalog) hasTrees() bool {
	return slices.ContainsFunc(c.scanned, func(r *scanRun) bool { return r.tree })
}
