// Package egraph measures the package of that name on the reference workloads. Each workload runs in a process of its own, on
// one thread or as many as -threads says, and must reach the expected counts, or the command fails.
//
// cpu_ms is the processor time of the best of five passes, or of as many as fit
// 20 s (column passes), from making the graph to the end of the run; wall_ms the
// time that pass took, longer if the machine was busy with other work. All ratios
// are of cpu_ms, on several threads of wall_ms. peak_mb is
// the largest resident size of the process in its first pass. x_plain, of rows
// with proofs, is the time over that of the row without. egg_ms is what egg 0.11
// took, scaled to this machine by the rows above the workloads (there the column
// is what the machine of egg's figures took, not scaled); x_egg is egg_ms over
// cpu_ms: how many times as fast as egg.
package egraph

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

const threadsUsage = "run workloads on `N` threads; of several, passes and ratios go by wall_ms"

const header = "workload\tproofs\titerations\tenodes\tclasses\tpasses\twall_ms\tcpu_ms\tpeak_mb\tx_plain\tegg_ms\tegg_mb\tx_egg"

// Command measures package egraph on the reference workloads.
var Command = &command.Command{
	Name:  "egraph",
	About: "measures package egraph on the reference workloads, beside scaled times of egg",
	Doc: `cpu_ms is the processor time of the best of the passes, x_plain the time with proofs over that without, egg_ms what egg 0.11 took,
scaled to this machine, and x_egg how many times as fast as egg.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		only := f.String("only", "", "comma-separated names of the workloads to run; empty for all")
		threads := f.Int("threads", 1, threadsUsage)
		child := f.String("child", "", "measure one workload in this process (used by the command itself)")
		proofs := f.Bool("proofs", false, "with -child: record proofs")
		once := f.Bool("once", false, "with -child: make one pass")
		return func(c *command.Call) error {
			if *child != "" {
				r, err := measure(*child, *proofs, *once)
				if err == nil {
					fmt.Fprintln(c.Stdout, r.iterations, r.nodes, r.classes, r.passes, int64(r.wall), int64(r.cpu), r.peak)
				}
				return err
			}
			if *threads < 1 {
				return command.Usage("-threads is less than 1")
			}
			b := bench{stdout: c.Stdout, stderr: c.Stderr, threads: *threads}
			fmt.Fprintln(c.Stdout, header)
			b.calibrate()
			for i := range list {
				if *only == "" || slices.Contains(strings.Split(*only, ","), list[i].name) {
					b.row(&list[i])
				}
			}
			if b.failed {
				return command.ErrFailed
			}
			return nil
		}
	},
}

type bench struct {
	stdout, stderr io.Writer
	threads        int
	scale          float64 // of egg's times to this machine
	failed         bool
}

// calibrate measures how fast the machine is, beside the machine of egg's figures.
func (b *bench) calibrate() {
	product := 1.0
	for _, c := range calibrations {
		fmt.Fprintln(b.stderr, c.name)
		r, err := spawn(c.name, false, 1, b.stderr)
		if err != nil {
			b.fail(c.name, err)
			return
		}
		product *= r.time().Seconds() / c.egg.Seconds()
		fmt.Fprintf(b.stdout, "%s\t\t\t\t\t%d\t%s\t%s\t\t\t%s\t\t%.2f\n", c.name, c.passes, millis(r.wall), millis(r.cpu), millis(c.egg), c.egg.Seconds()/r.time().Seconds())
	}
	b.scale = math.Pow(product, 1/float64(len(calibrations)))
}

// row measures a workload, without proofs and with.
func (b *bench) row(w *workload) {
	var plain time.Duration
	for i, proofs := range []bool{false, true} {
		if proofs && w.plain {
			return
		}
		fmt.Fprintf(b.stderr, "%s, proofs %v\n", w.name, proofs)
		r, err := spawn(w.name, proofs, b.threads, b.stderr)
		if err != nil {
			b.fail(w.name, err)
			return
		}
		ratio, egg, eggMB, speed := "", "", "", ""
		if proofs {
			ratio = fmt.Sprintf("%.2f", r.time().Seconds()/plain.Seconds())
		}
		plain = r.time()
		if e := w.egg[i]; e.wall > 0 && b.scale > 0 {
			scaled := time.Duration(float64(e.wall) * b.scale)
			egg, speed = millis(scaled), fmt.Sprintf("%.2f", scaled.Seconds()/r.time().Seconds())
			if e.mb > 0 {
				eggMB = fmt.Sprint(e.mb)
			}
		}
		fmt.Fprintf(b.stdout, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%.1f\t%s\t%s\t%s\t%s\n", w.name, i, r.iterations, r.nodes, r.classes,
			r.passes, millis(r.wall), millis(r.cpu), float64(r.peak)/(1<<20), ratio, egg, eggMB, speed)
	}
}

func (b *bench) fail(name string, err error) {
	fmt.Fprintf(b.stderr, "%s: %v\n", name, err)
	b.failed = true
}

// millis prints milliseconds, with more digits where they are few.
func millis(d time.Duration) string {
	ms := float64(d.Nanoseconds()) / 1e6
	if ms < 1 {
		return fmt.Sprintf("%.5f", ms)
	}
	return fmt.Sprintf("%.1f", ms)
}

// spawn measures a workload in a fresh process, so that no memory is warm and
// the peak is its own.
func spawn(name string, proofs bool, threads int, stderr io.Writer, flags ...string) (result, error) {
	self, err := os.Executable()
	if err != nil {
		return result{}, err
	}
	var out bytes.Buffer
	cmd := exec.Command(self, append([]string{"egraph", "-child", name, fmt.Sprintf("-proofs=%v", proofs)}, flags...)...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", threads))
	cmd.Stdout, cmd.Stderr = &out, stderr
	if err := cmd.Run(); err != nil {
		return result{}, err
	}
	r := result{threads: threads}
	_, err = fmt.Fscan(&out, &r.iterations, &r.nodes, &r.classes, &r.passes, &r.wall, &r.cpu, &r.peak)
	return r, err
}

func measure(name string, proofs, once bool) (result, error) {
	for i, c := range calibrations {
		if c.name == name {
			return calibrate(i), nil
		}
	}
	for i := range list {
		if list[i].name == name {
			return list[i].measure(proofs, once)
		}
	}
	return result{}, fmt.Errorf("unknown workload %q", name)
}
