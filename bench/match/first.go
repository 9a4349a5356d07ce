package match

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

// First measures the first match of a process.
var First = &command.Command{
	Name:  "first",
	About: "measures the first match of a process: rfactor match of an update, process and all",
	Doc: `process_ms is the processor time of the whole command, match_ms the time by the clock that the match itself reports; both are medians of
-runs processes. What rfactor help takes is the first row: it matches nothing.`,
	Args: "[UPDATE…]   (three, of a sum, a minimum with its index, and a lift)",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		runs := f.Int("runs", 15, "how many processes match each update")
		return func(c *command.Call) error {
			updates := c.Args
			if len(updates) == 0 {
				updates = []string{
					"f() = select(in(r) > 9, f() + 1, f())",
					"f() = {min(f()[0], in(r)), select(in(r) < f()[0], r, f()[1])}",
					"f() = f()*a(r) + b(r)",
				}
			}
			if *runs < 1 {
				return command.Usage("-runs is less than 1")
			}
			return measureFirst(c, updates, *runs)
		}
	},
}

func measureFirst(c *command.Call, updates []string, runs int) error {
	dir, err := os.MkdirTemp("", "bench-first")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "rfactor")
	if out, err := exec.CommandContext(c.Context, "go", "build", "-o", program, "./cmd/rfactor").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	fmt.Fprintln(c.Stdout, "update\tstatus\truns\tprocess_ms\tprocess_least_ms\tmatch_ms")
	for i := range len(updates) + 1 {
		name, args := "help", []string{"help"}
		if i > 0 {
			name, args = updates[i-1], []string{"match", "-json", updates[i-1]}
		}
		var process, match []time.Duration
		var answer struct {
			Status string
			Micros float64
		}
		for range runs {
			run := exec.CommandContext(c.Context, program, args...)
			out, err := run.Output()
			if run.ProcessState == nil || run.ProcessState.ExitCode() > 1 {
				return fmt.Errorf("%s: %w", name, err)
			}
			if i > 0 {
				if err := json.Unmarshal(out, &answer); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			process = append(process, run.ProcessState.UserTime()+run.ProcessState.SystemTime())
			match = append(match, time.Duration(answer.Micros*1000))
		}
		slices.Sort(process)
		slices.Sort(match)
		fmt.Fprintf(c.Stdout, "%s\t%s\t%d\t%.1f\t%.1f\t%.1f\n", name, answer.Status, runs, micros(percentile(process, 50))/1000, micros(process[0])/1000, micros(percentile(match, 50))/1000)
	}
	return nil
}
