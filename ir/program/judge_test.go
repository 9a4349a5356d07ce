package program

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/internal/irtest"
)

// judge evaluates the lines that it reads with the corpus's own evaluator, exprs.py.
const judge = `
import json, math, os, sys
sys.path.insert(0, os.path.dirname(os.environ["RFACTOR_EXPRS"]))
import exprs
exprs.IEEE[0] = True
def value(t, v):
    return float(v) if t[0] == "f" else v == "1" if t == "bool" else int(v)
for line in sys.stdin:
    q = json.loads(line)
    env = {n: value(q["types"][n], v) for n, v in q["env"].items()}
    try:
        v, _ = exprs.ev(exprs.parse(q["text"]), env, q["types"], q["want"])
        print("nan" if v != v else repr(float(v)) if q["want"][0] == "f" else int(v))
    except Exception as e:
        print("error", repr(e))
`

// The evaluator of the corpus, where it is at hand (RFACTOR_EXPRS names exprs.py), gives
// the same values to what we print as we give to the expression.
func TestAgreesWithJudge(t *testing.T) {
	if os.Getenv("RFACTOR_EXPRS") == "" {
		t.Skip("RFACTOR_EXPRS does not name exprs.py")
	}
	type question struct {
		Text  string            `json:"text"`
		Types map[string]string `json:"types"`
		Env   map[string]string `json:"env"`
		Want  string            `json:"want"`
	}
	r := rand.New(rand.NewPCG(5, 6))
	var input bytes.Buffer
	var texts, want []string
	enc := json.NewEncoder(&input)
	ask := func(e ir.Expr, text string) {
		q := question{text, map[string]string{}, map[string]string{}, e.Type().String()}
		vals := map[ir.Expr]uint64{}
		for _, v := range ir.Vars(e) {
			vals[v] = irtest.Value(r, v.Type())
			q.Types[v.Name()] = v.Type().String()
			q.Env[v.Name()] = plain(v.Type(), vals[v])
		}
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, q.Text)
		want = append(want, plain(e.Type(), ir.Eval(e, &ir.Env{Var: func(v ir.Expr) uint64 { return vals[v] }})))
	}
	for len(want) < 20000 {
		if e := irtest.Expr(r, ir.NewPool(), irtest.Types[r.IntN(len(irtest.Types))], 1+r.IntN(25)); judged(e) {
			ask(e, e.String())
		}
	}
	for _, l := range corpus(t) { // as they are spelt, and as we print them
		u, err := ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range strings.Split(l.Exprs, ";") {
			for range 10 {
				ask(u.Values[i], text)
				ask(u.Values[i], u.Values[i].String())
			}
		}
	}
	cmd := exec.Command("python3", "-c", judge)
	cmd.Stdin, cmd.Stderr = &input, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Skip(err)
	}
	wrong := 0
	for i, got := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if got != want[i] && !sameFloat(got, want[i]) {
			if wrong++; wrong < 10 {
				t.Errorf("%s\nis %s, the judge says %s", texts[i], want[i], got)
			}
		}
	}
	t.Logf("%d expressions, %d differ", len(want), wrong)
}

// judged reports whether exprs.py knows everything in e.
func judged(e ir.Expr) bool {
	ok := true
	ir.Walk([]ir.Expr{e}, func(s ir.Expr) {
		ok = ok && !s.Op().FloatsOnly()
		switch s.Op() {
		case ir.Call, ir.SatAdd, ir.SatSub, ir.Gcd, ir.PopCount, ir.Clz, ir.Ctz, ir.BitReverse:
			ok = false
		case ir.Const:
			ok = ok && !(s.Type().IsFloat() && ir.Float(s.Type(), s.Value()) != ir.Float(s.Type(), s.Value()))
		case ir.Cast: // it converts only exact rationals
			ok = ok && !s.Arg(0).Type().IsFloat()
		}
	})
	return ok
}

// plain is a value as Python writes it.
func plain(t ir.Type, v uint64) string {
	if !t.IsFloat() {
		return strings.NewReplacer("true", "1", "false", "0").Replace(irtest.Exact(t, v).String())
	}
	f := ir.Float(t, v)
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 0):
		return map[bool]string{true: "inf", false: "-inf"}[f > 0]
	}
	b, _ := json.Marshal(f)
	return string(b)
}

func sameFloat(a, b string) bool {
	var x, y float64
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && x == y && math.Signbit(x) == math.Signbit(y)
}
