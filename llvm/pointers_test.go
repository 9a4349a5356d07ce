package llvm

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// TestPointers has loops that carry a pointer: what it points to is an input if no step takes it from the state.
func TestPointers(t *testing.T) {
	for _, test := range []struct{ name, phis, body, want string }{
		{"a list", "%p = phi ptr [ %list, %entry ], [ %to, %loop ]",
			"%x = load i32, ptr %p\n%next = add i32 %s, %x\n%link = getelementptr i8, ptr %p, i64 8\n%to = load ptr, ptr %link\n%done = icmp eq ptr %to, null", "x0 + y0"},
		{"the element before", "%p = phi ptr [ %list, %entry ], [ %to, %loop ]\n%i = phi i64 [ 0, %entry ], [ %j, %loop ]",
			"%x = load i32, ptr %p\n%to = getelementptr i32, ptr %list, i64 %i\n%y = load i32, ptr %to\n%c = icmp slt i32 %y, %x\n%next = select i1 %c, i32 0, i32 %s\n%j = add i64 %i, 1\n%done = icmp eq i64 %j, %n",
			"!(y1 < y0) && x0"},
		{"two that change places", "%p = phi ptr [ %list, %entry ], [ %q, %loop ]\n%q = phi ptr [ %more, %entry ], [ %p, %loop ]\n%i = phi i64 [ 0, %entry ], [ %j, %loop ]",
			"%x = load i32, ptr %p\n%next = add i32 %s, %x\n%j = add i64 %i, 1\n%done = icmp eq i64 %j, %n", "x0 + y0"},
		{"a branch of a tree that the state chooses", "%p = phi ptr [ %list, %entry ], [ %to, %loop ]",
			"%x = load i32, ptr %p\n%next = add i32 %s, %x\n%link = getelementptr i8, ptr %p, i64 8\n%c = icmp slt i32 %s, 0\n%a = load ptr, ptr %link\n%to = select i1 %c, ptr %a, ptr %p\n%done = icmp eq ptr %a, null", "type of the state"},
		{"a place in a table that the state is", "%p = phi ptr [ %list, %entry ], [ %to, %loop ]\n%i = phi i64 [ 0, %entry ], [ %j, %loop ]",
			"%x = load i32, ptr %p\n%next = add i32 %s, %x\n%w = zext i32 %next to i64\n%to = getelementptr i32, ptr %list, i64 %w\n%j = add i64 %i, 1\n%done = icmp eq i64 %j, %n", "type of the state"},
		{"a pointer that has no value", "%p = phi ptr [ %list, %entry ], [ undef, %loop ]\n%i = phi i64 [ 0, %entry ], [ %j, %loop ]",
			"%x = load i32, ptr %p\n%next = add i32 %s, %x\n%j = add i64 %i, 1\n%done = icmp eq i64 %j, %n", "type of the state"},
		{"a pointer alone", "%p = phi ptr [ %list, %entry ], [ %to, %loop ]",
			"%next = load i32, ptr %p\n%link = getelementptr i8, ptr %p, i64 8\n%to = load ptr, ptr %link\n%done = icmp eq ptr %to, null", "type of the state"},
	} {
		state := "%s = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
		if test.name == "a pointer alone" {
			state = ""
		}
		m, err := Parse("f.ll", "define i32 @f(ptr %list, ptr %more, i64 %n) {\nentry:\nbr label %loop\n\nloop:\n"+state+test.phis+"\n"+test.body+
			"\nbr i1 %done, label %exit, label %loop\n\nexit:\nret i32 %next\n}\n")
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		l := m.Loops()[0]
		got := ""
		if l.Update != nil {
			got = ir.Strings(l.Update.Values)
		} else {
			got = l.Obstacles[0].Kind
		}
		if got != test.want {
			t.Errorf("%s: %s, not %s", test.name, got, test.want)
		}
	}
}

// TestEnds has loops whose steps branch on the state: the end does not depend on it unless a branch leads past the end.
func TestEnds(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"a branch that joins again before the end", "%c = icmp slt i32 %s, 0\nbr i1 %c, label %x, label %y\n\nx:\nbr label %y\n\ny:\n%next = phi i32 [ %a, %x ], [ %s, %loop ]", ""},
		{"an end in an arm that the state chooses", "%c = icmp slt i32 %s, 0\nbr i1 %c, label %x, label %y\n\nx:\n%b = icmp eq i32 %a, 7\nbr i1 %b, label %exit, label %y\n\ny:\n%next = add i32 %s, %a", "end that depends on the state"},
		{"an end in an arm that an input chooses", "%next = add i32 %s, %a\n%c = icmp slt i32 %a, 0\nbr i1 %c, label %x, label %y\n\nx:\n%b = icmp eq i32 %a, -7\nbr i1 %b, label %exit, label %y\n\ny:", ""},
	} {
		l := loopOf(t, "i32", test.body, "")
		got := ""
		if len(l.Obstacles) > 0 {
			got = l.Obstacles[0].Kind
		}
		if got != test.want {
			t.Errorf("%s: obstacle %q, not %q", test.name, got, test.want)
		}
	}
}
