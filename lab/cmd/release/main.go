// Release builds the files of a release: for each system archives of rfactor, rfactor-go and rfactor-lab, with what they are made
// of as an SBOM, the section of the changelog, and checksums of all. The same commit gives the same bytes in any folder.
//
//	go run -C lab ./cmd/release -root .. -out ../bin/release -version v0.3.0
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/save"
)

// program is a command that is released.
type program struct{ name, module, folder string }

var programs = []program{
	{"rfactor", ".", "./cmd/rfactor"},
	{"rfactor-go", ".", "./cmd/rfactor-go"},
	{"rfactor-lab", "lab", "./cmd/rfactor-lab"},
}

// target is a system that commands are built for.
type target struct{ system, machine string }

const everyTarget = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// release says which version is built, for which systems, and from which tree.
type release struct {
	ctx     context.Context
	root    string // of the tree
	version string
	commit  string
	date    time.Time // of the commit: files in archives have it
	targets []target
	cache   string // the folder of the go command's cache; "" means the usual one
	bar     *cli.Bar
}

func main() {
	root := flag.String("root", ".", "`DIR` of the tree")
	out := flag.String("out", "bin/release", "`DIR` of the files, which is made anew")
	version := flag.String("version", "", "`VERSION` that the commands say they are, such as v0.3.0 (default: what git describe says)")
	targets := flag.String("targets", everyTarget, "`LIST` of systems, such as linux/amd64")
	check := flag.Bool("check", false, "build a second time, from a copy of the tree in another folder and without a cache, and compare")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *root, *out, *version, *targets, *check); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, root, out, version, targets string, check bool) error {
	r := &release{ctx: ctx, version: version}
	var err error
	if r.root, err = filepath.Abs(root); err != nil {
		return err
	}
	if r.targets, err = parseTargets(targets); err != nil {
		return err
	}
	if r.version == "" {
		if r.version, err = r.git("describe", "--tags", "--always", "--dirty"); err != nil {
			return err
		}
	}
	if strings.ContainsAny(r.version, " /\\\"'") {
		return fmt.Errorf("%q is no version", r.version)
	}
	if r.commit, err = r.git("rev-parse", "HEAD"); err != nil {
		return err
	}
	seconds, err := r.git("log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	r.date = time.Unix(n, 0).UTC()
	r.bar = cli.NewBar(os.Stderr, len(r.targets)*len(programs))
	defer r.bar.Clear()
	if err := r.build(out); err != nil {
		return err
	}
	r.bar.Clear()
	if err := r.start(out); err != nil {
		return err
	}
	if check {
		return r.again(out)
	}
	return nil
}

func parseTargets(list string) (all []target, err error) {
	for word := range strings.SplitSeq(list, ",") {
		system, machine, ok := strings.Cut(word, "/")
		if !ok || system == "" || machine == "" {
			return nil, fmt.Errorf("%q is no system: expected one such as linux/amd64", word)
		}
		all = append(all, target{system, machine})
	}
	return all, nil
}

func (r *release) git(args ...string) (string, error) {
	cmd := exec.CommandContext(r.ctx, "git", args...)
	cmd.Dir = r.root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

// build makes all files in a folder, which is emptied.
func (r *release) build(out string) error {
	changes, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	section, err := changelogSection(string(changes), r.version)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := save.Text(filepath.Join(out, "CHANGELOG-"+r.version+".md"), []byte(section)); err != nil {
		return err
	}
	for _, p := range programs {
		for _, t := range r.targets {
			r.bar.Step(p.name + " for " + t.system + "/" + t.machine)
			if err := r.pack(out, p, t); err != nil {
				return fmt.Errorf("%s for %s/%s: %w", p.name, t.system, t.machine, err)
			}
		}
	}
	return writeSums(out)
}

// base is the beginning of the names of a program's files.
func (r *release) base(p program, t target) string {
	return fmt.Sprintf("%s_%s_%s_%s", p.name, r.version, t.system, t.machine)
}

// pack makes an archive of a program and its SBOM.
func (r *release) pack(out string, p program, t target) error {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, t.file(p.name))
	if err := r.compile(binary, p, t); err != nil {
		return err
	}
	bom, err := sbom(binary, p.name, r.version)
	if err != nil {
		return err
	}
	base := filepath.Join(out, r.base(p, t))
	if err := save.Text(base+".cdx.json", bom); err != nil {
		return err
	}
	files := []packed{{t.file(p.name), binary, 0o755}}
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "README.md"} {
		files = append(files, packed{name, filepath.Join(r.root, name), 0o644})
	}
	write := tarGz
	if t.system == "windows" {
		write = zipped
	}
	var b bytes.Buffer
	if err := write(&b, filepath.Base(base), files, r.date); err != nil {
		return err
	}
	return save.Text(base+t.suffix(), b.Bytes())
}

