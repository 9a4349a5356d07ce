package rfactor

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/generated"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// matchGenerated matches an update, and judges the answer.
func matchGenerated(t *testing.T, u *ir.Update, allowed ir.Assume, points int) (a *Answer, line []byte) {
	text := func() string {
		s := ""
		for _, v := range u.Values {
			s += v.Type().String() + " " + v.String() + "; "
		}
		return s + "under " + allowed.String()
	}
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("panic: %v\n%s", p, text())
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	a, err := Match(ctx, u, Options{Name: "random", Allowed: allowed, Describe: true})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		t.Logf("not decided in 5 s: %s", text())
		return nil, nil
	case err != nil:
		t.Fatalf("%v\n%s", err, text())
	case !allowed.Has(a.Assumes):
		t.Fatalf("assumes %s\n%s", a.Assumes, text())
	}
	if line, err = a.JSON(true); err != nil {
		t.Fatalf("%v\n%s", err, text())
	}
	if a.Status == Refused {
		if err := verified(line); err != nil {
			t.Errorf("the refusal is not accepted: %v\n%s\n%s", err, text(), line[:min(len(line), 1500)])
		}
		return a, line
	}
	if err := claims.Check(line, points, 1); err != nil {
		t.Errorf("UNSOUND: %v\n%s\n%s", err, text(), line[:min(len(line), 1500)])
	}
	if err := verified(line); err != nil {
		t.Errorf("the certificate is not accepted: %v\n%s\n%s", err, text(), line[:min(len(line), 1500)])
	}
	return a, line
}

// FuzzMatch matches random updates: what an answer says is true by evaluation, and its
// certificate is accepted.
func FuzzMatch(f *testing.F) {
	for i := range uint64(20) {
		f.Add(binary.LittleEndian.AppendUint64(nil, i*0x9e3779b97f4a7c15))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		u, allowed := generated.New(data).Update()
		matchGenerated(t, u, allowed, 600)
	})
}

// certified are lines of JSON with certificates, to be tampered with.
var certified = sync.OnceValue(func() (lines []string) {
	for _, test := range matchTests {
		allowed, err := ir.ParseAssume(test.assume)
		if err != nil {
			panic(err)
		}
		u, err := program.ParseUpdate(ir.NewPool(), test.types, test.exprs)
		if err != nil {
			panic(err)
		}
		a, err := Match(context.Background(), u, Options{Name: "f", Allowed: allowed})
		if err != nil {
			panic(err)
		}
		line, err := a.JSON(true)
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(line))
	}
	return lines
})

// tamper changes a line a little: every occurrence of a word, or one of them.
func tamper(g *generated.Generator, line string) string {
	pairs := [][2]string{
		{"min(", "max("}, {"max(", "min("}, {" + ", " - "}, {" - ", " + "}, {" < ", " <= "}, {" <= ", " < "}, {" == ", " != "},
		{"x0", "x1"}, {"x1", "x0"}, {"y0", "y1"}, {"y1", "y0"}, {"y0", "x0"}, {"x0", "y0"}, {"y1", "y2"}, {"k0", "1"}, {"k0", "y0"},
		{"i32", "u32"}, {"i32", "i8"}, {"i32", "f32"}, {"f64", "i64"}, {"f64", "f32"}, {"u32", "i32"}, {"bool", "u8"}, {"u8", "bool"},
		{`"reassoc"`, ``}, {`"nsw"`, ``}, {`"nuw"`, ``}, {`"nnan",`, ``}, {`,"nsz"`, ``}, {`"assumes":[]`, `"assumes":["nsw"]`}, {`"nsw"`, `"nuw"`},
		{`"commutative":false`, `"commutative":true`}, {`"idempotent":false`, `"idempotent":true`},
		{`"right"`, `"two"`}, {`"left"`, `"two"`}, {`"left"`, `"right"`}, {`"right"`, `"left"`}, {`"middle"`, `"left"`}, {`"none"`, `"two"`}, {`"two"`, `"left"`},
		{`"tmax"`, `"tmin"`}, {`"tmin"`, `"tmax"`}, {`"0"`, `"1"`}, {`"1"`, `"0"`}, {`"0"`, `"tmax"`}, {`"0"`, `"x0"`}, {`"-0.0"`, `"0.0"`}, {`"-inf"`, `"inf"`},
		{"[0,1]", "[0]"}, {"[0,1]", "[1]"}, {"[0,1]", "[1,0]"}, {"[0,1]", "[0,0]"}, {"[[0],[1]]", "[[0,1]]"}, {"0", "1"}, {"1", "2"}, {"2", "0"}, {"true", "false"}, {"null", "{}"},
		{"select(", "!select("}, {"x0 + y0", "x0 + y0 + 1"}, {"x0*y0", "x0*y0 + x0"}, {"min(x0, y0)", "min(x0, y0) + 1"},
	}
	p := pairs[g.N(len(pairs))]
	n := strings.Count(line, p[0])
	if n == 0 {
		return line
	}
	if g.N(2) == 0 {
		return strings.ReplaceAll(line, p[0], p[1])
	}
	at := 0
	for range g.N(min(n, 256)) + 1 {
		at += strings.Index(line[at:], p[0]) + len(p[0])
	}
	return line[:at-len(p[0])] + p[1] + line[at:]
}

// FuzzVerify tampers with certified lines: what the checker still accepts is true by evaluation.
func FuzzVerify(f *testing.F) {
	for i := range uint64(40) {
		f.Add(binary.LittleEndian.AppendUint64(nil, i*0x9e3779b97f4a7c15))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g := generated.New(data)
		lines := certified()
		line := lines[g.N(len(lines))]
		for range 1 + g.N(3) {
			line = tamper(g, line)
		}
		if verified([]byte(line)) != nil {
			return
		}
		if err := claims.Check([]byte(line), 300, 5); err != nil {
			t.Errorf("accepted, but %v\n%s", err, line[:min(len(line), 3000)])
		}
	})
}

// randomKinds are numbers of random updates below 150 that have each kind of answer among these twice, where there are two: by status, code of a
// refusal, component that is refuted, assumption, way to an operator, lift, sides and laws, groups, lemmas, kind of proof, and type. The first 60
// have 67 of the 82.
var randomKinds = []int{7, 8, 10, 11, 12, 13, 14, 15, 17, 19, 20, 21, 22, 24, 28, 31, 36, 46, 48, 49, 50, 51, 52, 53, 57, 58, 60, 61, 62, 65, 91, 92, 93, 94, 95, 96, 101, 102, 106, 112, 113, 132, 133,
	134, 135, 136, 139, 141, 143, 145, 148}

// Random updates, a sample of those of bench random: whatever is answered is true by evaluation, and its certificate holds.
func TestRandom(t *testing.T) {
	numbers := randomKinds
	if suite.More(false, true) {
		numbers = nil
		for i := range 150 {
			numbers = append(numbers, i)
		}
	}
	if testing.Short() {
		numbers = numbers[:40]
	}
	shares, n := map[Status]int{}, len(numbers)
	for _, i := range numbers {
		u, allowed := generated.Numbered(i)
		status := Status("undecided")
		if a, _ := matchGenerated(t, u, allowed, 200); a != nil {
			status = a.Status
		}
		shares[status]++
	}
	t.Logf("of %d random updates: %v", n, shares)
	if shares[Associative] < n/4 {
		t.Errorf("of %d random updates %v: the generator does not do its work", n, shares)
	}
}
