package truth

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/fewbits"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Refused confirms refusals by trying every operator on few bits.
var Refused = &command.Command{
	Name:  "refused",
	About: "confirms refusals of updates of up to 5 leaves, by trying every operator at 2 and at 3 bits",
	Doc: `Updates over bool and integers of 8 bits are matched with nothing assumed. Where there is no operator at 2 bits, no expression that means
the same at every width is one. What there is at 2 bits and at 3 is a gap, and listed on standard error.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		long := f.Long("10,000 updates", "400")
		seed := f.Seed("updates")
		return func(c *command.Call) error {
			n := 400
			if *long {
				n = 10_000
			}
			return confirmRefusals(c, n, *seed)
		}
	},
}

func confirmRefusals(c *command.Call, n int, seed uint64) error {
	rng := rand.New(rand.NewPCG(21, seed))
	counts := map[string]int{}
	for range n {
		u := fewbits.Draw(rng)
		if u == nil {
			continue
		}
		counts["updates"]++
		a, err := rfactor.Match(c.Context, u, rfactor.Options{})
		if err != nil {
			return err
		}
		if counts[string(a.Status)]++; a.Status != rfactor.Refused {
			continue
		}
		kind := "none at 2 bits"
		for _, w := range []int{2, 3} {
			found, decided := fewbits.HasOperator(u, w)
			if !decided {
				kind = "undecided"
			}
			if !found {
				break
			}
			kind = [...]string{2: "at 2 bits, none at 3", 3: "gap"}[w]
		}
		if counts["refused: "+kind]++; kind == "gap" {
			fmt.Fprintf(c.Stderr, "gap: %v %s\n", u.Types, ir.Strings(u.Values))
		}
	}
	fmt.Fprintln(c.Stdout, "small updates\tn")
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(c.Stdout, "%s\t%d\n", what, counts[what])
	}
	return nil
}
