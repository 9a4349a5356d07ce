package lab

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/identity"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rules"
)

// Schema is the version of experiment files that this package reads.
const Schema = "rfactor-lab/1"

// Example is an experiment file that uses every field: rfactor lab -init writes it.
//
//go:embed example.json
var Example string

// Experiment says what to match, how, and what to leave out. docs/experiments.md describes its fields.
type Experiment struct {
	Schema     string     `json:"schema"`
	Name       string     `json:"name"`
	Corpora    []string   `json:"corpora"` // relative to the experiment file
	Every      int        `json:"every"`   // matches one update in so many; 0 means all
	Assume     string     `json:"assume"`  // as -assume of the command; "" means all
	Seed       uint64     `json:"seed"`    // of the order of matches
	Repeats    int        `json:"repeats"` // of each match of the matchers; 0 means 1
	Matchers   []string   `json:"matchers"`
	Reference  string     `json:"reference"`  // the matcher that sweeps change and that is watched; "" means the last one
	Ablate     []string   `json:"ablate"`     // matchers that additions and ablations change; none means the reference
	Efforts    []int      `json:"efforts"`    // swept
	Iterations []int      `json:"iterations"` // of a saturation, swept
	Nodes      []int      `json:"nodes"`      // of an e-graph, swept
	Saturation bool       `json:"saturation"` // watches what stages and saturations do
	Scrambles  *Scrambles `json:"scrambles"`
	With       []With     `json:"with"`        // rules and tables of one's own
	Without    []Without  `json:"without"`     // ablations
	EachRule   bool       `json:"each_rule"`   // removes each rule once
	EachStage  bool       `json:"each_stage"`  // removes each stage once
	EachFamily bool       `json:"each_family"` // removes each family of lifts once
	Verdicts   []Verdicts `json:"verdicts"`

	dir    string // of the file
	source *ir.Source
	assume ir.Assume
}

// Scrambles says how updates are written otherwise: by random steps that change nothing.
type Scrambles struct {
	Depths   []int    `json:"depths"` // numbers of steps
	Seeds    []uint64 `json:"seeds"`
	Matchers []string `json:"matchers"`
	Every    int      `json:"every"` // scrambles one update in so many that the reference answers; 0 means all
}

// With is an addition: rules and a table of one's own that the search has beside its own. They are proven
// before anything is matched.
type With struct {
	Name  string `json:"name"`
	Rules string `json:"rules"` // a file, as -rules of the command
	Table string `json:"table"` // a folder, as -table of the command

	rules *rfactor.Rules
	table *pattern.Own
}

// Without is an ablation: what the search does without. Rules are named by patterns as path.Match
// reads them, or all of one theory as theory:NAME.
type Without struct {
	Name     string   `json:"name"`
	Rules    []string `json:"rules"`
	Stages   []string `json:"stages"`
	Families []string `json:"families"`
	Tables   []string `json:"tables"`
}

// ReadExperiment reads an experiment from the text of a file. The error is an [*ir.Error] with the place.
func ReadExperiment(file, text string) (*Experiment, error) {
	e := &Experiment{dir: filepath.Dir(file), source: &ir.Source{Name: file, Text: text}}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(e); err != nil {
		return nil, e.decodeError(err, d.InputOffset())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, e.source.Errorf(ir.Pos(d.InputOffset()), "something follows the experiment")
	}
	return e, e.check()
}

// decodeError gives an error of package json the place that it is about.
func (e *Experiment) decodeError(err error, at int64) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return e.source.Errorf(ir.Pos(syntax.Offset-1), "%v", err)
	case errors.As(err, &typ):
		return e.source.Errorf(ir.Pos(typ.Offset-1), "%s is to be of type %s, and is a %s", typ.Field, typ.Type, typ.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return e.source.Errorf(ir.Pos(len(e.source.Text)), "the file ends within the experiment")
	}
	if _, field, ok := strings.Cut(err.Error(), "unknown field "); ok {
		return e.errorAt(strings.Trim(field, `"`), "there is no field %s", field)
	}
	return e.source.Errorf(ir.Pos(at), "%v", err)
}

// errorAt returns an error at the first place where a string stands in the file.
func (e *Experiment) errorAt(word, format string, args ...any) error {
	quoted, err := json.Marshal(word)
	if err != nil {
		return err
	}
	return e.source.Errorf(ir.Pos(max(0, strings.Index(e.source.Text, string(quoted)))), format, args...)
}

