package rfactor

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// sketch draws the text of updates of a kind: of what constructions, lifts of finite control and stages answer. The type
// of numbers is one for each update.
type sketch struct {
	*rand.Rand
	t ir.Type
}

// sketches are the kinds. Each draws the types and the components.
var sketches = map[string]func(*sketch) (types string, components []string){
	"appended": (*sketch).appended,
	"flag":     (*sketch).flag,
	"sentinel": (*sketch).sentinel,
	"action":   (*sketch).action,
	"keyed":    (*sketch).keyed,
	"hull":     (*sketch).hull,
	"planes":   (*sketch).planes,
	"powers":   (*sketch).powers,
	"ranked":   (*sketch).ranked,
	"segments": (*sketch).closing,
	"counts":   (*sketch).counts,
	"strict":   (*sketch).strict,
	"decayed":  (*sketch).decayed,
	"cut":      (*sketch).cut,
	"staged":   (*sketch).staged,
	"table":    (*sketch).table,
}

func (s *sketch) one(of ...string) string { return of[s.IntN(len(of))] }

// number returns a literal of the type.
func (s *sketch) number() string {
	v := s.one("0", "1", "2", "3", "7", "9")
	if s.t.IsFloat() {
		v += ".0"
	}
	return v
}

// op applies an operation, associative or not.
func (s *sketch) op(a, b string) string {
	forms := []string{"A + B", "max(A, B)", "min(A, B)", "A*B", "A - B"}
	if s.t.IsInt() {
		forms = append(forms, "A ^ B", "A | B", "A & B", "A + B", "max(A, B)")
	}
	return "(" + strings.NewReplacer("A", a, "B", b).Replace(s.one(forms...)) + ")"
}

func (s *sketch) compare(a, b string) string {
	return a + s.one(" < ", " <= ", " == ", " != ", " > ", " >= ") + b
}

func (s *sketch) choose(c, a, b string) string {
	if s.IntN(4) == 0 {
		a, b = b, a
	}
	return fmt.Sprintf("select(%s, %s, %s)", c, a, b)
}

// planes is words whose bits step side by side, now and then with an operator that mixes them.
func (s *sketch) planes() (string, []string) {
	t := s.one("u8", "i16", "u32", "u64")
	var term func(depth int) string
	term = func(depth int) string {
		switch s.IntN(6 - depth) {
		case 0:
			return s.one("x0", "x1", "y0", "y0", "y1")
		case 1:
			return "~" + term(depth+1)
		case 2:
			return s.choose("y2", term(depth+1), term(depth+1))
		}
		op := s.one(" & ", " | ", " ^ ")
		if s.IntN(60) == 0 {
			op = " + "
		}
		return "(" + term(depth+1) + op + term(depth+1) + ")"
	}
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:" + t + ",y2:bool", []string{term(2), term(2)}
}

// hull is a product with extrema of it over all steps, or an interval that is multiplied, now and then by something else.
func (s *sketch) hull() (string, []string) {
	t := s.t.String()
	factor := s.one("y0", "y0", "y0", "(y0 + y1)", "(-y0)", s.number(), "x0")
	product := "x0*" + factor
	types := "x0:" + t + ",x1:" + t + ",x2:" + t + ",y0:" + t + ",y1:" + t
	if s.IntN(2) == 0 {
		best := func(x string) string {
			return s.one("max", "max", "min") + "(" + x + ", " + s.one("x0", product, product, "x0*y1", s.op("x0", "y0")) + ")"
		}
		return types, []string{product, best("x1"), best("x2")}[:2+s.IntN(2)]
	}
	bound := s.one("y0", "y0", "y1", "x2")
	greater := "max(max(x0*" + factor + ", x1*" + factor + "), " + bound + ")"
	lesser := "min(min(x0*" + factor + ", x1*" + factor + "), " + s.one(bound, bound, "y1") + ")"
	return types, []string{greater, lesser, s.one("max", "max", "min") + "(x2, " + s.one(greater, greater, lesser, "x0") + ")"}
}

// powers is a number that moves by itself, or with another, and sums of products of it.
func (s *sketch) powers() (string, []string) {
	t := s.t.String()
	factor := func() string { return s.one("x0", "x0", "(x0 + y0)", "(y0 - x0)", "y1", s.number()) }
	step := s.one("x0 + y0", "x0 - y0", "y1*x0 + y0", "x0*"+s.number()+" + y0", "x0 + y0*"+s.one("y1", "y1", "x1"))
	sum := s.one("x1", "x1", "x1*y1", "(x1 + y1)") + s.one(" + ", " - ") + factor() + "*" + factor()
	if s.IntN(3) == 0 {
		sum = s.choose("y2", sum, s.one("x1", "y1", "x0*x1"))
	}
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:" + t + ",y2:bool", []string{step, sum}
}