func (t target) suffix() string {
	if t.system == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// file is the name of the file of a program.
func (t target) file(name string) string {
	if t.system == "windows" {
		return name + ".exe"
	}
	return name
}

// compile builds a program. Nothing of this machine may come into it: neither paths, nor the state of the clone, nor settings of
// the go command.
func (r *release) compile(binary string, p program, t target) error {
	const identity = "github.com/rfactor-go/rfactor/internal/identity"
	cmd := exec.CommandContext(r.ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid= -X "+identity+".release="+r.version+" -X "+identity+".commit="+r.commit, "-o", binary, p.folder)
	cmd.Dir = filepath.Join(r.root, p.module)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.machine, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off")
	if r.cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+r.cache)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	return nil
}

// again builds the release of a copy of the tree, with an empty cache, and compares every byte.
func (r *release) again(out string) error {
	dir, err := os.MkdirTemp("", "release-again")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	again := *r
	again.root, again.cache = filepath.Join(dir, "another", "folder"), filepath.Join(dir, "cache")
	again.bar = cli.NewBar(os.Stderr, len(r.targets)*len(programs))
	defer again.bar.Clear()
	list, err := r.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			return err
		}
		to := filepath.Join(again.root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := save.Text(to, text); err != nil {
			return err
		}
	}
	second := filepath.Join(dir, "out")
	if err := again.build(second); err != nil {
		return err
	}
	again.bar.Clear()
	n, err := same(out, second)
	if err == nil {
		fmt.Printf("ok      %d files are the same, built in another folder without a cache\n", n)
	}
	return err
}

// same compares the files of two folders, and returns their number.
func same(a, b string) (n int, err error) {
	names := map[string]bool{}
	for _, dir := range []string{a, b} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return 0, err
		}
		for _, e := range entries {
			names[e.Name()] = true
		}
	}
	var differ []string
	for name := range names {
		x, err := os.ReadFile(filepath.Join(a, name))
		y, err2 := os.ReadFile(filepath.Join(b, name))
		if err != nil || err2 != nil || !bytes.Equal(x, y) {
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 {
		slices.Sort(differ)
		return 0, fmt.Errorf("built again, these differ: %s", strings.Join(differ, ", "))
	}
	return len(names), nil
}

// start unpacks each archive whose programs this machine can run, runs them once, and says which it cannot.
func (r *release) start(out string) error {
	for _, t := range r.targets {
		runner, ok := runnerOf(t)
		if !ok {
			fmt.Printf("--      %s/%s: this machine cannot start it\n", t.system, t.machine)
			continue
		}
		for _, p := range programs {
			if err := r.startOne(out, p, t, runner); err != nil {
				return fmt.Errorf("%s does not start: %w", r.base(p, t), err)
			}
		}
		fmt.Printf("ok      %s/%s: started%s\n", t.system, t.machine, strings.Join(append([]string{""}, runner...), " by "))
	}
	return nil
}

// runnerOf returns the command that runs programs of a target here; it is empty where they run by themselves.
func runnerOf(t target) (runner []string, ok bool) {
	switch {
	case t.system == runtime.GOOS && t.machine == runtime.GOARCH:
		return nil, true
	case t.system == "linux" && runtime.GOOS == "linux" && t.machine == "arm64":
		for _, name := range []string{"qemu-aarch64-static", "qemu-aarch64"} {
			if _, err := exec.LookPath(name); err == nil {
				return []string{name}, true
			}
		}
	case t.system == "windows" && t.machine == "amd64":
		if _, err := exec.LookPath("wine"); err == nil {
			return []string{"wine"}, true
		}
	}
	return nil, false
}

func (r *release) startOne(out string, p program, t target, runner []string) error {
	dir, err := os.MkdirTemp("", "start")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(out, r.base(p, t)+t.suffix())
	if err := unpack(archive, dir); err != nil {
		return err
	}
	binary := filepath.Join(dir, r.base(p, t), t.file(p.name))
	lines := [][]string{{"version"}}
	if p.name == "rfactor" {
		lines = append(lines, []string{"match", "f() = select(P(r), f() + 1, f())"})
	}
	for i, args := range lines {
		words := append(append(slices.Clone(runner), binary), args...)
		text, err := exec.CommandContext(r.ctx, words[0], words[1:]...).CombinedOutput()
		want := []string{"rfactor " + r.version + "\ncommit  " + r.commit, "is a reduction by  x0 + y0"}[i]
		if got := strings.ReplaceAll(string(text), "\r\n", "\n"); err != nil || !strings.Contains(got, want) {
			return fmt.Errorf("%s prints %q: %w", args[0], got, cmpErr(err, want))
		}
	}
	return nil
}

// cmpErr is err, or says what was expected.
func cmpErr(err error, want string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%q is missing", want)
}
