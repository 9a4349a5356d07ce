package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/internal/service"
)

const sumLoop = `define i32 @sum(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %a = load i32, ptr %at, align 4
  %t = add nsw i32 %a, %s
  %j = add nuw nsw i64 %i, 1
  %d = icmp eq i64 %j, %n
  br i1 %d, label %exit, label %loop
exit:
  ret i32 %t
}
`

func TestCall(t *testing.T) {
	text, err := json.Marshal(sumLoop)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ method, params, want string }{
		{"match", `{"types":"x0:i32,y0:i32","update":"x0 + y0"}`, `"status":"associative"`},
		{"match", `{"types":"x0:f32,y0:f32","update":"x0 + y0","assume":"none"}`, `"status":"refused"`},
		{"check", `{"types":"x:i32,y:i32","operator":"max(x, y)","identity":"0"}`, `"side":"none"`},
		{"check", `{"types":"x:i32,y:i32","operator":"x < y && y < x || x == y && false","is":""}`, "error: "},
		{"llvm", `{"text":` + string(text) + `}`, `[{"kind":"loop","function":"sum"`},
		{"llvm", `{"text":` + string(text) + `,"kinds":["operator"]}`, `[]`},
		{"llvm", `{"text":` + string(text) + `,"unroll":2}`, `"unrolled":{"text":"define { i32 } @rfactor.steps(i32 %s0, i32 %y0.0, i32 %y0.1)`},
		{"llvm", `{"text":` + string(text) + `,"unroll":1}`, `error: unroll: from 2 to 64 steps`},
		{"llvm", `{"text":` + strings.NewReplacer("add nsw i32", "fadd float", "i32", "float", "[ 0, %entry ], [ %t", "[ 0.0, %entry ], [ %t").Replace(string(text)) + `}`, `"reason":"matches only under reassoc`},
		{"llvm", `{"text":` + strings.NewReplacer("add nsw i32", "fadd float", "i32", "float", "[ 0, %entry ], [ %t", "[ 0.0, %entry ], [ %t").Replace(string(text)) + `,"terse":true}`, `"reason":"no operator was found, and why was not asked"`},
		{"llvm", `{"text":"what"}`, `error: text:1:1: expected a definition`},
		{"match", `{"types":"x0:i32","update":"x0 +"}`, "error: "},
		{"match", `{"type":"x0:i32"}`, `error: parameters: unknown field "type"`},
		{"match", `{"types":"x0:i32,y0:i32","update":"x0 + y0","assume":"mws"}`, "error: "},
		{"match", `[`, "error: parameters: "},
		{"verify", `{}`, "error: parameters: answer is missing"},
		{"verify", `{"answer":{"schema":2}}`, `"holds":false`},
		{"solve", `{}`, `error: there is no such method: "solve"`},
	} {
		result, err := Call(context.Background(), test.method, []byte(test.params))
		got := string(result)
		if err != nil {
			got = "error: " + err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %s", test.method, test.params, got)
		}
	}
}

func TestVerified(t *testing.T) {
	answer, err := Call(context.Background(), "match", []byte(`{"types":"x0:i32,y0:i32","update":"select(y0 > 9, x0 + 1, x0)","proof":true}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Call(context.Background(), "verify", fmt.Appendf(nil, `{"answer":%s}`, answer))
	if err != nil || string(got) != `{"holds":true}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, method := range Methods[:2] {
		if _, err := Call(ctx, method, []byte(`{"types":"x:i32,y:i32","operator":"x"}`)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", method, err)
		}
	}
}

func ExampleCall() {
	result, err := Call(context.Background(), "check", []byte(`{"types": "x:i32,y:i32", "operator": "x - y"}`))
	fmt.Println(string(result), err)
	// Output:
	// {"types":["i32"],"operator":["x - y"],"associative":{"holds":"no","counterexample":"f(f(0, 0), 1) = -1, but f(0, f(0, 1)) = 1"},"commutative":{"holds":"no","counterexample":"f(0, 1) = -1, but f(1, 0) = 1"},"idempotent":{"holds":"no","counterexample":"f(1, 1) = 0, not 1"}} <nil>
}