// ranked is the best elements in order, as a network or as choices, now and then with another operand in a place.
func (s *sketch) ranked() (string, []string) {
	t := s.t.String()
	k := 2 + s.IntN(3)
	best, worst, above := "max", "min", " > "
	if s.IntN(2) == 0 {
		best, worst, above = worst, best, " < "
	}
	operand := func(name string) string {
		if s.IntN(25) == 0 {
			return s.one("y1", "x0", "y0", s.number())
		}
		return name
	}
	call := func(f, a, b string) string { return f + "(" + a + ", " + b + ")" }
	types, out := []string{"y0:" + t, "y1:" + t}, []string{}
	chain := s.IntN(3)
	for i := range k {
		x := fmt.Sprintf("x%d", i)
		types = append(types, x+":"+t)
		switch before := fmt.Sprintf("x%d", i-1); {
		case i == 0 && chain == 0:
			out = append(out, "select(y0"+above+"x0, y0, x0)")
		case i == 0:
			out = append(out, call(best, "x0", operand("y0")))
		case chain == 0:
			out = append(out, fmt.Sprintf("select(y0%s%s, %s, select(y0%s%s, y0, %s))", above, before, operand(before), above, x, operand(x)))
		case chain == 1:
			out = append(out, call(best, call(worst, operand(before), operand("y0")), operand(x)))
		default:
			out = append(out, call(best, call(worst, out[len(out)-1], operand(before)), call(worst, operand("y0"), operand(x))))
		}
	}
	return strings.Join(types, ","), out
}

// counts is means and sums whose count is an integer, now and then read otherwise.
func (s *sketch) counts() (string, []string) {
	f, n := s.one("f32", "f64"), s.one("i32", "i64", "u32", "u64")
	step := s.one("1", "1", "y1", "2")
	count := f + "(x1 + " + step + ")"
	if s.IntN(8) == 0 {
		count = s.one(f+"(x1)", f+"(x1 + 1)", f+"(x1*2 + 1)", "("+f+"(x1) + 1.0)", f+"(x1/2 + "+step+")")
	}
	weight := s.one("1.0", f+"("+step+")", f+"("+step+")", "y0")
	mean := "x0 + (y0 - x0)*" + weight + "/" + count
	if s.IntN(4) == 0 {
		mean = s.one("(x0*"+f+"(x1) + y0*"+weight+")/"+count, "x0 + y0/"+count, "x0*"+count+" + y0", "max(x0, "+count+")")
	}
	next := "x1 + " + step
	if s.IntN(10) == 0 {
		next = s.one("x1*2 + 1", "max(x1, "+step+")", "x1 - "+step)
	}
	return "x0:" + f + ",x1:" + n + ",y0:" + f + ",y1:" + n, []string{mean, next}
}

// flag is one operator or two behind a flag that there was an element, or that all were of a kind.
func (s *sketch) flag() (string, []string) {
	t := s.t.String()
	types := "x0:" + t + ",x1:bool,x2:" + t + ",y0:" + t + ",y1:bool"
	behind := func(x string) string {
		switch s.IntN(6) {
		case 0:
			return s.choose("y1", s.op(x, "y0"), x)
		case 1:
			return s.choose("x1 && "+s.compare(x, "y0"), "y0", x)
		case 2:
			return x + " + " + s.choose("x1 && "+s.compare("x2", "y0"), "y0 - x2", s.number())
		case 3:
			return s.one("y0", "x2", s.op("x0", "y0"))
		}
		return s.choose("x1", s.op(x, "y0"), "y0")
	}
	flag := s.one("true", "x1 || y1", "x1 && y1", "x1 != y1", "x1 || "+s.compare("y0", s.number()), "y1")
	return types, []string{behind("x0"), flag, behind("x2")}[:2+s.IntN(2)]
}

