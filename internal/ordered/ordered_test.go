package ordered_test

import (
	"testing"

	. "github.com/rfactor-go/rfactor/internal/ordered"
)

// TestRoundTrip reads and writes lines that encoding/json would change.
func TestRoundTrip(t *testing.T) {
	for _, line := range []string{
		`{"b":1,"a":2,"b":3}`, `[1.50,-0,1e400]`, `"x0 <= y0 && \"é\""`, `{"a":{},"b":[],"c":null,"d":true}`, `{"":"\u0001\\"}`,
	} {
		v, err := Parse([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := string(v.Bytes()); got != line {
			t.Errorf("%s is written as %s", line, got)
		}
		if got := string(v.Clone().Bytes()); got != line {
			t.Errorf("%s is copied as %s", line, got)
		}
	}
	for _, line := range []string{``, `{`, `{} {}`, `{"a":1,}`, `[01]`, `nul`} {
		if _, err := Parse([]byte(line)); err == nil {
			t.Errorf("%q is read", line)
		}
	}
}

func TestMembers(t *testing.T) {
	v, err := Parse([]byte(`{"a":1,"b":["x","y"],"a":2}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Get("a").Text; got != "2" {
		t.Errorf("the last a is %s", got)
	}
	if v.At("a", "b") != nil || v.Get("c") != nil {
		t.Error("a member that there is not")
	}
	v.Set("c", StringsOf(v.Get("b").Texts()...))
	v.Delete("a")
	if got := string(v.Bytes()); got != `{"b":["x","y"],"c":["x","y"]}` {
		t.Error(got)
	}
	keys := ""
	v.Walk("top", func(key string, v *Value) { keys += key + v.Text + " " })
	if keys != "top b bx by c cx cy " {
		t.Error(keys)
	}
}
