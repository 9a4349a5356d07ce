package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/lower/beam"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

var lowerVerb = verb{
	name:  "lower",
	about: "emits a program with its schedule as a Go package",
	run:   runLower,
	usage: `FILE.rf -out DIR [-target go|beam] [-package NAME] [-auto] [-extent NAME=MIN:EXTENT,...]
       rfactor lower FILE.rf -kernel PASS [-auto] [-extent NAME=MIN:EXTENT,...]

Examples:
  rfactor lower sum.rf -out sum
  rfactor lower histogram.rf -out internal/hist -package hist
  rfactor lower plain.rf -out plain -auto
  rfactor lower horner.rf -out horner -target beam

The package has the function, a plain and, with GOEXPERIMENT=simd and Go 1.27, a vector
kernel, a test that compares them with the serial program, and a benchmark. It imports the
standard library alone. With -kernel nothing is written: the kernels are printed as they are behind a pass. With -target beam it is a command that reduces shards on Apache Beam,
and imports the module in the folder beam of this one. A file that lower did not write is not overwritten without -force.
Exit code 0: written; 1: the schedule was refused; 2: bad usage or input. Nothing is
written in the latter cases.`,
}

// lowerRecord is what lower -json prints.
type lowerRecord struct {
	Files        []string         `json:"files"`
	Serial       []serialRecord   `json:"serial"`       // updates that -auto found no schedule for
	Unvectorized []plainRecord    `json:"unvectorized"` // stages that vectorize names, and that run in plain loops
	Estimates    []estimateRecord `json:"estimates"`    // of updates that run whole where elements are few
	Loops        []runRecord      `json:"loops"`        // over elements, which are functions
}

// runRecord is a loop, and the forms that were tried for it.
type runRecord struct {
	stageRecord
	Form  string       `json:"form"` // "plain" for none on vectors
	Cost  float64      `json:"cost"` // cycles an element
	Plain float64      `json:"plain"`
	Forms []formRecord `json:"forms"`
}

// formRecord is what became of a form: its cost, or the reason why the loop does not have it.
type formRecord struct {
	Form   string  `json:"form"`
	Cost   float64 `json:"cost,omitempty"`
	Reason string  `json:"reason,omitempty"`
}

func newRunRecord(l lower.Loop) runRecord {
	r := runRecord{newStageRecord(l.Stage), l.Form, hundredths(l.Cost), hundredths(l.Plain), []formRecord{}}
	for _, c := range l.Choices {
		f := formRecord{c.Form, hundredths(c.Cost), c.Why}
		if !c.Runs() && f.Reason == "" {
			f.Reason = "it is for loops of another kind"
		}
		r.Forms = append(r.Forms, f)
	}
	return r
}

// estimateRecord is what loops of an update are estimated to take.
type estimateRecord struct {
	Update     string  `json:"update"`
	Serial     float64 `json:"serial"` // cycles an element
	Slices     float64 `json:"slices"`
	Processors int     `json:"processors"` // from which on slices are faster
}

// plainRecord is a stage without a vector kernel.
type plainRecord struct {
	stageRecord
	Reason string `json:"reason"`
}

// stageRecord names a stage of a plan.
type stageRecord struct {
	Role   string `json:"role"`
	Buffer string `json:"buffer"`
	Update string `json:"update,omitempty"` // that the stage stems from
}

func newStageRecord(s *plan.Stage) stageRecord {
	r := stageRecord{Role: string(s.Role), Buffer: s.Buffer.Name}
	if s.From != nil {
		r.Update = s.From.String()
	}
	return r
}

func (s stageRecord) String() string {
	if s.Update == "" {
		return s.Role + " of " + s.Buffer
	}
	return fmt.Sprintf("%s of %s, from %s", s.Role, s.Buffer, s.Update)
}

func runLower(c *command, args []string) int {
	flags := cli.NewFlags()
	var dir string
	flags.StringVar(&dir, "out", "", "`DIR` that the files go to; it is made where it is missing")
	flags.StringVar(&dir, "o", "", "the same as -out `DIR`")
	pkg := flags.String("package", "", "`NAME` of the package (default: that of the program's file)")
	target := flags.String("target", "go", "`WHAT` to write: go, a package, or beam, a command that runs on Apache Beam")
	force := flags.Bool("force", false, "overwrite files that lower did not write")
	asJSON := flags.Bool("json", false, "print one JSON object")
	pass := flags.String("kernel", "", "print kernels behind a `PASS` (serial, plain, build, strip, places, simd or archsimd), and write nothing")
	auto := newAutoFlag(flags)
	var run runFlags
	flags.Var(cli.ListFunc(run.extent), "extent", "`NAME=MIN:EXTENT,...` of an output's dimensions, where the program does not tell")
	how := matchingFlags(flags)
	rest, code, ok := c.parseMatching(flags, how, args)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.errorf("%v", c.missing("a program"))
	case *pass != "" && (dir != "" || *target != "go" || *asJSON):
		return c.errorf("-kernel writes nothing: it takes no -out, -target or -json")
	case dir == "" && *pass == "":
		return c.errorf("a directory is missing: rfactor lower FILE.rf -out DIR")
	case *target != "go" && *target != "beam":
		return c.errorf("-target is go or beam, not %s", cli.Quote(*target))
	case *target == "beam" && (auto.on || *pkg != "" || len(run.factor.Extents) > 0):
		return c.errorf("-target beam writes a command: it takes no -package, -auto or -extent")
	case *target == "beam":
		return c.lowerBeam(rest[0], dir, how, *force, *asJSON)
	}
	run.factor.Match, run.factor.Given, run.factor.Auto = how.options(""), *how.given, auto.on
	factor := lower.Factor
	if auto.strict { // which wants a schedule, whatever it is estimated at
		factor = plan.Factor
	}
	p, code := c.plan(rest[0], &run, factor)
	if p == nil {
		return code
	}
	p.Serial = append(p.Serial, notEmitted(p)...)
	if code := c.reportSerial(p, auto.strict); code != 0 {
		return code
	}
	if *pass != "" {
		return c.printKernels(p, *pass)
	}
	files, err := lower.Source(p, lower.SourceOptions{Package: *pkg})
	if err != nil {
		return c.errorf("%v", err)
	}
	if err := writeFiles(dir, files, *force); err != nil {
		return c.errorf("%v", err)
	}
	record := lowerRecord{Files: []string{}, Serial: serialRecords(p, nil), Unvectorized: []plainRecord{}, Estimates: []estimateRecord{}, Loops: []runRecord{}}
	for _, e := range lower.Estimates(p) {
		record.Estimates = append(record.Estimates, estimateRecord{e.Update.String(), hundredths(e.Serial), hundredths(e.Slices), e.Processors()})
	}
	for _, l := range lower.Loops(p) {
		record.Loops = append(record.Loops, newRunRecord(l))
	}
	for _, s := range lower.Unvectorized(p) {
		r := plainRecord{newStageRecord(s.Stage), s.Why}
		c.errorf("vectorize: no vector kernel is made for the %s, which runs in plain loops: %s", r.stageRecord, r.Reason)
		record.Unvectorized = append(record.Unvectorized, r)
	}
	c.writtenFiles(&record, dir, files, *asJSON)
	return exitMatched
}

