package guard_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/ir"
)

func TestCall(t *testing.T) {
	pool := ir.NewPool()
	plain := errors.New("plain")
	var none *int
	for _, c := range []struct {
		f    func() error
		want string // that the error begins with
	}{
		{func() error { return nil }, "<nil>"},
		{func() error { return plain }, "plain"},
		{func() error { ir.Make(ir.Gcd, pool.X(0, ir.I32)); return nil }, "internal: ir: gcd takes 2 operands, not 1, at ir.Make:"},
		{func() error { _ = *none; return nil }, "internal: runtime error: invalid memory address or nil pointer dereference, at guard_test.TestCall"},
	} {
		if got := fmt.Sprint(guard.Call(c.f)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, want %s…", got, c.want)
		}
	}
	err := guard.Call(func() error { panic(plain) })
	if broken := (*guard.Error)(nil); !errors.As(err, &broken) || !errors.Is(err, plain) {
		t.Errorf("%v is no broken invariant that wraps what was thrown", err)
	}
	if thrown := runtime.Error(nil); !errors.As(guard.Call(func() error { _ = *none; return nil }), &thrown) {
		t.Error("the runtime's error is lost")
	}
}
