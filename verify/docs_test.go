package verify_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// proofBlock is a block of docs/certificates.md that shows an equation and its proof tree.
var proofBlock = regexp.MustCompile("(?s)```proof\n(.*?)```")

// TestDocumentedProofs checks the proof trees that docs/certificates.md shows, and that each
// of them proves its equation only: not the one with a 1 added on the left.
func TestDocumentedProofs(t *testing.T) {
	text, err := os.ReadFile("../docs/certificates.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[proof.Kind]bool{}
	for _, block := range proofBlock.FindAllSubmatch(text, -1) {
		p, assume, tree := readBlock(t, string(block[1]))
		if err := verify.Equation(p, assume, tree); err != nil {
			t.Errorf("%v:\n%s", err, block[1])
		}
		if typ := p.Left.Type(); typ.IsInt() {
			p.Left = ir.AddOf(p.Left, p.Left.Pool().Int(typ, 1))
			if verify.Equation(p, assume, tree) == nil {
				t.Errorf("with a 1 added on the left it proves as much:\n%s", block[1])
			}
		}
		noteKinds(kinds, tree)
	}
	for _, k := range []proof.Kind{proof.Split, proof.Equal, proof.Absurd, proof.Vacuous, proof.Squeeze, proof.Rewrite, proof.Substitute,
		proof.Carry, proof.Signs, proof.Bits, proof.GF2, proof.Extrema, proof.Exhaustive, proof.Integers} {
		if !kinds[k] {
			t.Errorf("docs/certificates.md shows no proof of kind %s", k)
		}
	}
}

func noteKinds(kinds map[proof.Kind]bool, t *proof.Tree) {
	if t == nil {
		return
	}
	kinds[t.Kind] = true
	for _, sub := range append([]*proof.Tree{t.Then, t.Else}, t.Cases...) {
		noteKinds(kinds, sub)
	}
}

// readBlock reads an equation, a line such as "for x0:i32, y0:i32; under nsw; given x0 < y0",
// and a tree.
func readBlock(t *testing.T, text string) (p proof.Problem, assume ir.Assume, tree *proof.Tree) {
	fail := func(err error) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	equation, rest, _ := strings.Cut(text, "\n")
	about, rest, _ := strings.Cut(rest, "\n")
	pool, vars := ir.NewPool(), map[string]ir.Expr{}
	scope := func(name string) (ir.Expr, bool) { e, ok := vars[name]; return e, ok }
	read := func(want ir.Type, text string) ir.Expr {
		e, err := ir.Read(pool, scope, want, strings.TrimSpace(text))
		fail(err)
		return e
	}
	for clause := range strings.SplitSeq(about, ";") {
		word, list, _ := strings.Cut(strings.TrimSpace(clause), " ")
		switch word {
		case "for":
			for v := range strings.SplitSeq(list, ",") {
				name, typ, _ := strings.Cut(strings.TrimSpace(v), ":")
				vars[name] = pool.Placeholder(ir.Leaf, name, len(vars), ir.ParseType(typ))
			}
		case "under":
			a, err := ir.ParseAssume(strings.TrimSpace(list))
			fail(err)
			assume = a
		case "given":
			p.Given = append(p.Given, read(ir.Bool, list))
		default:
			t.Fatalf("%q in\n%s", word, text)
		}
	}
	left, right, ok := strings.Cut(equation, " = ")
	if !ok {
		t.Fatalf("no equation in\n%s", text)
	}
	p.Left = read(ir.Invalid, left)
	p.Right = read(p.Left.Type(), right)
	tree = &proof.Tree{}
	d := json.NewDecoder(strings.NewReader(rest))
	d.DisallowUnknownFields()
	fail(d.Decode(tree))
	return p, assume, tree
}
