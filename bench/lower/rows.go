package lower

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/emitted"
	"github.com/rfactor-go/rfactor/internal/save"
)

// config is a number of elements, and of goroutines or threads.
type config struct{ n, procs int }

// configs are all sizes on all numbers of goroutines.
func (o *options) configs() (out []config) {
	for _, n := range o.sizes {
		for _, p := range o.procs {
			out = append(out, config{n, p})
		}
	}
	return out
}

// timed is what a racer takes for a call, in microseconds.
type timed struct{ cpu, wall float64 }

// compareRows times the programs beside Halide's versions of them, by turns.
func compareRows(ctx context.Context, o *options, configs []config, turns int, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "bench-rows")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rs, err := readAll(o)
	if err != nil {
		return err
	}
	if rs, err = emit(ctx, o, rs, dir, stderr); err != nil {
		return err
	}
	columns, err := sharedFolder()
	if err != nil {
		return err
	}
	defer os.RemoveAll(columns)
	own := &racer{path: filepath.Join(dir, "run"), args: []string{"-serve", columns}}
	if err := emitted.Build(ctx, dir, own.path, emitted.Vectors); err != nil {
		return err
	}
	peer := &racer{args: []string{columns}}
	if peer.path, err = buildRows(ctx, rs, configs, filepath.Join(dir, "halide"), stderr); err != nil {
		return err
	}
	for _, r := range []*racer{own, peer} {
		stop, err := r.start(ctx)
		if err != nil {
			return err
		}
		defer stop()
	}
	fmt.Fprintln(stdout, "reduction\tn\tgoroutines\tus\thalide_us\tratio\tcpu_us\thalide_cpu_us\tcpu_ratio\thalide_schedule")
	for _, r := range rs {
		for _, c := range configs {
			line := fmt.Sprintf("%s %d %d", r.name, c.n, c.procs)
			ours, theirs, how, err := race(own, peer, line, turns)
			if err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
			known := how != ""
			fmt.Fprintf(stdout, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.name, c.n, c.procs, number(ours.wall, true), number(theirs.wall, known), number(theirs.wall/ours.wall, known),
				number(ours.cpu, true), number(theirs.cpu, known), number(theirs.cpu/ours.cpu, known), how)
		}
	}
	return nil
}

// sharedFolder is a new folder for the arrays, which both racers map: both read the same pages. It lies in memory where there is such a place.
func sharedFolder() (string, error) {
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err == nil {
		return os.MkdirTemp(memory, "bench-rows")
	}
	return os.MkdirTemp("", "bench-rows")
}

// race is the medians of two racers, and how the second one is scheduled: "" where it has no version. A
// turn is as many calls as take some 10 ms.
func race(own, peer *racer, line string, turns int) (ours, theirs timed, how string, err error) {
	var times [2][]timed
	repeats := [2]int{1, 1}
	for turn := 0; turn < turns; {
		ready := true
		for i, r := range []*racer{own, peer} {
			text, err := r.Answer(line, repeats[i])
			if err != nil {
				return ours, theirs, "", err
			}
			if text == "" {
				continue
			}
			var t timed
			if _, err := fmt.Sscan(text, &t.cpu, &t.wall); err != nil {
				return ours, theirs, "", fmt.Errorf("unexpected answer %q", text)
			}
			if i == 1 {
				how = strings.Join(strings.Fields(text)[2:], " ")
			}
			if t.wall < 1e7 && len(times[i]) == 0 {
				repeats[i] *= 2
				ready = false
				continue
			}
			unit := 1000 * float64(repeats[i])
			times[i] = append(times[i], timed{t.cpu / unit, t.wall / unit})
		}
		if ready {
			turn++
		}
	}
	return medians(times[0]), medians(times[1]), how, nil
}

// medians is zero where nothing was timed.
func medians(all []timed) timed {
	var cpu, wall []float64
	for _, t := range all {
		cpu, wall = append(cpu, t.cpu), append(wall, t.wall)
	}
	if len(all) == 0 {
		return timed{}
	}
	slices.Sort(cpu)
	slices.Sort(wall)
	return timed{cpu[len(cpu)/2], wall[len(wall)/2]}
}

// buildRows builds what writes Halide's versions, lets it write them, and builds what times them.
func buildRows(ctx context.Context, rs []*reduction, configs []config, dir string, stderr io.Writer) (string, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", err
	}
	for _, name := range []string{"rows.cpp", "rows_time.cpp"} {
		text, err := peerFiles.ReadFile("peers/" + name)
		if err != nil {
			return "", err
		}
		if err := save.Text(filepath.Join(dir, name), text); err != nil {
			return "", err
		}
	}
	versions := []string{"./write", "."}
	for _, r := range rs {
		for _, c := range configs {
			versions = append(versions, fmt.Sprintf("%s:%d:%d", r.name, c.n, c.procs))
		}
	}
	fmt.Fprintln(stderr, "building: halide")
	if _, err := inFolder(ctx, dir, stderr, "c++", "-O1", "-std=c++17", "-I/usr/include/halide14", "rows.cpp", "-o", "write", "-lHalide14"); err != nil {
		return "", fmt.Errorf("%w (Debian has libhalide14-0-dev)", err)
	}
	list, err := inFolder(ctx, dir, stderr, versions...)
	if err != nil {
		return "", err
	}
	if err := save.Text(filepath.Join(dir, "rows.inc"), list); err != nil {
		return "", err
	}
	objects, err := filepath.Glob(filepath.Join(dir, "*.o"))
	if err != nil {
		return "", err
	}
	link := append([]string{"c++", "-O1", "-std=c++17", "-I/usr/include/halide14", "-I.", "rows_time.cpp", "-o", "time", "-lpthread", "-ldl"}, objects...)
	_, err = inFolder(ctx, dir, stderr, link...)
	return filepath.Join(dir, "time"), err
}

func inFolder(ctx context.Context, dir string, stderr io.Writer, words ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Stderr = dir, stderr
	return cmd.Output()
}
