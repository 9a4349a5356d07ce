package lowertest

import (
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Histogram is a program h whose elements data select: one of the inputs key, key2 and weight.
type Histogram struct {
	Name, Text string
	Open       bool // its 100 bins do not cover the values of its keys
}

// Options are those with which it is factored and run.
func (h Histogram) Options() plan.Options {
	opts := Defaults()
	if h.Open {
		opts.Extents = map[string]ndarray.Box{"h": {{Extent: 100}}}
	}
	return opts
}

// Plan factors the program.
func (h Histogram) Plan(t testing.TB) *plan.Plan {
	t.Helper()
	text := h.Text
	if !strings.Contains(text, "rfactor") {
		text += " RVar ro, ri; Var u; h.update(0).split(r, ro, ri, 5000).rfactor(ro, u).compute_root().update(0).parallel(u);"
	}
	p, err := plan.Factor(t.Context(), Parse(t, h.Name+".rf", text), h.Options())
	if err != nil {
		t.Fatalf("%s: %v", h.Name, err)
	}
	return p
}

// Histograms lists programs with counts of 8 to 64 bits, weights, keys of two dimensions, and bins that do not begin at 0.
func Histograms() []Histogram { return histograms }

const (
	keys8   = "ImageParam key(UInt(8), 1); RDom r(0, key.width()); Func h; Var x; "
	keys32  = "ImageParam key(Int(32), 1); RDom r(0, key.width()); Func h; Var x; "
	weights = "ImageParam key(UInt(8), 1), weight(W, 1); RDom r(0, key.width()); Func h; Var x; "
	pairs   = "ImageParam key(UInt(8), 1), key2(Int(16), 1), weight(Int(32), 1); RDom r(0, key.width()); Func h; Var x, y; "
)

var histograms = []Histogram{
	{Name: "counts8", Text: keys8 + "h(x) = cast<uint8_t>(0); h(cast<int>(key(r))) += cast<uint8_t>(1);"},
	{Name: "counts16", Text: keys8 + "h(x) = cast<uint16_t>(7); h(cast<int>(key(r))) += cast<uint16_t>(1);"},
	{Name: "counts64", Text: keys8 + "h(x) = cast<int64_t>(0); h(cast<int>(key(r))) += cast<int64_t>(3);"},
	{Name: "bins16", Text: "ImageParam key(UInt(16), 1); RDom r(0, key.width()); Func h; Var x; h(x) = cast<uint32_t>(0); h(cast<int>(key(r))) += cast<uint32_t>(1);"},
	{Name: "clamped", Text: keys32 + "h(x) = cast<uint16_t>(0); h(clamp(key(r), 0, 1023)) += cast<uint16_t>(1);"},
	{Name: "below0", Text: keys32 + "h(x) = 0; h(clamp(key(r), -20, 30)) += 1;"},
	{Name: "open", Open: true, Text: keys8 + "h(x) = 0; h(cast<int>(key(r))) += 1;"},
	{Name: "weighted", Text: strings.ReplaceAll(weights, "W", "Int(32)") + "h(x) = 0; h(cast<int>(key(r))) += weight(r);"},
	{Name: "squares", Text: strings.ReplaceAll(weights, "W", "Int(16)") + "h(x) = 5; h(cast<int>(key(r))) += weight(r)*weight(r) + 1;"},
	{Name: "weightedf32", Text: strings.ReplaceAll(weights, "W", "Float(32)") + "h(x) = 0.0f; h(cast<int>(key(r))) += weight(r);"},
	{Name: "weightedf64", Text: strings.ReplaceAll(weights, "W", "Float(64)") + "h(x) = cast<double>(-1); h(cast<int>(key(r))) += weight(r);"},
	{Name: "xor", Text: strings.ReplaceAll(weights, "W", "UInt(32)") + "h(x) = cast<uint32_t>(0); h(cast<int>(key(r))) = h(cast<int>(key(r))) ^ weight(r);"},
	{Name: "greatest", Text: strings.ReplaceAll(weights, "W", "Float(32)") + "h(x) = 0.0f; h(cast<int>(key(r))) = max(h(cast<int>(key(r))), weight(r));"},
	{Name: "pairs", Text: pairs + "h(x, y) = 0; h(cast<int>(key(r)) % 8, clamp(cast<int>(key2(r)), -3, 12)) += 1;"},
	{Name: "weightedpairs", Text: pairs + "h(x, y) = 0; h(clamp(cast<int>(key2(r)), 2, 9), cast<int>(key(r))) += weight(r);"},
	{Name: "rows", Text: "ImageParam key(UInt(8), 2), weight(Int(32), 2); RDom r(0, key.width(), 0, key.height()); Func h; Var x, u; h(x) = 0; h(cast<int>(key(r.x, r.y))) += weight(r.x, r.y); " +
		"h.update(0).rfactor(r.y, u).compute_root().update(0).parallel(u);"},
	{Name: "perrow", Text: "ImageParam key(UInt(8), 2); RDom r(0, key.width()); Func h; Var x, y; h(x, y) = 0; h(cast<int>(key(r, y)), y) += 1; h.update(0).parallel(y); " +
		"RVar ro, ri; Var u; h.update(0).split(r, ro, ri, 50).rfactor(ro, u).compute_root();"},
}

// Keys are ways to draw keys: any ones, one alone, the ends of their type.
func Keys() []string { return []string{"any", "same", "ends"} }

// HistogramInputs draws inputs of n elements in each dimension.
func HistogramInputs(p *plan.Plan, keys string, n int) *plan.Inputs {
	rng := Rand(31)
	in := SmallInputs(p.Program, rng, n)
	for name, a := range in.Arrays {
		if strings.HasPrefix(name, "key") {
			to := a.Elements(0)
			t := a.Types()[0]
			for i := range to.Len() {
				switch {
				case keys == "same":
					to.Set(i, 77)
				case keys == "any":
					to.Set(i, t.Wrap(rng.Uint64()))
				case rng.IntN(2) == 0:
					to.Set(i, t.Min())
				default:
					to.Set(i, t.Max())
				}
			}
		}
	}
	return in
}

// Exceeds reports whether some key has no bin in an open histogram.
func (h Histogram) Exceeds(in *plan.Inputs) bool {
	keys := in.Arrays["key"].Elements(0)
	for i := range keys.Len() {
		if h.Open && keys.At(i) >= 100 {
			return true
		}
	}
	return false
}
