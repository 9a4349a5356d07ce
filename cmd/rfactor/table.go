package main

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
)

var tableVerb = verb{
	name:  "table",
	about: "lists the operators that updates are matched against, proven as they are printed",
	run:   runTable,
	usage: `[flags]

Examples:
  rfactor table
  rfactor table -types i32,i32 -assume nsw
  rfactor table -types f32 -json

An operator that is not proven under the assumptions is not listed.`,
}

// tableRecord is one line of table -json.
type tableRecord struct {
	Name         string   `json:"name"`
	Types        []string `json:"types"`
	Exprs        []string `json:"exprs"`
	Identity     []string `json:"identity,omitempty"`
	IdentitySide string   `json:"identity_side"`
	Commutative  bool     `json:"commutative"`
	Idempotent   bool     `json:"idempotent"`
	Assumes      []string `json:"assumes"`
	ProofSize    int      `json:"proof_size"` // cases of the proof of associativity
}

func runTable(c *command, args []string) int {
	fs := newFlags()
	allowed := assumeFlag(fs)
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	types := []ir.Type{ir.I32}
	fs.Func("types", "`LIST` of the component types, such as i32,i32 (default i32)", func(s string) (err error) {
		types, err = parseTypes(s)
		return err
	})
	if _, code, ok := c.parse(fs, args, 0); !ok {
		return code
	}
	listed := 0
	prover := prove.NewProver()
	for _, e := range pattern.Table(types, *allowed).Entries {
		op := prove.Operator{Types: e.Types, Exprs: ir.NewPool().Import(e.Exprs...)}
		p, _ := prover.Characterise(c.ctx, op, *allowed)
		if c.ctx.Err() != nil {
			return exitInterrupted
		}
		if p == nil {
			continue
		}
		listed++
		if *asJSON {
			c.writeRecord(entryRecord(e.Name, p))
		} else {
			c.stdout.printf("%s", entryText(e.Name, p))
		}
	}
	if listed == 0 && !*asJSON {
		c.stdout.printf("no operator on these types\n")
	}
	return exitMatched
}

func parseTypes(s string) (types []ir.Type, err error) {
	for name := range strings.SplitSeq(s, ",") {
		t := ir.ParseType(strings.TrimSpace(name))
		if t == ir.Invalid {
			return nil, fmt.Errorf("unknown type %s", quoteShort(name))
		}
		types = append(types, t)
	}
	if len(types) > ir.MaxState {
		return nil, fmt.Errorf("%d components, more than %d", len(types), ir.MaxState)
	}
	return types, nil
}

func entryRecord(name string, p *prove.Proven) tableRecord {
	r := tableRecord{Name: name, Exprs: texts(p.Exprs), IdentitySide: p.Side.String(), Commutative: p.Commutative,
		Idempotent: p.Idempotent, Assumes: p.Assumes.Names(), ProofSize: proofSize(p)}
	for _, t := range p.Types {
		r.Types = append(r.Types, t.String())
	}
	if p.Side != prove.NoSide {
		r.Identity = texts(p.Identity)
	}
	return r
}

func proofSize(p *prove.Proven) (n int) {
	for _, t := range p.Proofs.Associative {
		n += t.Size()
	}
	return n
}

func entryText(name string, p *prove.Proven) string {
	words := append(laws(p.Commutative, p.Idempotent), identityText(p.Side, texts(p.Identity)))
	if p.Assumes != 0 {
		words = append(words, "assumes "+assumed(p.Assumes))
	}
	return fmt.Sprintf("%-24s  %-40s  %s\n", name, strings.Join(texts(p.Exprs), "; "), strings.Join(words, "; "))
}
