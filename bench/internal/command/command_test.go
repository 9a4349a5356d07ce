package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// draw is a command that prints what it was told, and fails as it is told.
var draw = &Command{
	Name:  "draw",
	About: "draws",
	Args:  "[WORD…]",
	Setup: func(f *Flags) func(c *Call) error {
		long, seed := f.Long("all", "some"), f.Seed("words")
		fails := f.String("fails", "", "as `WHAT`")
		return func(c *Call) error {
			fmt.Fprintln(c.Stdout, *long, *seed, f.IsSet("seed"), c.Args)
			return map[string]error{"": nil, "usage": Usage("no such word"), "wrong": ErrFailed, "else": os.ErrInvalid}[*fails]
		}
	},
}

func TestRun(t *testing.T) {
	for _, test := range []struct {
		of        *Command
		args      string
		code      int
		out, errs string
	}{
		{draw, "", 0, "false 1 false []", ""},
		{draw, "-long -seed 7 a b", 0, "true 7 true [a b]", ""},
		{draw, "-fails usage", 2, "", "bench draw: no such word\n\nusage: bench draw [flags] [WORD…]"},
		{draw, "-fails wrong", 1, "false", ""},
		{draw, "-fails else", 1, "false", "bench draw: invalid argument"},
		{draw, "-what", 2, "", "not defined: -what"},
		{draw, "-h", 0, "", "It draws."},
		{draw.Preset("all", "draws all", []string{"-long", "-seed=3"}, []string{"z"}), "", 0, "true 3 false [z]", ""},
		{draw.Preset("all", "draws all", []string{"-long", "-seed=3"}, []string{"z"}), "-seed 4 y", 0, "true 4 true [y]", ""},
		{draw.Preset("all", "draws all", []string{"-long"}, []string{"z"}), "-h", 0, "", "It is `bench draw -long z`"},
	} {
		var out, errs strings.Builder
		code := test.of.Run(t.Context(), strings.Fields(test.args), &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(errs.String(), test.errs) || test.errs == "" && errs.Len() > 0 {
			t.Errorf("%s %s: exit code %d, %q and %q; want %d, %q and %q", test.of.Name, test.args, code, out.String(), errs.String(), test.code, test.out, test.errs)
		}
	}
}

// With -o the table goes to a file, also where something wrong was found; not where the command failed.
func TestOut(t *testing.T) {
	for fails, written := range map[string]bool{"": true, "wrong": true, "else": false} {
		file := filepath.Join(t.TempDir(), "table.tsv")
		var out, errs strings.Builder
		code := draw.Run(t.Context(), []string{"-fails", fails, "-o", file}, &out, &errs)
		text, err := os.ReadFile(file)
		if (err == nil) != written || written && string(text) != "false 1 false []\n" || out.Len() > 0 || (code == 0) != (fails == "") {
			t.Errorf("%q: exit code %d, %q is printed and %q in the file: %v", fails, code, out.String(), text, err)
		}
	}
}