// appended is a word to which bits are appended at either end, now and then masked, and a count of them.
func (s *sketch) appended() (string, []string) {
	t := s.one("u8", "i16", "u32", "i32", "u64", "i64")
	by := s.one("1", "3", "4", "7", "8", "y2", "y2", "x1")
	moved := s.one("(x0 << "+by+")", "(x0 << "+by+")", "(x0 >> "+by+")", "x0*2", "x0/2")
	bits := s.one("y0", "y0", "(y0 & 127)", "(y0 << 4)", s.choose("y1", "y0", s.one("0", "1", "5")))
	if s.IntN(6) == 0 {
		moved, bits = "x0", "(y0 << x1)"
	}
	step := "(" + moved + s.one(" | ", " | ", " ^ ", " + ", " & ") + bits + ")"
	switch s.IntN(4) {
	case 0:
		step = s.choose("y1", step, s.one("x0", "y0", "0", moved))
	case 1:
		step += s.one(" & 63", " & y0", " ^ 5")
	}
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:bool,y2:" + t, []string{step, s.one("x1 + 8", "x1 + y2", "max(x1, y0)")}[:1+s.IntN(2)]
}

// closing is what segments are when they end, and counts of those that pass a number.
func (s *sketch) closing() (string, []string) {
	t := s.t.String()
	segment := s.one(s.op("x0", "y0"), "x0 + "+s.number(), "max(x0, y0)", "x0 + "+s.choose("y2", s.number(), "y0"))
	start := s.one("y1", "y1", "!y1", s.compare("y0", s.number()))
	opposite := "!(" + start + ")"
	gathered := func(x string) string {
		switch s.IntN(5) {
		case 0:
			return s.choose(start, s.op(x, "x0"), x)
		case 1:
			return s.op(x, s.choose(opposite+" && x0 == "+s.number(), s.number(), s.number()))
		case 2:
			return s.choose(start+" && "+s.compare("x0", s.one(s.number(), "y0")), s.op(x, s.one("x0", "y0", s.number())), s.op(x, s.number()))
		}
		return s.choose(start, s.op(x, s.one("x0", "x0", "y0", s.number())), x)
	}
	first := s.choose(start, s.one("y0", s.number(), s.number(), "x0"), segment)
	return "x0:" + t + ",x1:" + t + ",x2:" + t + ",y0:" + t + ",y1:bool,y2:bool", []string{first, gathered("x1"), gathered("x2")}[:2+s.IntN(2)]
}

// strict is an extremum by if, with what belongs to it, and what is nearly one.
func (s *sketch) strict() (string, []string) {
	t, y := s.t.String(), s.one("y0", "y0", "abs(y0)", "y0*y1")
	if s.t.IsUnsigned() {
		y = "y0"
	}
	c := s.one(s.compare(y, "x0"), s.compare("x0", y))
	if s.IntN(3) == 0 {
		c = "y2 && " + c
	}
	payload := s.one(s.choose(c, "y1", "x1"), s.choose(s.compare(y, "x0"), "y1", "x1"))
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:" + t + ",y2:bool", []string{s.choose(c, y, "x0"), payload}[:1+s.IntN(2)]
}

// decayed is a weight of which a step keeps a share, and a mean beside it.
func (s *sketch) decayed() (string, []string) {
	t, share, one := s.t.String(), s.one("k0", "y1"), "1"
	if s.t.IsFloat() {
		one = "1.0"
	}
	weight := "(x0*" + share + " + " + s.one(one, one, "y2") + ")"
	mean := "(x0*" + share + "*x1 + " + s.one("y0", "y0", "y0*y2") + ")/" + weight
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:" + t + ",y2:" + t + ",k0:" + t, []string{weight, mean}
}

// cut is segments whose totals are no folds, that a condition on them decides, that count beyond a number, or that a state of few values ends.
func (s *sketch) cut() (string, []string) {
	t := s.t.String()
	kept := s.choose("y1", "y0", "x0")
	count := s.choose("y1", s.number(), "x0 + "+s.number())
	var total string
	first := kept
	switch s.IntN(4) {
	case 0:
		total = s.choose(s.compare("x0", s.number()), "y0", s.one("x1", s.op("x1", "y0")))
	case 1:
		first = count
		total = s.choose(s.one("!y1 && ", "y1 && ")+s.compare("x0", s.number()), "x1 + "+s.number(), "x1")
	case 2:
		first = s.choose("y1", s.number(), "x0*"+s.one("k0", s.number()))
		total = s.choose("y1", s.op(s.op("x0", "x1"), "y0"), "x1")
	case 3:
		return "x0:u8,x1:" + t + ",x2:" + t + ",y0:" + t, []string{"(x0 + 1) & 3", s.choose("x0 == 3", s.number(), s.op("x1", "y0")), s.choose("x0 == 3", s.op("x2", "x1"), "x2")}
	}
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:bool,k0:" + t, []string{first, total}
}

