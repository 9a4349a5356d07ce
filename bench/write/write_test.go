package write

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// printer is a command that prints a table: this test knows nothing that prints one everywhere.
func printer(t *testing.T, dir, table string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "table"), []byte("#!/bin/sh\nprintf '"+table+"'\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

const before = `# Times

<!-- measured: table one -->
old
<!-- end -->

<!-- measured: table two > series/two.tsv -->
<!-- end -->

<!-- measured: nothing that there is -->
` + "`nothing`, some machine, 2026-01-02:" + `

| a |
|---|
| 1 |
<!-- end -->
`

// A table is written where its command stands, a series into a file of its own; what fails stays as it was.
func TestWrite(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh")
	}
	dir := t.TempDir()
	printer(t, dir, `name\tn\nx\t7\ny\t-0.5\n`)
	file := filepath.Join(dir, "doc.md")
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if code := Command.Run(t.Context(), []string{"-document", file}, &out, &errs); code != 0 || !strings.Contains(out.String(), "table one\tnever\t0\n") || !strings.Contains(out.String(), "nothing that there is\t2026-01-02\t1\n") {
		t.Errorf("exit code %d, listed:\n%s%s", code, out.String(), errs.String())
	}
	if code := Command.Run(t.Context(), []string{"-document", file, "-update"}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "nothing that there is: ") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile("(`, )[^\n]*\\d{4}-\\d\\d-\\d\\d([:.])").ReplaceAllString(string(text), "${1}HERE${2}")
	want := strings.NewReplacer("old\n", "`table one`, HERE:\n\n| name | n |\n|---|---:|\n| x | 7 |\n| y | -0.5 |\n",
		"two.tsv -->\n", "two.tsv -->\n[Series](series/two.tsv), 2 rows: `table two`, HERE.\n", "some machine, 2026-01-02:", "HERE:").Replace(before)
	if got != want {
		t.Errorf("the document is\n%s\nwant\n%s", got, want)
	}
	if series, err := os.ReadFile(filepath.Join(dir, "series", "two.tsv")); err != nil || !regexp.MustCompile("^# table two\n# .*\nname\tn\nx\t7\ny\t-0.5\n$").Match(series) {
		t.Errorf("the series is %q: %v", series, err)
	}
}

// A word chooses the commands that contain it, or the one that it is.
func TestChosen(t *testing.T) {
	text := []byte("<!-- measured: bench match -->\n<!-- measured: bench match -each x -->\n<!-- measured: bench lower -->\n")
	for only, want := range map[string]string{"": "111", "match": "110", "bench match": "100", "x": "010", "none": "000"} {
		is, got := chosen(text, only), ""
		for _, command := range []string{"bench match", "bench match -each x", "bench lower"} {
			if is(command) {
				got += "1"
			} else {
				got += "0"
			}
		}
		if got != want {
			t.Errorf("%q chooses %s, want %s", only, got, want)
		}
	}
}

func TestNoTable(t *testing.T) {
	if _, err := markdown("a line\n"); err == nil || !strings.Contains(err.Error(), "no table") {
		t.Errorf("a line is a table: %v", err)
	}
}
