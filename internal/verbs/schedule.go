package verbs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// AutoFlag says whether a schedule is chosen, whether an update that stays serial is refused, and whether the user said so.
type AutoFlag struct{ On, Strict, Given bool }

// NewAutoFlag returns the flag -auto of a set.
func NewAutoFlag(fs *flag.FlagSet) *AutoFlag {
	a := &AutoFlag{On: true}
	fs.Var(a, "auto", "choose a schedule, where the program has none, and say which on standard error: the default. An\nupdate without an operator stays serial, which is said, too, and with lower one whose slices are estimated\nto be slower. -auto=strict exits with 1 where there is no operator; -auto=false leaves loops as they are written")
	return a
}

func (a *AutoFlag) String() string   { return "" }
func (a *AutoFlag) IsBoolFlag() bool { return true }

func (a *AutoFlag) Set(s string) error {
	if s != "true" && s != "false" && s != "strict" {
		return fmt.Errorf("expected -auto, -auto=strict or -auto=false, not -auto=%s", s)
	}
	*a = AutoFlag{s != "false", s == "strict", true}
	return nil
}

// SerialRecord is an update that stays serial, in the -json of run, lower and factor.
type SerialRecord struct {
	Update string `json:"update"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// SerialRecords lists the updates of a function that stay serial; of all functions where fn is nil.
func SerialRecords(p *plan.Plan, fn *program.Func) []SerialRecord {
	out := []SerialRecord{}
	for _, s := range p.Serial {
		if fn == nil || s.Update.Func == fn {
			out = append(out, SerialRecord{s.Update.String(), string(s.Code), s.Reason})
		}
	}
	return out
}

// ReportSchedule says in one line which schedule was chosen for a program that has none, and what it rests on; then it is ReportSerial.
func (c *Command) ReportSchedule(p *plan.Plan, strict bool) int {
	if n := len(p.Schedule); n > 0 && len(p.Program.Schedule) == 0 {
		under, assumed := "", ir.Assume(0)
		for _, a := range p.Answers {
			assumed |= a.Assumes
		}
		if assumed != 0 {
			under = fmt.Sprintf(", under %s", assumed)
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" and %d more", n-1)
		}
		c.Errorf("no schedule in the program: chosen %s%s%s (rfactor factor shows all, -auto=false takes none)", p.Schedule[0], more, under)
	}
	return c.ReportSerial(p, strict)
}

// ReportSerial says which updates stay serial, and gives the verb's exit code: where -auto is strict,
// such an update is refused.
func (c *Command) ReportSerial(p *plan.Plan, strict bool) int {
	for _, s := range p.Serial {
		c.Errorf("%s stays serial: %s", s.Update, s.Reason)
	}
	if strict && len(p.Serial) > 0 {
		return Refused
	}
	return Matched
}

// ExtentFlag is a flag for dimensions of outputs, which it adds to options.
func ExtentFlag(fs *flag.FlagSet, o *plan.Options) {
	fs.Var(cli.ListFunc(func(s string) error { return extent(o, s) }), "extent", "`NAME=MIN:EXTENT,...` of an output's dimensions, where the program does not tell")
}

func extent(o *plan.Options, s string) error {
	name, list, _ := strings.Cut(s, "=")
	if _, twice := o.Extents[name]; twice {
		return fmt.Errorf("%s is given twice", name)
	}
	if o.Extents == nil {
		o.Extents = map[string]ndarray.Box{}
	}
	for dim := range strings.SplitSeq(list, ",") {
		lo, n, _ := strings.Cut(dim, ":")
		a, err := strconv.ParseInt(lo, 10, 32)
		b, err2 := strconv.ParseInt(n, 10, 32)
		if errors.Join(err, err2) != nil || b < 0 || name == "" {
			return fmt.Errorf("expected NAME=MIN:EXTENT,..., not %s", cli.Quote(s))
		}
		o.Extents[name] = append(o.Extents[name], ndarray.Range{Min: int(a), Extent: int(b)})
	}
	return nil
}

// ReadProgram reads a program, of which the options may give extents. Inputs whose type nothing decides have type typ; i32 where it is Invalid.
func (c *Command) ReadProgram(arg string, o plan.Options, typ ir.Type) (*program.Program, error) {
	name, text, err := c.Notation(arg)
	if err != nil {
		return nil, err
	}
	prog, err := program.ParseProgram(ir.NewPool(), name, text, typ)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(o.Extents)) {
		if prog.Func(name) == nil {
			return nil, fmt.Errorf("-extent: the program defines no %s", name)
		}
	}
	return prog, nil
}

// Factoring is plan.Factor or lower.Factor.
type Factoring func(context.Context, *program.Program, plan.Options) (*plan.Plan, error)

// Plan reads a program and applies its schedule; nil with the exit code where that fails.
func (c *Command) Plan(arg string, o plan.Options, factor Factoring) (*plan.Plan, int) {
	prog, err := c.ReadProgram(arg, o, ir.Invalid)
	if err != nil {
		return nil, c.Errorf("%v", err)
	}
	p, err := factor(c.Ctx, prog, o)
	return p, c.FactorCode(err)
}

// FactorCode reports the error of a factoring, and gives its exit code: what is wrong with a program without its schedule is bad input.
func (c *Command) FactorCode(err error) int {
	input := (*plan.InputError)(nil)
	switch {
	case err == nil:
		return Matched
	case errors.As(err, &input):
		return c.Errorf("%v", err)
	}
	c.Errorf("%v", err)
	return Refused
}

// StageRecord names a stage of a plan, in the -json of lower and factor.
type StageRecord struct {
	Role   string `json:"role"`
	Buffer string `json:"buffer"`
	Update string `json:"update,omitempty"` // that the stage stems from
}

// NewStageRecord names a stage.
func NewStageRecord(s *plan.Stage) StageRecord {
	r := StageRecord{Role: string(s.Role), Buffer: s.Buffer.Name}
	if s.From != nil {
		r.Update = s.From.String()
	}
	return r
}

func (s StageRecord) String() string {
	if s.Update == "" {
		return s.Role + " of " + s.Buffer
	}
	return fmt.Sprintf("%s of %s, from %s", s.Role, s.Buffer, s.Update)
}
