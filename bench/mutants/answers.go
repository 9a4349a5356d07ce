package mutants

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// answer is one line of answers, with its certificate.
type answer struct {
	from string // file and line
	text []byte
	tree *ordered.Value
}

func (a *answer) status() string {
	if s := a.tree.Get("status"); s != nil {
		return s.Text
	}
	return ""
}

// answers are the lines that mutants are made of.
type answers struct {
	all      []*answer
	claims   []*answer
	lifts    []*answer
	staged   []*answer
	initial  []*answer // claims with what is inferred from an initial value
	refusals []*answer
	similar  map[string][]*answer // claims by status and types
	sorts    [][]*answer          // claims by status, assumptions and how they were found
	sortOf   map[string]int       // places in sorts
	seen     map[string][]*ordered.Value
}

// maxSeen bounds the values that are kept of each key of certificates.
const maxSeen = 400

// add sorts in an answer.
func (s *answers) add(from string, text []byte) error {
	tree, err := ordered.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if s.similar == nil {
		s.similar, s.sortOf, s.seen = map[string][]*answer{}, map[string]int{}, map[string][]*ordered.Value{}
	}
	a := &answer{from, bytes.Clone(text), tree}
	s.all = append(s.all, a)
	switch a.status() {
	case "refused":
		s.refusals = append(s.refusals, a)
		return nil
	case "lifted":
		s.lifts = append(s.lifts, a)
	case "associative", "staged":
	default:
		return nil
	}
	if a.status() == "staged" {
		s.staged = append(s.staged, a)
	} else {
		s.claims = append(s.claims, a)
		if tree.Get("initial") != nil {
			s.initial = append(s.initial, a)
		}
		s.similar[kinship(tree)] = append(s.similar[kinship(tree)], a)
	}
	n, ok := s.sortOf[sortName(tree)]
	if !ok {
		n = len(s.sorts)
		s.sortOf[sortName(tree)], s.sorts = n, append(s.sorts, nil)
	}
	s.sorts[n] = append(s.sorts[n], a)
	if a.status() == "staged" {
		return nil
	}
	tree.At("proof", "certificate").Walk("certificate", func(key string, v *ordered.Value) {
		if len(s.seen[key]) < maxSeen {
			s.seen[key] = append(s.seen[key], v)
		}
	})
	return nil
}

// kinship is what answers have in common whose proofs may be exchanged.
func kinship(tree *ordered.Value) string {
	return tree.Get("status").Text + " " + strings.Join(tree.Get("types").Texts(), " ")
}

// sortName says what sort of answer a claim is.
func sortName(tree *ordered.Value) string {
	via := ""
	if v := tree.Get("via"); v != nil {
		via = v.Text
	}
	name, detail, _ := strings.Cut(via, ":")
	if name == "lift" { // else the detail names an operator of the table
		name += " " + detail
	}
	return fmt.Sprint(tree.Get("status").Text, " ", name, tree.Get("assumes").Texts(), len(tree.Get("given").Texts()) > 0, tree.Get("initial") != nil)
}

// load reads answers from .jsonl files, and matches the updates of corpora and programs.
func load(ctx context.Context, files []string, stderr io.Writer) (*answers, error) {
	s := &answers{}
	for _, file := range files {
		fmt.Fprintln(stderr, "reading", file)
		var err error
		switch filepath.Ext(file) {
		case ".jsonl":
			err = s.readLines(file)
		case ".tsv":
			err = s.matchCorpus(ctx, file)
		case ".rf":
			err = s.matchProgram(ctx, file)
		default:
			err = fmt.Errorf("%s is neither .jsonl nor .tsv nor .rf", file)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(s.claims) == 0 {
		return nil, fmt.Errorf("there is no answer with a claim")
	}
	return s, nil
}

func (s *answers) readLines(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 256<<20)
	for n := 1; sc.Scan(); n++ {
		if line := bytes.TrimSpace(sc.Bytes()); len(line) > 0 {
			if err := s.add(fmt.Sprintf("%s:%d", filepath.Base(file), n), line); err != nil {
				return err
			}
		}
	}
	return sc.Err()
}

// settings are the sets of assumptions under which everything is matched.
var settings = []struct {
	name    string
	allowed ir.Assume
}{
	{"all", ir.AllAssumptions},
	{"default", ir.DefaultAssumptions},
}

func (s *answers) matchCorpus(ctx context.Context, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, l := range lines {
		u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			continue // what cannot be read has no answer
		}
		if l.Pre != "" {
			if u.Given, err = program.ParseGiven(u, l.Pre); err != nil {
				continue
			}
		}
		if err := s.match(ctx, u, l.Name, fmt.Sprintf("%s:%d", filepath.Base(file), l.Line)); err != nil {
			return err
		}
	}
	return nil
}

func (s *answers) matchProgram(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	prog, err := program.ParseProgram(ir.NewPool(), file, string(text), ir.I32)
	if err != nil {
		return err
	}
	for _, d := range prog.Definitions() {
		if err := s.match(ctx, d.Matched(), d.Func.Name, filepath.Base(file)); err != nil {
			return err
		}
	}
	return nil
}

func (s *answers) match(ctx context.Context, u *ir.Update, name, from string) error {
	for _, set := range settings {
		a, err := rfactor.Match(ctx, u, rfactor.Options{Name: name, Allowed: set.allowed, Describe: true})
		if err != nil {
			return err
		}
		line, err := a.JSON(a.Status != rfactor.Refused)
		if err != nil {
			return err
		}
		if err := s.add(from+" "+set.name, line); err != nil {
			return err
		}
	}
	return nil
}

// drop leaves out answers that no mutants are to be made of.
func (s *answers) drop(out map[*answer]bool) {
	keep := func(list []*answer) []*answer {
		return slices.DeleteFunc(list, func(a *answer) bool { return out[a] })
	}
	s.all, s.claims, s.lifts, s.staged, s.initial, s.refusals = keep(s.all), keep(s.claims), keep(s.lifts), keep(s.staged), keep(s.initial), keep(s.refusals)
	for k, list := range s.similar {
		s.similar[k] = keep(list)
	}
	for i := range s.sorts {
		s.sorts[i] = keep(s.sorts[i])
	}
	s.sorts = slices.DeleteFunc(s.sorts, func(list []*answer) bool { return len(list) == 0 })
}
