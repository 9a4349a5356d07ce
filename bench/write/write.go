// Package write runs the measurements that a document names and writes their tables into it,
// so that no figure is typed by hand. In the document a measurement looks so:
//
//	<!-- measured: bench match -->
//	… replaced by the table, the machine and the date …
//	<!-- end -->
//
// A command must print tab-separated values with a header line. The first word bench is this program, any other one a
// program on the path. A long series goes to a file of its own, to which the document links:
//
//	<!-- measured: bench lower > testdata/bench/lower.tsv -->
//	<!-- end -->
package write

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/save"
)

// Command measures anew what a document has.
var Command = &command.Command{
	Name:  "write",
	About: "lists the measurements of a document, or with -update measures them anew and writes them into it",
	Doc:   "WORD chooses the commands that contain it, or the one command that it is.",
	Args:  "[WORD]",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		document := f.String("document", "BENCHMARKS.md", "the `FILE`, with paths of series relative to its folder")
		update := f.Update("the document")
		return func(c *command.Call) error {
			only := strings.Join(c.Args, " ")
			if *update {
				return rewrite(c, *document, only)
			}
			return list(c, *document, only)
		}
	},
}

var section = regexp.MustCompile(`(?s)<!-- measured: ([^\n]*?) -->\n.*?<!-- end -->`)

// chosen reports which commands a word chooses in a text.
func chosen(text []byte, only string) func(command string) bool {
	one := bytes.Contains(text, []byte("<!-- measured: "+only+" -->"))
	return func(command string) bool { return command == only || !one && strings.Contains(command, only) }
}

var measuredAt = regexp.MustCompile(`(\d{4}-\d\d-\d\d)[:.]`)

// list prints the commands that a document names, and when they were run.
func list(c *command.Call, document, only string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	is := chosen(text, only)
	fmt.Fprintln(c.Stdout, "command\tmeasured\trows")
	for _, m := range section.FindAllSubmatch(text, -1) {
		if !is(string(m[1])) {
			continue
		}
		date := "never"
		if d := measuredAt.FindSubmatch(m[0]); d != nil {
			date = string(d[1])
		}
		rows := bytes.Count(m[0], []byte("\n|")) - 2
		if _, file := split(string(m[1])); file != "" {
			series, err := os.ReadFile(filepath.Join(filepath.Dir(document), file))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			rows = rowsOf(series)
		}
		fmt.Fprintf(c.Stdout, "%s\t%s\t%d\n", m[1], date, max(rows, 0))
	}
	return nil
}

// split takes a measurement apart: the command, and the file of its series; "" where the document has the table.
func split(measurement string) (command, file string) {
	command, file, _ = strings.Cut(measurement, " > ")
	return command, strings.TrimSpace(file)
}

// rewrite measures anew. Where a command fails the document keeps what it has of that one and of those behind it.
func rewrite(c *command.Call, document, only string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	is := chosen(text, only)
	var failed error
	out := section.ReplaceAllFunc(text, func(old []byte) []byte {
		measurement := string(section.FindSubmatch(old)[1])
		if failed != nil || !is(measurement) {
			return old
		}
		where := machine() // before the command itself is the load
		command, file := split(measurement)
		body, err := measure(c, command, where, filepath.Dir(document), file)
		if err != nil {
			failed = fmt.Errorf("%s: %w", command, err)
			return old
		}
		return fmt.Appendf(nil, "<!-- measured: %s -->\n%s<!-- end -->", measurement, body)
	})
	return errors.Join(save.Text(document, out), failed)
}

// rowsOf counts the rows of a series, below its comments and its header.
func rowsOf(series []byte) (n int) {
	for line := range bytes.Lines(series) {
		if !bytes.HasPrefix(line, []byte("#")) {
			n++
		}
	}
	return n - 1
}

// measure executes a command, and returns its table in Markdown, or a link to the file that it wrote, with the command and where it ran.
func measure(c *command.Call, command, where, folder, file string) ([]byte, error) {
	fmt.Fprintln(c.Stderr, command)
	words := strings.Fields(command)
	if words[0] == "bench" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		words[0] = self
	}
	cmd := exec.CommandContext(c.Context, words[0], words[1:]...)
	cmd.Stderr = c.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	table, err := markdown(string(out))
	switch {
	case err != nil:
		return nil, err
	case file == "":
		return fmt.Appendf(nil, "`%s`, %s:\n\n%s", command, where, table), nil
	}
	if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(file)), 0o777); err != nil {
		return nil, err
	}
	series := fmt.Appendf(nil, "# %s\n# %s\n%s", command, where, out)
	if err := save.Text(filepath.Join(folder, file), series); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "[Series](%s), %d rows: `%s`, %s.\n", file, rowsOf(series), command, where), nil
}

// markdown turns tab-separated values into a table; numbers stand right.
func markdown(tsv string) ([]byte, error) {
	rows := strings.Split(strings.TrimRight(tsv, "\n"), "\n")
	if len(rows) < 2 || !strings.Contains(rows[0], "\t") {
		return nil, fmt.Errorf("it printed no table")
	}
	var b bytes.Buffer
	for i, row := range rows {
		cells := strings.Split(row, "\t")
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			b.WriteString(rule(strings.Split(rows[1], "\t")) + "\n")
		}
	}
	return b.Bytes(), nil
}

var number = regexp.MustCompile(`^-?[0-9.]+$`)

func rule(first []string) string {
	out := "|"
	for _, cell := range first {
		if number.MatchString(cell) {
			out += "---:|"
		} else {
			out += "---|"
		}
	}
	return out
}

// machine says where and when the figures were measured, and how busy the machine was
// with other work.
func machine() string {
	return fmt.Sprintf("%s, %d cores, %s%s %s/%s, %s", processor(), runtime.NumCPU(), load(), runtime.Version(), runtime.GOOS, runtime.GOARCH, time.Now().UTC().Format("2006-01-02"))
}

// load is the load average of the last minute where the system says it.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); len(fields) > 0 {
		return "load " + fields[0] + ", "
	}
	return ""
}

// processor is the processor's name where the system says it.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.SplitSeq(string(info), "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
