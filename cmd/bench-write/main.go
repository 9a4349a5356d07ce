// Bench-write runs the measurements that a document names and writes their tables into it,
// so that no figure is typed by hand. In the document a measurement looks so:
//
//	<!-- measured: make -s bench-match -->
//	… replaced by the table, the machine and the date …
//	<!-- end -->
//
// A command must print tab-separated values with a header line.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

func main() { os.Exit(doMain(os.Args[1:], os.Stderr)) }

func doMain(args []string, stderr io.Writer) int {
	if len(args) < 1 {
		fmt.Fprintln(stderr, "usage: bench-write DOCUMENT.md [WORD]   (WORD: only commands that contain it, or the command that it is)")
		return 2
	}
	only := strings.Join(args[1:], " ")
	if err := rewrite(args[0], only, stderr); err != nil {
		fmt.Fprintln(stderr, "bench-write:", err)
		return 1
	}
	return 0
}

var section = regexp.MustCompile(`(?s)<!-- measured: ([^\n]*?) -->\n.*?<!-- end -->`)

func rewrite(file, only string, stderr io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	one := bytes.Contains(text, []byte("<!-- measured: "+only+" -->"))
	var failed error
	out := section.ReplaceAllFunc(text, func(old []byte) []byte {
		command := string(section.FindSubmatch(old)[1])
		if failed != nil || !strings.Contains(command, only) || one && command != only {
			return old
		}
		where := machine() // before the command itself is the load
		table, err := run(command, stderr)
		if err != nil {
			failed = fmt.Errorf("%s: %w", command, err)
			return old
		}
		return fmt.Appendf(nil, "<!-- measured: %s -->\n`%s`, %s:\n\n%s<!-- end -->", command, command, where, table)
	})
	if failed != nil {
		return failed
	}
	return os.WriteFile(file, out, 0o644)
}

// run executes a command and answers its table in Markdown.
func run(command string, stderr io.Writer) ([]byte, error) {
	fmt.Fprintln(stderr, command)
	words := strings.Fields(command)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stderr = stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return markdown(string(out))
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
