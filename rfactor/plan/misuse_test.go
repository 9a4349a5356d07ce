package plan

import (
	"context"
	"testing"

	"github.com/rfactor-go/rfactor/ir/program"
)

func TestMisuse(t *testing.T) {
	var none context.Context
	for _, c := range []struct {
		name string
		call func() error
		want string
	}{
		{"no context", func() error { _, err := Factor(none, &program.Program{}, Options{}); return err }, "plan: Factor needs a context and a program"},
		{"no program", func() error { _, err := Factor(context.Background(), nil, Options{}); return err }, "plan: Factor needs a context and a program"},
		{"serial without program", func() error { _, err := RunSerial(nil, Options{}, &Inputs{}); return err }, "plan: RunSerial needs a program"},
		{"empty plan", func() error { _, err := (&Plan{}).Run(&Inputs{}, 0); return err }, "plan: Run needs a plan that Factor made, and inputs"},
		{"check nothing", func() error { return (*Inputs)(nil).Check(&program.Program{}) }, "plan: Check needs inputs and a program"},
		{"check against nothing", func() error { return (&Inputs{}).Check(nil) }, "plan: Check needs inputs and a program"},
		{"no inputs", func() error { _, err := (&Plan{Program: &program.Program{}}).Run(nil, 0); return err }, "plan: Run needs a plan that Factor made, and inputs"},
	} {
		if err := c.call(); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
	}
}
