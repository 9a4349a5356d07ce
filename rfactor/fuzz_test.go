package rfactor

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// matchGenerated matches the update that a string stands for, and judges the answer.
func matchGenerated(t *testing.T, data []byte, points int) (a *Answer, line []byte) {
	u, allowed := newGenerator(data).update()
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
	a, err := Match(ctx, u, Options{Name: "random", Allowed: allowed})
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
	f.Fuzz(func(t *testing.T, data []byte) { matchGenerated(t, data, 600) })
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
func (g *generator) tamper(line string) string {
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
	p := pairs[g.n(len(pairs))]
	n := strings.Count(line, p[0])
	if n == 0 {
		return line
	}
	if g.n(2) == 0 {
		return strings.ReplaceAll(line, p[0], p[1])
	}
	at := 0
	for range g.n(min(n, 256)) + 1 {
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
		g := newGenerator(data)
		lines := certified()
		line := lines[g.n(len(lines))]
		for range 1 + g.n(3) {
			line = g.tamper(line)
		}
		if verified([]byte(line)) != nil {
			return
		}
		if err := claims.Check([]byte(line), 300, 5); err != nil {
			t.Errorf("accepted, but %v\n%s", err, line[:min(len(line), 3000)])
		}
	})
}

var (
	randomUpdates = flag.Int("updates", 150, "how many random updates TestRandom matches")
	randomFirst   = flag.Int("first", 0, "the number of the first random update")
	printTable    = flag.Bool("table", false, "print what random updates show as tab-separated values")
)

// Random updates: whatever is answered is true by evaluation, and its certificate holds.
func TestRandom(t *testing.T) {
	n := *randomUpdates
	if testing.Short() {
		n = min(n, 40)
	}
	shares := map[Status]int{}
	var mu sync.Mutex
	t.Run("on all processors", func(t *testing.T) {
		const part = 500
		for from := *randomFirst; from < *randomFirst+n; from += part {
			t.Run(fmt.Sprint(from), func(t *testing.T) {
				t.Parallel()
				for i := from; i < min(from+part, *randomFirst+n); i++ {
					a, _ := matchGenerated(t, []byte{byte(i * 7), byte(i / 7 * 5), byte(i / 3), byte(i), byte(i >> 8), byte(i >> 16)}, 200)
					status := Status("undecided")
					if a != nil {
						status = a.Status
					}
					mu.Lock()
					shares[status]++
					mu.Unlock()
				}
			})
		}
	})
	t.Logf("of %d random updates: %v", n, shares)
	if *printTable {
		fmt.Println("first\tupdates\tassociative\tlifted\trefused\tnot_decided_in_5_s\tall_claims_held")
		fmt.Printf("%d\t%d\t%d\t%d\t%d\t%d\t%v\n", *randomFirst, n, shares[Associative], shares[Lifted], shares[Refused], shares["undecided"], !t.Failed())
	}
	if shares[Associative] < n/4 {
		t.Errorf("of %d random updates %v: the generator does not do its work", n, shares)
	}
}
