package lower_test

import (
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// A schedule is chosen where its slices are estimated to win, on so many processors as they need; else the update stays serial, with the estimate.
func TestFactorAuto(t *testing.T) {
	for _, c := range []struct {
		name, text string
		serial     string // what is said of the update; "" where a schedule is chosen
		processors int
	}{
		{"steps in chunks", "ImageParam in(Int(32), 1); Func f; RDom r(0, in.width()); f() = 0; f() = f()*31 + in(r);", "", 2},
		{"drawdown of floats, which lanes compose, and of which no number of processors may decide",
			"ImageParam in(Float(32), 1); Func f; RDom r(0, in.width()); f() = {0.0f, 0.0f}; f() = {max(f()[0], in(r)), max(f()[1], max(f()[0], in(r)) - in(r))};",
			"", 0},
		{"a search that the serial loop does in lanes",
			"ImageParam in(Float(32), 1); Func f; RDom r(0, in.width()); f() = {in(0), 0}; f() = {max(f()[0], in(r)), select(in(r) > f()[0], r, f()[1])};",
			"its slices are estimated at", 0},
	} {
		opts := lowertest.Defaults()
		opts.Auto = true
		prog := lowertest.Parse(t, "auto.rf", c.text)
		p, err := Factor(t.Context(), prog, opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		why := ""
		for _, s := range p.Serial {
			if why = s.Reason; s.Code != plan.Slower {
				t.Errorf("%s: code %s", c.name, s.Code)
			}
		}
		if (why == "") != (c.serial == "") || !strings.Contains(why, c.serial) {
			t.Errorf("%s: %q, not %q", c.name, why, c.serial)
		}
		es := Estimates(p)
		if c.processors > 0 && (len(es) != 1 || es[0].Processors() != c.processors || es[0].Serial <= 0) {
			t.Errorf("%s: estimates %v", c.name, es)
		}
		if _, err := Source(p, SourceOptions{Package: "p"}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
