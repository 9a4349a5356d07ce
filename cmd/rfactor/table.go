package main

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var tableVerb = verbs.Verb{
	Name:  "table",
	About: "lists the operators that updates are matched against, with what is proven of them",
	Run:   with(runTable),
	Usage: `[flags]

Examples:
  rfactor table
  rfactor table -types i32,i32 -assume nsw
  rfactor table -types f32 -json
  rfactor table -find 'select(x0 < y0, y0, x0)'

An entry that needs more than the assumptions is not listed. With -find only those are that
equal the expressions over x0, y0, k0 …, or their mirror image. Exit code 0; with -find 1
where there is none.`,
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
	Leaves       int      `json:"leaves"`
	Proof        string   `json:"proof"`  // how associativity is proven
	Source       string   `json:"source"` // listed, or the enumeration that found it
}

func runTable(c *command, args []string) int {
	fs := cli.NewFlags()
	assume := verbs.AssumeFlag(fs)
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	find := cli.ExpressionFlag(fs, "find", "`EXPRS`: list the operators that equal these, separated by semicolons")
	types := []ir.Type{ir.I32}
	fs.Func("types", "`LIST` of the component types, such as i32,i32 (default i32)", func(s string) (err error) {
		types, err = cli.ParseTypes(s)
		return err
	})
	if _, code, ok := c.Parse(fs, args, 0); !ok {
		return code
	}
	var wanted []ir.Expr
	if *find != "" {
		var err error
		if wanted, err = pattern.Parse(ir.NewPool(), types, *find); err != nil {
			return c.Errorf("%v", err)
		}
	}
	listed := 0
	for _, e := range pattern.Entries(types) {
		if !assume.Allowed.Has(e.Assumes) || assume.Allowed&e.Excludes != 0 || wanted != nil && !c.sameOperator(e, wanted, assume.Allowed) {
			continue
		}
		listed++
		if *asJSON {
			c.WriteRecord(entryRecord(e))
		} else {
			c.Stdout.Printf("%s", entryText(e))
		}
	}
	if c.Ctx.Err() != nil {
		return verbs.Interrupted
	}
	switch {
	case listed == 0 && wanted != nil:
		if !*asJSON {
			c.Stdout.Printf("no entry equals %s\n", *find)
		}
		return verbs.Refused
	case listed == 0 && !*asJSON:
		c.Stdout.Printf("no operator on these types\n")
	}
	return verbs.Matched
}

// sameOperator reports whether an entry is proven equal to expressions, or to what they are
// with x and y exchanged.
func (c *command) sameOperator(e *pattern.Entry, wanted []ir.Expr, allowed ir.Assume) bool {
	pool := wanted[0].Pool()
	for _, mirrored := range []bool{false, true} {
		entry := pool.Map(e.Exprs, func(v ir.Expr) ir.Expr {
			switch {
			case v.Op() != ir.Var || !mirrored:
				return ir.Expr{}
			case v.Kind() == ir.State:
				return pool.Y(v.Index(), v.Type())
			case v.Kind() == ir.Leaf:
				return pool.X(v.Index(), v.Type())
			}
			return ir.Expr{}
		})
		var equal []proof.Problem
		for i, w := range wanted {
			equal = append(equal, proof.Problem{Left: w, Right: entry[i]})
		}
		if prove.Prove(c.Ctx, equal, prove.Options{Allowed: allowed}).Status == prove.Proved {
			return true
		}
	}
	return false
}

func entryRecord(e *pattern.Entry) tableRecord {
	r := tableRecord{Name: e.Name, Exprs: texts(e.Exprs), IdentitySide: e.Side, Commutative: e.Commutative, Idempotent: e.Idempotent,
		Assumes: e.Assumes.Names(), Leaves: e.Leaves, Proof: e.Proof.String(), Source: e.Source}
	for _, t := range e.Types {
		r.Types = append(r.Types, t.String())
	}
	if len(e.Identity) > 0 {
		r.Identity = texts(e.Identity)
	}
	return r
}

func entryText(e *pattern.Entry) string {
	side := proof.NoSide
	for s := proof.NoSide; s <= proof.Two; s++ {
		if s.String() == e.Side {
			side = s
		}
	}
	words := append(laws(e.Commutative, e.Idempotent), identityText(side, texts(e.Identity)))
	if e.Assumes != 0 {
		words = append(words, "assumes "+assumed(e.Assumes))
	}
	return fmt.Sprintf("%-24s  %-40s  %s\n", e.Name, strings.Join(texts(e.Exprs), "; "), strings.Join(words, "; "))
}
