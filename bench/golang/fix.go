package golang

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/internal/save"
)

// Fix measures loops beside the parallel calls that replace them.
var Fix = &command.Command{
	Name:  "golang-fix",
	About: "replaces loops of a module by parallel calls, in a copy, runs its tests, and measures both",
	Doc: `It runs the packages' tests and those that were written, and prints what the loops and the calls take at least on slices of 2^20 elements, and the least
speed-up of those on 1, 2^5, 2^10, 2^15, 2^17, 2^18, 2^19 and 2^20 elements.
The assumptions that an answer needs are granted at the loop first. The module comes from the module proxy.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		module := f.String("module", "gonum.org/v1/gonum@v0.17.0", "the module with its version")
		list := f.String("packages", "./floats", "folders of packages, separated by commas")
		count := f.Int("count", 9, "how often each loop and each call is measured, by turns")
		return func(c *command.Call) error {
			return fix(c.Context, *module, strings.Split(*list, ","), *count, c.Stdout, c.Stderr)
		}
	},
}

func fix(ctx context.Context, module string, packages []string, count int, stdout, stderr io.Writer) error {
	dir, err := copyOf(ctx, module)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	granted, err := inspect(ctx, dir, packages)
	if err != nil {
		return err
	}
	if err := grant(granted); err != nil {
		return err
	}
	findings, err := inspect(ctx, dir, packages)
	if err != nil {
		return err
	}
	changes, err := golang.SettleFixes(ctx, dir, findings, true)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := os.MkdirAll(filepath.Dir(c.File), 0o755); err != nil {
			return err
		}
		if err := save.Text(c.File, c.After); err != nil {
			return err
		}
	}
	replaced := map[string]*golang.Finding{}
	for _, f := range findings {
		if f.HasFix() {
			replaced[strings.TrimPrefix(f.Benchmark(), "Benchmark")] = f
		}
	}
	fmt.Fprintf(stderr, "%d loops replaced in %s\n", len(replaced), strings.Join(packages, " "))
	out, err := run(ctx, dir, "go", append([]string{"test"}, packages...)...)
	fmt.Fprint(stderr, out)
	if err != nil {
		return fmt.Errorf("the tests fail: %w", err)
	}
	out, err = run(ctx, dir, "go", append([]string{"test", "-run", "^$", "-bench", "^BenchmarkRfactor", "-benchtime", "50ms", "-count", strconv.Itoa(count)}, packages...)...)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	printTimes(stdout, dir, out, replaced)
	return nil
}

func run(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// copyOf copies a module from the module cache into a new folder.
func copyOf(ctx context.Context, module string) (dir string, err error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	var is struct{ Dir string }
	if err := json.Unmarshal(out, &is); err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "bench-golang-fix"); err != nil {
		return "", err
	}
	return dir, filepath.WalkDir(is.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, strings.TrimPrefix(path, is.Dir))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return save.Text(to, text)
	})
}

func inspect(ctx context.Context, dir string, patterns []string) (all []*golang.Finding, err error) {
	packages, problems, err := golang.Load(ctx, dir, false, patterns...)
	if err != nil || len(problems) > 0 {
		return nil, fmt.Errorf("%v %v", err, problems)
	}
	var in golang.Inspector
	for _, p := range packages {
		findings, _, err := in.Inspect(ctx, p)
		if err != nil {
			return nil, err
		}
		all = append(all, findings...)
	}
	return all, nil
}

// grant writes the comment that a loop lacks above it.
func grant(findings []*golang.Finding) error {
	lines := map[string][]int{}
	for _, f := range findings {
		if strings.Contains(f.Fix, "that takes //rfactor:assume") {
			lines[f.Pos.Filename] = append(lines[f.Pos.Filename], f.Pos.Line)
		}
	}
	for name, numbers := range lines {
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := strings.Split(string(source), "\n")
		slices.Sort(numbers)
		for _, n := range slices.Backward(numbers) {
			line := text[n-1]
			indent := line[:len(line)-len(strings.TrimLeft(line, "\t"))]
			text = slices.Insert(text, n-1, indent+"//rfactor:assume reassoc,nnan,nsz")
		}
		if err := save.Text(name, []byte(strings.Join(text, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

var timing = regexp.MustCompile(`^Benchmark(\w+)/(\d+)/(serial|called)\S*\s+\d+\s+([\d.]+) ns/op`)

// times are the nanoseconds that the loops and the calls took, by size.
type times map[int]map[string][]float64

// ratio is how much longer the loop takes than the call, by the shortest times of each; 0 where it was not measured.
func (t times) ratio(n int) float64 {
	if len(t[n]["serial"]) == 0 || len(t[n]["called"]) == 0 {
		return 0
	}
	return slices.Min(t[n]["serial"]) / slices.Min(t[n]["called"])
}

// least is the size at which the call gains least, or loses most.
func (t times) least() (at int) {
	for _, n := range slices.Sorted(maps.Keys(t)) {
		if at == 0 || t.ratio(n) < t.ratio(at) {
			at = n
		}
	}
	return at
}

// longest is the size of the slices of which times are printed.
const longest = 1 << 20

// printTimes prints the shortest time of each loop and of its call on long slices, and the size at which the call gains least.
func printTimes(w io.Writer, dir, out string, replaced map[string]*golang.Finding) {
	all := map[string]times{}
	var names []string
	for line := range strings.Lines(out) {
		m := timing.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		ns, _ := strconv.ParseFloat(m[4], 64)
		if all[m[1]] == nil {
			all[m[1]] = times{}
			names = append(names, m[1])
		}
		if all[m[1]][n] == nil {
			all[m[1]][n] = map[string][]float64{}
		}
		all[m[1]][n][m[3]] = append(all[m[1]][n][m[3]], ns)
	}
	fmt.Fprintln(w, "function\tloop\toperator\tunder\tserial µs\tcalled µs\tspeed-up\tleast\tof elements")
	for _, name := range names {
		f, t := replaced[name], all[name]
		if f == nil || t.ratio(longest) == 0 {
			continue
		}
		place, _ := filepath.Rel(dir, f.Pos.Filename)
		fmt.Fprintf(w, "%s\t%s:%d\t%s\t%s\t%.0f\t%.0f\t%.1f\t%.2f\t%d\n", f.Func, place, f.Pos.Line, strings.Join(f.Names, ", "), strings.Join(f.Assumes, ", "),
			slices.Min(t[longest]["serial"])/1000, slices.Min(t[longest]["called"])/1000, t.ratio(longest), t.ratio(t.least()), t.least())
	}
}