// check reports the first mistake of an experiment.
func (e *Experiment) check() (err error) {
	switch {
	case e.Schema != Schema:
		return e.errorAt(e.Schema, "the schema is %q, and this version reads %q", e.Schema, Schema)
	case len(e.Corpora) == 0:
		return e.errorAt("corpora", "there is no corpus")
	case len(e.Matchers) == 0:
		return e.errorAt("matchers", "there is no matcher")
	}
	assume := e.Assume
	if assume == "" {
		assume = "all"
	}
	if e.assume, err = ir.ParseAssume(assume); err != nil {
		return e.errorAt(e.Assume, "%v", err)
	}
	names := slices.Clone(e.Matchers)
	if e.Reference == "" {
		e.Reference = e.Matchers[len(e.Matchers)-1]
	}
	if len(e.Ablate) == 0 {
		e.Ablate = []string{e.Reference}
	}
	names = append(append(names, e.Reference), e.Ablate...)
	if e.Scrambles != nil {
		names = append(names, e.Scrambles.Matchers...)
	}
	for _, name := range names {
		if _, ok := matcherNamed(name); !ok {
			return e.errorAt(name, "there is no matcher %q; they are %s", name, strings.Join(MatcherNames(), ", "))
		}
	}
	for _, name := range append(e.Ablate, e.Reference) {
		if !slices.Contains(e.Matchers, name) {
			return e.errorAt(name, "the experiment has no matcher %q to compare with", name)
		}
	}
	for _, n := range e.Efforts {
		if n < 1 || n > rfactor.MaxEffort {
			return e.errorAt("efforts", "%d is no effort from 1 to %d", n, rfactor.MaxEffort)
		}
	}
	for _, field := range []struct {
		name   string
		values []int
	}{{"iterations", e.Iterations}, {"nodes", e.Nodes}} {
		if slices.ContainsFunc(field.values, func(n int) bool { return n < 1 }) {
			return e.errorAt(field.name, "%s are at least 1", field.name)
		}
	}
	if e.Scrambles != nil && slices.ContainsFunc(e.Scrambles.Depths, func(n int) bool { return n < 0 || n > 1000 }) {
		return e.errorAt("depths", "a depth is from 0 to 1000")
	}
	seen := map[string]bool{}
	for _, w := range e.With {
		switch {
		case w.Name == "" || seen[w.Name]:
			return e.errorAt(w.Name, "an addition needs a name of its own, not %q", w.Name)
		case w.Rules == "" && w.Table == "":
			return e.errorAt(w.Name, "the addition %q adds nothing", w.Name)
		}
		seen[w.Name] = true
	}
	if err := e.checkVerdicts(); err != nil {
		return err
	}
	return e.checkWithout()
}

func (e *Experiment) checkWithout() error {
	seen := map[string]bool{}
	for _, w := range e.Without {
		switch {
		case w.Name == "" || seen[w.Name]:
			return e.errorAt(w.Name, "an ablation needs a name of its own, not %q", w.Name)
		case len(w.Rules)+len(w.Stages)+len(w.Families)+len(w.Tables) == 0:
			return e.errorAt(w.Name, "the ablation %q removes nothing", w.Name)
		}
		seen[w.Name] = true
		for _, pattern := range w.Rules {
			if len(rulesNamed(pattern)) == 0 {
				return e.errorAt(pattern, "no rule is named %q", pattern)
			}
		}
		for _, s := range w.Stages {
			if !slices.Contains(rfactor.StageNames(), s) {
				return e.errorAt(s, "there is no stage %q; they are %s", s, strings.Join(rfactor.StageNames(), ", "))
			}
		}
		for _, f := range w.Families {
			if !slices.Contains(rfactor.FamilyNames(), f) {
				return e.errorAt(f, "there is no family %q; they are %s", f, strings.Join(rfactor.FamilyNames(), ", "))
			}
		}
		for _, t := range w.Tables {
			if !slices.Contains(tableNames(), t) {
				return e.errorAt(t, "there is no table %q", t)
			}
		}
	}
	return nil
}

// readAdditions reads and proves the rules and tables of one's own, and returns a digest of the texts of each
// addition.
func (e *Experiment) readAdditions(ctx context.Context) (digests map[string]string, err error) {
	digests = map[string]string{}
	for i := range e.With {
		w := &e.With[i]
		var texts bytes.Buffer
		if w.Rules != "" {
			file := filepath.Join(e.dir, w.Rules)
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			texts.Write(text)
			if w.rules, err = rfactor.ReadRules(ctx, string(text), strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
		if w.Table != "" {
			dir := os.DirFS(filepath.Join(e.dir, w.Table))
			if w.table, err = pattern.ReadOwn(ctx, dir, path.Base(filepath.ToSlash(w.Table))); err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(e.dir, w.Table), err)
			}
			files, err := fs.Glob(dir, "*.txt")
			if err != nil {
				return nil, err
			}
			for _, file := range files {
				text, err := fs.ReadFile(dir, file)
				if err != nil {
					return nil, err
				}
				fmt.Fprintf(&texts, "%s\n%s", file, text)
			}
		}
		digests[w.Name] = identity.Of(texts.Bytes())
	}
	return digests, nil
}

// rulesNamed lists the rules of saturation that a pattern names.
func rulesNamed(pattern string) (names []string) {
	theory, isTheory := strings.CutPrefix(pattern, "theory:")
	for _, r := range rules.All() {
		if ok, err := path.Match(pattern, r.Name); isTheory && r.Theory == theory || !isTheory && ok && err == nil {
			names = append(names, r.Name)
		}
	}
	return names
}

// text returns the experiment as it was read, in one line.
func (e *Experiment) text() string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(e.source.Text)) != nil {
		return e.source.Text
	}
	return b.String()
}
