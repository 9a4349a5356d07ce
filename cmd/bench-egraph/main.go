// Bench-egraph measures package egraph on the reference workloads and prints a
// table as tab-separated values. Each workload runs in a process of its own and
// must reach the expected counts, or the command fails.
//
// wall_s is the best of as many passes as fit a second, from adding the first
// term to the end of the run, user_s the processor time of that pass in all
// threads, peak_mb the largest resident size of the process.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

const header = "workload\titerations\tenodes\tclasses\twall_s\tuser_s\tpeak_mb\tthreads\tproofs"

func main() { os.Exit(doMain(os.Args[1:], os.Stdout, os.Stderr)) }

func doMain(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench-egraph", flag.ContinueOnError)
	flags.SetOutput(stderr)
	proofs := flags.String("proofs", "both", "record proofs: 0, 1 or both")
	only := flags.String("only", "", "comma-separated names of the workloads to run; empty for all")
	child := flags.String("child", "", "measure one workload in this process (used by the command itself)")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *child != "" {
		return runChild(*child, *proofs == "1", stdout, stderr)
	}
	modes := []string{"0", "1"}
	if *proofs != "both" {
		modes = []string{*proofs}
	}
	fmt.Fprintln(stdout, header)
	status := 0
	for _, w := range list {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), w.name) {
			continue
		}
		for _, mode := range modes {
			fmt.Fprintf(stderr, "%s, proofs %s\n", w.name, mode)
			if err := spawn(w.name, mode, stdout, stderr); err != nil {
				fmt.Fprintf(stderr, "%s: %v\n", w.name, err)
				status = 1
			}
		}
	}
	return status
}

// spawn measures a workload in a fresh process, so that no memory is warm and
// the peak is its own.
func spawn(name, proofs string, stdout, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "-child", name, "-proofs", proofs)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd.Run()
}

func runChild(name string, proofs bool, stdout, stderr io.Writer) int {
	i := slices.IndexFunc(list, func(w workload) bool { return w.name == name })
	if i < 0 {
		fmt.Fprintf(stderr, "unknown workload %q\n", name)
		return 2
	}
	r, err := list[i].measure(proofs)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	digit := 0
	if proofs {
		digit = 1
	}
	fmt.Fprintf(stdout, "%s\t%d\t%d\t%d\t%.4f\t%.4f\t%.1f\t1\t%d\n", name, r.iterations, r.nodes, r.classes,
		r.wall.Seconds(), r.user.Seconds(), float64(r.peak)/(1<<20), digit)
	return 0
}