// sentinel is an operator where one number says that there was no element yet.
func (s *sketch) sentinel() (string, []string) {
	t, none := s.t.String(), s.number()
	first := func(x, y string) string {
		e := s.op(x, y)
		if s.IntN(3) > 0 {
			e = s.choose(x+" == "+none, y, e)
		}
		return s.choose("y0 == "+none, x, e)
	}
	with := func() string {
		inner := s.choose(s.compare("y0", "x0"), s.one("y1", s.number()), s.choose("x0 == y0", s.one("x1 + 1", s.op("x1", "y1"), "x1"), "x1"))
		if s.t.IsFloat() {
			inner = strings.ReplaceAll(inner, "x1 + 1", "x1 + 1.0")
		}
		return s.choose("y0 == "+none, "x1", s.choose("x0 == "+none, s.one("y1", s.number()), inner))
	}
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:" + t, []string{first("x0", "y0"), s.one(with(), first("x1", "y1"))}[:1+s.IntN(2)]
}

// action is a component that acts on another, as a factor, a shift, a mask or a carry does.
func (s *sketch) action() (string, []string) {
	t := s.t.String()
	acts := []string{"y1*x0", "y1 + x0", "max(y1, x0)", "min(y1, x0)", s.choose(s.compare("x0", s.number()), "y1", s.number()), s.choose(s.compare("x0 + y0", "x0"), "1", "0")}
	if s.t.IsInt() {
		acts = append(acts, "y1 << x0", "y1 & x0", "y1 ^ x0")
	} else {
		acts[5] = "y1/x0"
	}
	return "x0:" + t + ",x1:" + t + ",y0:" + t + ",y1:" + t, []string{s.op("x0", "y0"), s.one(s.op("x1", "("+s.one(acts...)+")"), s.op("x1*y0", "y1"), s.op(s.op("x1", "y0"), "x0"))}
}

// keyed is a best key with payloads, which merge where keys tie.
func (s *sketch) keyed() (string, []string) {
	t := s.t.String()
	less := s.one(" < ", " > ")
	payload := func(x, y string) string {
		equal := s.one(x, y, s.op(x, y))
		worse := s.one(x, x, s.op(x, y), "x0")
		better := s.one(y, y, "x0", s.op(x, y))
		return s.choose("x0"+less+"y0", better, s.choose("x0 == y0", equal, worse))
	}
	key := s.choose("x0"+less+"y0", "y0", "x0")
	return "x0:" + t + ",x1:" + t + ",x2:" + t + ",y0:" + t + ",y1:" + t, []string{key, payload("x1", "y1"), payload("x2", s.one("y1", s.number()))}[:2+s.IntN(2)]
}

// staged is a component that others read where no operator on both serves.
func (s *sketch) staged() (string, []string) {
	t := s.t.String()
	lower := s.op("x0", "y0")
	if s.IntN(3) == 0 {
		lower = s.op("x0*3", "y0")
		if s.t.IsFloat() {
			lower = s.op("x0*3.0", "y0")
		}
	}
	read := s.one("x0", lower)
	upper := func(x string) string {
		switch s.IntN(4) {
		case 0:
			return s.op(x, read+"*"+read)
		case 1:
			return s.choose(s.compare(read, s.number()), s.op(x, read), s.op(x, s.number()))
		case 2:
			return s.choose(s.compare(read, s.number()), s.number()+"*"+x+"*x0", s.op(x, "y1"))
		}
		return s.op(x, s.choose(s.compare(read, "y1"), read, "y1"))
	}
	return "x0:" + t + ",x1:" + t + ",x2:" + t + ",y0:" + t + ",y1:" + t, []string{lower, upper("x1"), upper("x2")}[:2+s.IntN(2)]
}

// table is a small automaton with counters beside it.
func (s *sketch) table() (string, []string) {
	states := 2 + s.IntN(3)
	next := func() string { return fmt.Sprint(s.IntN(states)) }
	step := "x0"
	for range 1 + s.IntN(3) {
		step = fmt.Sprintf("select(%s, %s, %s)", s.one("x0 == "+next(), "x0 == "+next()+" && y1", "y1", "y0 == "+next()), s.one(next(), "x0"), step)
	}
	if s.IntN(3) == 0 {
		step = s.one(fmt.Sprintf("(x0 + y0) %% %d", states), fmt.Sprintf("select(x0 == %d, 0, x0 + 1)", states-1), fmt.Sprintf("select(y1, min(x0 + 1, %d), 0)", states))
	}
	t := s.t.String()
	number := s.number()
	counter := s.op("x1", s.choose("x0 == "+next(), s.one(number, "y2"), s.number()))
	return "x0:u8,x1:" + t + ",y0:u8,y1:bool,y2:" + t, []string{step, counter}[:1+s.IntN(2)]
}