// notEmitted lists the updates that a schedule scans in tiles and whose loops are emitted as they are.
func notEmitted(p *plan.Plan) (out []plan.Unfactored) {
	for _, s := range lower.Unscanned(p) {
		out = append(out, plan.Unfactored{Update: s.Stage.From, Code: plan.NoSchedule,
			Reason: fmt.Sprintf("it is scanned in tiles of %d steps, which rfactor run does; the loop is emitted as it is, since %s", s.Stage.Scan.Tile, s.Why)})
	}
	return out
}

// hundredths is an estimate in figures that mean something.
func hundredths(x float64) float64 { return math.Round(100*x) / 100 }

// printKernels prints the kernels of a plan behind a pass.
func (c *command) printKernels(p *plan.Plan, pass string) int {
	text, err := lower.Kernels(p, pass)
	if err != nil {
		return c.errorf("%v", err)
	}
	c.stdout.Printf("%s", text)
	return exitMatched
}

// lowerBeam writes a program as a command that runs on Apache Beam.
func (c *command) lowerBeam(arg, dir string, how *matching, force, asJSON bool) int {
	name, text, err := c.source(arg)
	if err != nil {
		return c.errorf("%v", err)
	}
	prog, err := program.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		return c.errorf("%v", err)
	}
	files, err := beam.Source(c.ctx, prog, how.options(""), *how.given...)
	if errors.Is(err, beam.ErrRefused) {
		c.errorf("%v", err)
		return exitRefused
	} else if err != nil {
		return c.errorf("%v", err)
	}
	if err := writeFiles(dir, files, force); err != nil {
		return c.errorf("%v", err)
	}
	record := lowerRecord{Files: []string{}, Serial: []serialRecord{}, Unvectorized: []plainRecord{}, Estimates: []estimateRecord{}, Loops: []runRecord{}}
	c.writtenFiles(&record, dir, files, asJSON)
	return exitMatched
}

// writtenFiles prints which files lower wrote.
func (c *command) writtenFiles(record *lowerRecord, dir string, files map[string][]byte, asJSON bool) {
	for _, f := range slices.Sorted(maps.Keys(files)) {
		record.Files = append(record.Files, filepath.Join(dir, f))
	}
	if asJSON {
		c.writeRecord(*record)
		return
	}
	for _, f := range record.Files {
		c.stdout.Printf("%s\n", f)
	}
}

// factoring is plan.Factor or lower.Factor.
type factoring func(context.Context, *program.Program, plan.Options) (*plan.Plan, error)

// plan reads a program and applies its schedule; nil with the exit code where that fails.
func (c *command) plan(arg string, f *runFlags, factor factoring) (*plan.Plan, int) {
	name, text, err := c.source(arg)
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	prog, err := program.ParseProgram(ir.NewPool(), name, text, ir.Invalid)
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	if err := f.known(prog); err != nil {
		return nil, c.errorf("%v", err)
	}
	p, err := factor(c.ctx, prog, f.factor)
	if err != nil {
		c.errorf("%v", err)
		return nil, exitRefused
	}
	return p, exitMatched
}

// emitted begins every file that lower writes.
const emitted = "// Code generated by rfactor lower; DO NOT EDIT."

// writeFiles writes the files of a package, all or none. A file that begins otherwise than emitted
// ones do is overwritten only where force says so.
func writeFiles(dir string, files map[string][]byte, force bool) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		old, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && (force || bytes.HasPrefix(old, []byte(emitted))):
		case err != nil:
			return err
		default:
			return fmt.Errorf("%s is there, and rfactor lower did not write it: -force overwrites it", path)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := save.File(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := w.Write(files[name])
			return err
		})
		if err != nil {
			return err
		}
	}
	return removeOlder(dir, files)
}

// removeOlder removes the kernels that an earlier emission left in the folder where this one has none: they would call what is not there any more.
func removeOlder(dir string, files map[string][]byte) error {
	kernels, err := filepath.Glob(filepath.Join(dir, "kernel*.go"))
	if err != nil {
		return err
	}
	for _, path := range kernels {
		old, err := os.ReadFile(path)
		if _, now := files[filepath.Base(path)]; err != nil || now || !bytes.HasPrefix(old, []byte(emitted)) {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
