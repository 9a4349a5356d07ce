// Package llvm measures what the reader of LLVM IR finds, beside what clang vectorizes.
package llvm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm"
	"github.com/rfactor-go/rfactor/rfactor"
)

// kernels are measured where no files are named.
const kernels = "bench/llvm/testdata/kernels.c"

// Command counts the loops of C and of IR that are read and answered.
var Command = &command.Command{
	Name:  "llvm",
	About: "counts the loops of C files and of textual IR that are read and answered, and that clang vectorizes",
	Doc: `Columns: files; flags that clang had; loops with no loop within that carry a value; of them those that are read, those that are answered under what
their flags allow, and those that are answered if reassoc, nnan and nsz are allowed besides; functions with an answer of the former kind; functions in
which clang -O3 vectorizes a loop, by its remarks; and functions with an answer where it vectorizes none.
A FOLDER stands for all its files that end in .ll, such as llvm/test/Transforms/LoopVectorize of a copy of LLVM. Failed are files
that are not read, and those that are of another version than clang, of which all but the last columns count. Without arguments the kernels of ` + kernels + ` are compiled twice, strict and with -ffast-math.`,
	Args: "[FILE|FOLDER …]",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		clang := f.String("clang", "clang", "the compiler, a `NAME` or path")
		obstacles := f.Bool("obstacles", false, "print each loop that is not answered, and why, instead of the counts")
		return func(c *command.Call) error {
			b := &bench{Call: c, clang: *clang, obstacles: *obstacles}
			if b.obstacles {
				fmt.Fprintln(c.Stdout, "file\tfunction\tline\twhy")
			} else {
				fmt.Fprintln(c.Stdout, "files\tflags\tfailed\tloops\tread\tanswered\twith_reassoc\tfunctions\tvectorized\tmissed")
			}
			if len(c.Args) == 0 {
				return errors.Join(b.count([]string{kernels}, ""), b.count([]string{kernels}, "-ffast-math"))
			}
			for _, arg := range c.Args {
				files, err := filesOf(arg)
				if err == nil {
					err = b.count(files, "")
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
	},
}

// filesOf returns a file itself, or those of a folder that hold IR.
func filesOf(name string) (files []string, err error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return []string{name}, err
	}
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".ll" {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

type bench struct {
	*command.Call
	clang     string
	obstacles bool
}

// counts are those of one row.
type counts struct{ failed, loops, read, answered, reassociated, functions, vectorized, missed int }

// count prints a row of what files have together.
func (b *bench) count(files []string, flags string) error {
	var sum counts
	for _, file := range files {
		if err := b.add(&sum, file, flags); err != nil {
			if b.Context.Err() != nil || len(files) == 1 {
				return fmt.Errorf("%s: %w", file, err)
			}
			fmt.Fprintf(b.Stderr, "%s: %v\n", file, err)
			sum.failed++
		}
	}
	if !b.obstacles {
		name := filepath.Base(files[0])
		if len(files) > 1 {
			name = fmt.Sprint(len(files))
		}
		fmt.Fprintf(b.Stdout, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", name, strings.TrimSpace(flags), sum.failed,
			sum.loops, sum.read, sum.answered, sum.reassociated, sum.functions, sum.vectorized, sum.missed)
	}
	return nil
}

func (b *bench) add(sum *counts, file, flags string) error {
	text, err := b.source(file, flags)
	if err != nil {
		return err
	}
	m, err := llvm.Parse(file, text)
	if err != nil {
		return err
	}
	answered := map[string]bool{} // functions
	for _, l := range m.Loops() {
		if kind := first(l.Obstacles); kind == "nested loop" || kind == "no state" {
			continue
		}
		sum.loops++
		if l.Update != nil {
			sum.read++
		}
		ok, why, err := answer(b.Context, l, 0)
		if err != nil {
			return err
		}
		if ok {
			sum.answered++
			answered[l.Func] = true
		} else if b.obstacles {
			fmt.Fprintf(b.Stdout, "%s\t%s\t%d\t%s\n", filepath.Base(file), l.Func, l.Source.Line, why)
		}
		if !ok {
			if ok, _, err = answer(b.Context, l, ir.Reassoc|ir.NNaN|ir.NSZ); err != nil {
				return err
			}
		}
		if ok {
			sum.reassociated++
		}
	}
	if b.obstacles {
		return nil
	}
	vectorized, err := b.vectorized(file, flags)
	if err != nil {
		return err
	}
	sum.functions += len(answered)
	sum.vectorized += len(vectorized)
	for name := range answered {
		if !vectorized[name] {
			sum.missed++
		}
	}
	return nil
}

// answer reports whether a loop is answered, and why it is not.
func answer(ctx context.Context, l *llvm.Loop, allowed ir.Assume) (ok bool, why string, err error) {
	if l.Update == nil {
		return false, first(l.Obstacles), nil
	}
	a, err := l.Match(ctx, rfactor.Options{Allowed: allowed})
	if err != nil {
		return false, "", err
	}
	return a.Status != rfactor.Refused, a.Reason, nil
}

func first(obstacles []llvm.Obstacle) string {
	if len(obstacles) == 0 {
		return ""
	}
	return obstacles[0].Kind
}

// source returns the IR of a file: what it holds, or what clang makes of C before it vectorizes and unrolls.
func (b *bench) source(file, flags string) (string, error) {
	if filepath.Ext(file) == ".ll" {
		text, err := os.ReadFile(file)
		return string(text), err
	}
	return b.compile(file, flags, "-O1", "-fno-vectorize", "-fno-unroll-loops", "-g", "-S", "-emit-llvm", "-o", "-")
}

// compile runs clang, and returns what it prints.
func (b *bench) compile(file, flags string, args ...string) (string, error) {
	args = append(append(args, strings.Fields(flags)...), "-w", file)
	cmd := exec.CommandContext(b.Context, b.clang, args...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		line, _, _ := strings.Cut(problems.String(), "\n")
		return "", fmt.Errorf("%s: %w: %s", b.clang, err, line)
	}
	return string(out), nil
}

var vectorizedIn = regexp.MustCompile(`(?m)^--- !Passed\nPass: +loop-vectorize\nName: +Vectorized\n(?:DebugLoc:[^}]*\}\n)?Function: +'?([^'\n]+)`)

// vectorized returns the functions of which clang -O3 vectorizes a loop, as its record of optimizations tells.
func (b *bench) vectorized(file, flags string) (map[string]bool, error) {
	record, err := os.CreateTemp("", "remarks*.yaml")
	if err != nil {
		return nil, err
	}
	defer os.Remove(record.Name())
	defer record.Close()
	if _, err := b.compile(file, flags, "-O3", "-fsave-optimization-record", "-foptimization-record-file="+record.Name(), "-c", "-o", os.DevNull); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(record)
	names := map[string]bool{}
	for _, m := range vectorizedIn.FindAllStringSubmatch(string(text), -1) {
		names[m[1]] = true
	}
	return names, err
}