// sketched draws an update of a kind, a half of them with operators or literals changed, and what its match may assume.
func sketched(kind string, number uint64) (*ir.Update, ir.Assume, error) {
	rng := rand.New(rand.NewPCG(number, 23))
	types := []ir.Type{ir.I32, ir.I32, ir.I64, ir.U8, ir.U32, ir.F64, ir.F32, ir.I8}
	s := &sketch{rng, types[rng.IntN(len(types))]}
	declared, components := sketches[kind](s)
	var used []string
	for d := range strings.SplitSeq(declared, ",") {
		var i int
		if _, err := fmt.Sscanf(d, "x%d:", &i); err != nil || i < len(components) {
			used = append(used, d)
		}
	}
	text := strings.Join(components, "; ")
	for i := len(components); i < 3; i++ { // a component that was not drawn
		text = strings.ReplaceAll(text, fmt.Sprintf("x%d", i), "x0")
	}
	u, err := program.ParseUpdate(ir.NewPool(), strings.Join(used, ","), text)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", text, err)
	}
	u.Source = &ir.Source{Name: kind}
	if rng.IntN(2) == 0 {
		u = drawn.Mutated(rng, u)
	}
	return u, []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions, 0}[rng.IntN(3)], nil
}

var (
	kindUpdates = flag.Int("kinds", suite.More(30, 60), "how many updates TestKinds matches")
	kindFirst   = flag.Int("kinds-first", 0, "the number of the first of them")
)

// TestKinds matches random updates of the kinds that sketches draw, and near misses of them: what is answered is true by
// evaluation, and its certificate holds.
func TestKinds(t *testing.T) {
	kinds := slices.Sorted(maps.Keys(sketches))
	counts := map[string]map[Status]int{}
	var mu sync.Mutex
	t.Run("on all processors", func(t *testing.T) {
		const part = 500
		last := *kindFirst + *kindUpdates
		for from := *kindFirst; from < last; from += part {
			t.Run(fmt.Sprint(from), func(t *testing.T) {
				t.Parallel()
				for i := from; i < min(from+part, last); i++ {
					kind := kinds[i%len(kinds)]
					status := judgeSketch(t, kind, uint64(i))
					mu.Lock()
					if counts[kind] == nil {
						counts[kind] = map[Status]int{}
					}
					counts[kind][status]++
					mu.Unlock()
				}
			})
		}
	})
	t.Log("kind\tupdates\tassociative\tlifted\tstaged\trefused")
	answered := 0
	for _, kind := range kinds {
		c := counts[kind]
		answered += c[Associative] + c[Lifted] + c[Staged]
		t.Logf("%s\t%d\t%d\t%d\t%d\t%d", kind, c[Associative]+c[Lifted]+c[Staged]+c[Refused], c[Associative], c[Lifted], c[Staged], c[Refused])
	}
	if answered < *kindUpdates/4 {
		t.Errorf("of %d updates %d are answered: the sketches do not do their work", *kindUpdates, answered)
	}
}

// judgeSketch matches an update of a kind and judges the answer.
func judgeSketch(t *testing.T, kind string, number uint64) Status {
	u, allowed, err := sketched(kind, number)
	if err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("%s %d: %v %s under %s", kind, number, u.Types, ir.Strings(u.Values), allowed)
	a, err := Match(context.Background(), u, Options{Name: kind, Allowed: allowed, Describe: true})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	line, err := a.JSON(true)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if a.Status == Refused {
		if err := verified(line); err != nil {
			t.Errorf("the refusal is not accepted: %v\n%s\n%s", err, what, line)
		}
		return Refused
	}
	// The laws of a field say nothing of x/0.
	o := claims.Options{Points: 200, Work: 200 * claims.Quick.Work / claims.Quick.Points, Seed: number, NoPoles: true}
	if v := claims.Judge(line, o); v.Outcome >= claims.False {
		t.Errorf("UNSOUND: %v\n%s\n%s", v, what, line)
	}
	if err := verified(line); err != nil {
		t.Errorf("the certificate is not accepted: %v\n%s\n%s", err, what, line)
	}
	return a.Status
}
