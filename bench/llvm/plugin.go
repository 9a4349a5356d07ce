package llvm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/save"
)

// one is a file of one loop, whose compilation waits for the first answer of the library.
const one = "int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n"

// Plugin times compilations with the plug-in of examples/clang.
var Plugin = &command.Command{
	Name:  "llvm-plugin",
	About: "times clang -O3 with the plug-in of examples/clang and without it",
	Doc: `Both the library and the plug-in are built first. Columns: the file, where one.c is a sum alone; medians of the processor time without and with the
plug-in, and of the time that passes without and with it; the ratio of the former. All remarks of the plug-in are asked for: it does nothing where none is.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		clang := f.String("clang", "clang", "the compiler, a `NAME` or path; clang++ beside it builds the plug-in")
		config := f.String("llvm-config", "llvm-config-14", "the `NAME` or path of llvm-config of the same version")
		runs := f.Int("runs", 9, "compile each `N` times both ways, by turns")
		return func(c *command.Call) error {
			dir, err := os.MkdirTemp("", "plugin")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			p := &plugin{Call: c, clang: *clang, dir: dir}
			if err := p.build(*config); err != nil {
				return err
			}
			alone := filepath.Join(dir, "one.c")
			if err := save.Text(alone, []byte(one)); err != nil {
				return err
			}
			fmt.Fprintln(c.Stdout, "file\tprocessor_ms\twith_plugin\telapsed_ms\twith_plugin\tratio")
			for _, file := range []string{alone, kernels} {
				if err := p.row(file, *runs); err != nil {
					return err
				}
			}
			return nil
		}
	},
}

type plugin struct {
	*command.Call
	clang, dir string
}

func (p *plugin) run(dir, name string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(p.Context, name, args...)
	cmd.Dir, cmd.Stderr = dir, p.Stderr
	cmd.Env = append(os.Environ(), "RFACTOR_LIBRARY="+filepath.Join(p.dir, "librfactor.so"))
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cmd, nil
}

func (p *plugin) build(config string) error {
	flags, err := exec.CommandContext(p.Context, config, "--cxxflags").Output()
	if err != nil {
		return fmt.Errorf("%s: %w", config, err)
	}
	if _, err := p.run("cmd/librfactor", "go", "build", "-buildmode=c-shared", "-o", filepath.Join(p.dir, "librfactor.so"), "."); err != nil {
		return err
	}
	args := append([]string{"-fPIC", "-shared", "-fno-rtti"}, strings.Fields(string(flags))...)
	_, err = p.run("examples/clang", strings.Replace(p.clang, "clang", "clang++", 1), append(args, "plugin.cpp", "-o", filepath.Join(p.dir, "plugin.so"))...)
	return err
}

// row prints the medians of runs, without the plug-in and with it.
func (p *plugin) row(file string, runs int) error {
	var processor, elapsed [2][]float64
	for range runs {
		for i, more := range [][]string{nil, {"-fpass-plugin=" + filepath.Join(p.dir, "plugin.so"), "-fsave-optimization-record", "-foptimization-record-passes=rfactor", "-foptimization-record-file=" + os.DevNull}} {
			start := time.Now()
			cmd, err := p.run("", p.clang, append(more, "-w", "-O3", "-c", "-o", os.DevNull, file)...)
			if err != nil {
				return err
			}
			elapsed[i] = append(elapsed[i], ms(time.Since(start)))
			processor[i] = append(processor[i], ms(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
		}
	}
	without, with := median(processor[0]), median(processor[1])
	_, err := fmt.Fprintf(p.Stdout, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f\n", filepath.Base(file), without, with, median(elapsed[0]), median(elapsed[1]), with/without)
	return err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}
