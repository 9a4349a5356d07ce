// Package rules holds the rewrite rules that saturation runs, as data: text files under
// theory/, one rule a line, each with the types and assumptions under which it holds.
//
// A line reads
//
//	name [class/need+need class …] : lhs => rhs  if guard(var), guard(var)
//
// and is written in the infix notation of package ir. Variables a b c d u v w have the
// type T of the instance, p q s are of type bool, literals have type T (tmin and tmax are
// T's limits). <=> in place of => makes two rules, the second named name-back.
//
// A class is int, signed, unsigned, float, bool, num (int and float) or any (num and
// bool). Behind the slash stands what the rule needs for the types of that class:
//
//	wrap            it holds for integers that wrap, not for unbounded ones
//	nowrap          it holds for unbounded integers only (nsw or nuw, by signedness)
//	nnan, nsz, …    assumptions on floats, named as LLVM names them
//
// An integer class without either word holds in both worlds: only such rules may be mixed
// with the nowrap ones, because a proof under nsw is a theorem over the unbounded integers.
//
// A left side stands for every operand order of its commutative operators: the rules list
// orders in place of a general law of commutativity. Guards are strategy, never needed for
// truth: state(a) asks that a mentions the state whatever its form, leaf(a) that a has a
// form without it. Only a rule with the guard anywhere() is applied to terms that do not
// mention the state, and one with deriving() only to find a derivation between two terms.
//
// certificates.jsonl holds a proof of every rule, made by make rules-proofs and checked by
// package verify/rule. axioms.rules holds what those proofs take for granted.
package rules

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
)

//go:embed theory/*.rules
var theories embed.FS

//go:embed greedy.rules
var greedyText string

// Greedy returns the rules of the greedy simplifier, in the order in which it tries them. They
// must not be changed.
func Greedy() []*Rule { return greedy() }

var greedy = sync.OnceValue(func() []*Rule { return mustLoad("greedy", greedyText) })

//go:embed axioms.rules
var axiomText string

// Axioms returns the rules that are believed without a proof, in the order of their file.
// Saturation does not run them: the proofs of other rules use them. They must not be changed.
func Axioms() []*Rule { return axioms() }

var axioms = sync.OnceValue(func() []*Rule { return mustLoad("axioms", axiomText) })

// Rule is one directed equation.
type Rule struct {
	Name    string
	Theory  string // the file that it stands in
	Text    string // the line
	Classes []Class
	LHS     *Term
	RHS     *Term
	Guards  []Guard

	Anywhere bool // applied to terms that do not mention the state, too
	Deriving bool // applied in derivations between two given terms only

	orders func() []*Term
}

// Class is a set of types, with the assumptions that a rule needs at these types.
type Class struct {
	Name   string
	Domain Domain
	Needs  ir.Assume // on floats
}

// Domain says in which integers a rule holds.
type Domain uint8

// The domains. Both is the zero value: most rules hold in any commutative ring or order.
const (
	Both Domain = iota
	WrapOnly
	UnboundedOnly
)

// Guard restricts where a rule is tried.
type Guard struct {
	State bool // the variable has no form without the state; else: it has one
	Var   string
}

var classTypes = map[string][]ir.Type{
	"bool":     {ir.Bool},
	"signed":   {ir.I8, ir.I16, ir.I32, ir.I64},
	"unsigned": {ir.U8, ir.U16, ir.U32, ir.U64},
	"int":      {ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64},
	"float":    {ir.F32, ir.F64},
	"num":      {ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.F32, ir.F64},
	"any":      {ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64, ir.F32, ir.F64},
}

// Types returns the types of the class.
func (c Class) Types() []ir.Type { return classTypes[c.Name] }

// classOf returns the class among cs that covers t.
func classOf(cs []Class, t ir.Type) (Class, bool) {
	for _, c := range cs {
		if slices.Contains(c.Types(), t) {
			return c, true
		}
	}
	return Class{}, false
}

// NeedsAt reports whether a rule of the classes cs holds at type t under the allowed assumptions, and returns the assumptions
// that it then relies on. A rule of wrapping integers alone does not hold where t's integers are unbounded.
func NeedsAt(cs []Class, t ir.Type, allowed ir.Assume) (needs ir.Assume, ok bool) {
	c, ok := classOf(cs, t)
	switch {
	case !ok:
		return 0, false
	case t.IsFloat():
		return c.Needs, allowed.Has(c.Needs)
	case allowed.Unbounded(t):
		return c.unbounded(t), c.Domain != WrapOnly
	}
	return 0, c.Domain != UnboundedOnly
}

// unbounded returns the assumption by which t's integers are unbounded, where c needs that.
func (c Class) unbounded(t ir.Type) ir.Assume {
	switch {
	case c.Domain != UnboundedOnly:
		return 0
	case t.IsSigned():
		return ir.NSW
	}
	return ir.NUW
}

// Needs returns what an application of r at type t relies on.
func (r *Rule) Needs(t ir.Type) ir.Assume {
	c, _ := classOf(r.Classes, t)
	return c.Needs | c.unbounded(t)
}

// Allowed reports whether r may be applied at type t when the assumptions are allowed.
func (r *Rule) Allowed(t ir.Type, allowed ir.Assume) bool {
	_, ok := NeedsAt(r.Classes, t, allowed)
	return ok
}

// All returns the embedded rules that saturation runs, in the order of their files: neither
// axioms nor the rules of the greedy simplifier. They must not be changed.
func All() []*Rule { return all() }

var all = sync.OnceValue(func() []*Rule {
	entries, err := theories.ReadDir("theory")
	if err != nil {
		panic("rules: internal: " + err.Error())
	}
	var all []*Rule
	for _, e := range entries {
		text, err := theories.ReadFile("theory/" + e.Name())
		if err != nil {
			panic("rules: internal: " + err.Error())
		}
		all = append(all, mustLoad(strings.TrimSuffix(e.Name(), ".rules"), string(text))...)
	}
	if err := distinct(all); err != nil {
		panic("rules: internal: " + err.Error())
	}
	return all
})

// mustLoad reads rules that are embedded.
func mustLoad(theory, text string) []*Rule {
	rs, err := load(theory, text, false)
	if err != nil {
		panic("rules: internal: " + err.Error())
	}
	return rs
}

func distinct(rs []*Rule) error {
	seen := map[string]bool{}
	for _, r := range rs {
		if seen[r.Name] {
			return fmt.Errorf("two rules are named %s", r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}

// ByName finds an embedded rule, an axiom or not.
func ByName(name string) (r *Rule, ok bool) {
	n, ok := Rank(name)
	if ok {
		r = Ranked()[n]
	}
	return r, ok
}

// String returns the class as it is written in a rule's line.
func (c Class) String() string {
	var needs []string
	switch c.Domain {
	case WrapOnly:
		needs = append(needs, "wrap")
	case UnboundedOnly:
		needs = append(needs, "nowrap")
	}
	needs = append(needs, c.Needs.Names()...)
	if len(needs) == 0 {
		return c.Name
	}
	return c.Name + "/" + strings.Join(needs, "+")
}
