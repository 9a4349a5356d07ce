package main

import (
	"flag"
	"fmt"

	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// autoFlag says whether a schedule is chosen, and whether an update that stays serial is refused.
type autoFlag struct{ on, strict bool }

func newAutoFlag(fs *flag.FlagSet) *autoFlag {
	a := new(autoFlag)
	fs.Var(a, "auto", "choose a schedule, where the program has none; an update without an operator stays serial, which\nis said on standard error, and with lower one whose slices are estimated to be slower. -auto=strict exits\nwith 1 where there is no operator")
	return a
}

func (a *autoFlag) String() string   { return "" }
func (a *autoFlag) IsBoolFlag() bool { return true }

func (a *autoFlag) Set(s string) error {
	switch s {
	case "true":
		a.on = true
	case "false":
		*a = autoFlag{}
	case "strict":
		a.on, a.strict = true, true
	default:
		return fmt.Errorf("expected -auto or -auto=strict, not -auto=%s", s)
	}
	return nil
}

// serialRecord is an update that stays serial, in the -json of run, lower and factor.
type serialRecord struct {
	Update string `json:"update"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// serialRecords lists the updates of a function that stay serial; of all functions where fn is nil.
func serialRecords(p *plan.Plan, fn *program.Func) []serialRecord {
	out := []serialRecord{}
	for _, s := range p.Serial {
		if fn == nil || s.Update.Func == fn {
			out = append(out, serialRecord{s.Update.String(), string(s.Code), s.Reason})
		}
	}
	return out
}

// reportSerial says which updates stay serial, and gives the verb's exit code: where -auto is strict,
// such an update is refused.
func (c *command) reportSerial(p *plan.Plan, strict bool) int {
	for _, s := range p.Serial {
		c.errorf("%s stays serial: %s", s.Update, s.Reason)
	}
	if strict && len(p.Serial) > 0 {
		return exitRefused
	}
	return exitMatched
}
