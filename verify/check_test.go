package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Lines that tests tamper with, by their names.
var lines = map[string]func() string{
	"sum":      matched("x0:i32,y0:i32", "x0 + y0", "none", ""),
	"count":    matched("x0:i32,y0:bool", "select(y0, x0 + 1, x0)", "none", ""),
	"last":     matched("x0:i32,y0:i32", "y0", "none", ""),
	"greatest": matched("x0:i32,y0:i32", "max(x0, y0)", "none", ""),
	"two":      matched("x0:i32,x1:i32,y0:i32,y1:i32", "x0 + y0; max(x1, y1)", "none", ""),
	"mirror":   matched("x0:i32,y0:i32,k0:i32", "max(min(k0 - x0, y0), x0)", "nsw", ""),
	"capped":   matched("x0:u32,y0:u32,k0:u32", "min(x0 + y0, k0)", "nuw", ""),
	"shared":   matched("x0:i32,x1:i32,x2:i32,y0:i32", "x0 + y0; max(x1, x0 + y0); min(x2, x0 + y0)", "nsw", ""),
	"mean":     matched("x0:f64,x1:f64,y0:f64", "x0 + 1; x1 + (y0 - x1)/(x0 + 1)", "default", ""),
	"given":    matched("x0:i32,r:i32", "select(x0 < 0, 0, max(x0, r))", "none", "x0 >= 0"),
	"sorted":   sync.OnceValue(inferred),
	"horner":   matched("x0:i32,y0:i32,k0:i32", "x0*k0 + y0", "none", ""),
	"clamp":    matched("x0:i32,y0:i32", "max(x0 + y0, 0)", "nsw", ""),
	"masked":   matched("x0:i32,y0:bool,y1:i32", "select(y0, max(x0 + y1, 0), x0)", "nsw", ""),
	"ratio":    matched("x0:f64,y0:f64", "(2.0*x0 + y0)/(x0 + y0)", "reassoc,nnan,ninf", ""),
	"rotated":  matched("x0:u8,y0:u8", "((x0 << 1) ^ y0) & 63", "none", ""),
	"lowest":   matched("x0:i8,y0:bool", "select(y0, select(x0 < 3, x0 + 1, 3), x0)", "none", ""),
	"cased":    matched("x0:i32,r:i32,R:i32", "x0 + r*R", "none", ""),
	"refused":  matched("x0:i32,y0:i32", "x0*x0 - y0", "none", ""),
	"rounded":  matched("x0:f64,y0:f64", "sin(x0) + y0", "none", ""),
	"scaled":   matched("x0:f64,y0:f64", "x0*0.3 + y0", "none", ""),
	"nearest":  matched("x0:i32,y0:i32", "select(x0 == 7, x0 + 2, max(x0, y0))", "none", ""),
}

// matched returns the line of an update's answer.
func matched(types, exprs, assume, given string) func() string {
	return sync.OnceValue(func() string {
		u, err := program.ParseUpdate(ir.NewPool(), types, exprs)
		if err != nil {
			panic(err)
		}
		if given != "" {
			if u.Given, err = program.ParseGiven(u, given); err != nil {
				panic(err)
			}
		}
		return answered(u, assume)
	})
}

// inferred is a line whose answer is given what was inferred from an initial value.
func inferred() string {
	prog, err := program.ParseProgram(ir.NewPool(), "test", `ImageParam in(Int(32), 1);
Func f;
RDom r(0, in.width());
f() = {100, 100};
f() = {select(in(r) < f()[0], in(r), f()[0]), max(min(f()[1], in(r)), f()[0])};`, ir.Invalid)
	if err != nil {
		panic(err)
	}
	return answered(prog.Definitions()[0].Update(), "none")
}

func answered(u *ir.Update, assume string) string {
	allowed, err := ir.ParseAssume(assume)
	if err != nil {
		panic(err)
	}
	a, err := rfactor.Match(context.Background(), u, rfactor.Options{Name: "f", Allowed: allowed})
	if err != nil {
		panic(err)
	}
	line, err := a.JSON(true)
	if err != nil {
		panic(err)
	}
	return string(line)
}

// edit changes the value at a path of keys and numbers; a value of "" deletes it.
type edit struct{ path, value string }

func apply(t testing.TB, line string, edits ...edit) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		root = changed(t, root, strings.Split(e.path, "."), e.value)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(root); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func changed(t testing.TB, v any, path []string, value string) any {
	t.Helper()
	if len(path) == 0 {
		return json.RawMessage(value)
	}
	switch v := v.(type) {
	case map[string]any:
		if len(path) == 1 && value == "" {
			delete(v, path[0])
			return v
		}
		v[path[0]] = changed(t, v[path[0]], path[1:], value)
		return v
	case []any:
		n, err := strconv.Atoi(path[0])
		if err != nil || n >= len(v) {
			t.Fatalf("there is no %s", path)
		}
		v[n] = changed(t, v[n], path[1:], value)
		return v
	}
	t.Fatalf("there is no %s", path)
	return nil
}
