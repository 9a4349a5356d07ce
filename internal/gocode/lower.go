package gocode

import (
	"bytes"
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
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower"
	"github.com/rfactor-go/rfactor/lower/beam"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// lowerRecord is what lower -json prints.
type lowerRecord struct {
	Files        []string             `json:"files"`
	Serial       []verbs.SerialRecord `json:"serial"`       // updates that -auto found no schedule for
	Unvectorized []plainRecord        `json:"unvectorized"` // stages that vectorize names, and that run in plain loops
	Estimates    []estimateRecord     `json:"estimates"`    // of updates that run whole where elements are few
	Loops        []runRecord          `json:"loops"`        // over elements, which are functions
}

// runRecord is a loop, and the forms that were tried for it.
type runRecord struct {
	verbs.StageRecord
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
	r := runRecord{verbs.NewStageRecord(l.Stage), l.Form, hundredths(l.Cost), hundredths(l.Plain), []formRecord{}}
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
	verbs.StageRecord
	Reason string `json:"reason"`
}

func runLower(c *command, args []string) int {
	flags := cli.NewFlags()
	var dir string
	flags.StringVar(&dir, "out", "", "`DIR` that the files go to; it is made where it is missing")
	flags.StringVar(&dir, "o", "", "the same as -out `DIR`")
	pkg := flags.String("package", "", "`NAME` of the package (default: that of the program's file)")
	target := cli.ChoiceFlag(flags, "target", "go", "`WHAT` to write: go is a package (default), beam a command that runs on Apache Beam;", []string{"go", "beam"})
	force := flags.Bool("force", false, "overwrite files that lower did not write")
	asJSON := flags.Bool("json", false, "print one JSON object")
	pass := cli.ChoiceFlag(flags, "kernel", "", "print kernels behind a `PASS`, and write nothing;", []string{"serial", "plain", "build", "strip", "places", "simd", "archsimd"})
	auto := verbs.NewAutoFlag(flags)
	var o plan.Options
	verbs.ExtentFlag(flags, &o)
	how := verbs.MatchingFlags(flags)
	rest, code, ok := c.ParseMatching(flags, how, args)
	switch {
	case !ok:
		return code
	case len(rest) == 0:
		return c.Errorf("%v", c.Missing("a program"))
	case *pass != "" && (dir != "" || *target != "go" || *asJSON):
		return c.Errorf("-kernel writes nothing: it takes no -out, -target or -json")
	case dir == "" && *pass == "":
		return c.Errorf("a directory is missing: rfactor lower FILE.rf -out DIR")
	case *target == "beam" && (auto.Given || *pkg != "" || len(o.Extents) > 0):
		return c.Errorf("-target beam writes a command: it takes no -package, -auto or -extent")
	case *target == "beam":
		return c.lowerBeam(rest[0], dir, how, *force, *asJSON)
	}
	o.Match, o.Given, o.Auto = how.Options(""), *how.Given, auto.On
	factor := lower.Factor
	if auto.Strict { // which wants a schedule, whatever it is estimated at
		factor = plan.Factor
	}
	p, code := c.Plan(rest[0], o, factor)
	if p == nil {
		return code
	}
	p.Serial = append(p.Serial, notEmitted(p)...)
	if code := c.ReportSchedule(p, auto.Strict); code != 0 {
		return code
	}
	if *pass != "" {
		return c.printKernels(p, *pass)
	}
	files, err := lower.Source(p, lower.SourceOptions{Package: *pkg})
	if err != nil {
		return c.Errorf("%v", err)
	}
	if err := writeFiles(dir, files, *force); err != nil {
		return c.Errorf("%v", err)
	}
	record := lowerRecord{Files: []string{}, Serial: verbs.SerialRecords(p, nil), Unvectorized: []plainRecord{}, Estimates: []estimateRecord{}, Loops: []runRecord{}}
	for _, e := range lower.Estimates(p) {
		record.Estimates = append(record.Estimates, estimateRecord{e.Update.String(), hundredths(e.Serial), hundredths(e.Slices), e.Processors()})
	}
	for _, l := range lower.Loops(p) {
		record.Loops = append(record.Loops, newRunRecord(l))
	}
	for _, s := range lower.Unvectorized(p) {
		r := plainRecord{verbs.NewStageRecord(s.Stage), s.Why}
		c.Errorf("vectorize: no vector kernel is made for the %s, which runs in plain loops: %s", r.StageRecord, r.Reason)
		record.Unvectorized = append(record.Unvectorized, r)
	}
	c.writtenFiles(&record, dir, files, *asJSON)
	return verbs.Matched
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
		return c.Errorf("%v", err)
	}
	c.Stdout.Printf("%s", text)
	return verbs.Matched
}

// lowerBeam writes a program as a command that runs on Apache Beam.
func (c *command) lowerBeam(arg, dir string, how *verbs.Matching, force, asJSON bool) int {
	prog, err := c.ReadProgram(arg, plan.Options{}, ir.Invalid)
	if err != nil {
		return c.Errorf("%v", err)
	}
	files, err := beam.Source(c.Ctx, prog, how.Options(""), *how.Given...)
	if errors.Is(err, beam.ErrRefused) {
		c.Errorf("%v", err)
		return verbs.Refused
	} else if err != nil {
		return c.Errorf("%v", err)
	}
	if err := writeFiles(dir, files, force); err != nil {
		return c.Errorf("%v", err)
	}
	record := lowerRecord{Files: []string{}, Serial: []verbs.SerialRecord{}, Unvectorized: []plainRecord{}, Estimates: []estimateRecord{}, Loops: []runRecord{}}
	c.writtenFiles(&record, dir, files, asJSON)
	return verbs.Matched
}

// writtenFiles prints which files lower wrote.
func (c *command) writtenFiles(record *lowerRecord, dir string, files map[string][]byte, asJSON bool) {
	for _, f := range slices.Sorted(maps.Keys(files)) {
		record.Files = append(record.Files, filepath.Join(dir, f))
	}
	if asJSON {
		c.WriteRecord(*record)
		return
	}
	for _, f := range record.Files {
		c.Stdout.Printf("%s\n", f)
	}
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
