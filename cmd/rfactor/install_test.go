package main

import (
	"archive/zip"
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var installing = flag.Bool("install", false, "install the command from a proxy of files")

// TestInstall packs the files of the module, and of the laboratory, as the go command packs a version of them, serves them from a folder,
// and installs the commands of that version. Their dependencies come from the module cache. The laboratory is as docs/release.md
// tags it: without the replacement, which go install refuses.
func TestInstall(t *testing.T) {
	if !*installing {
		t.Skip("builds the command and all that it needs without a cache: make check-install")
	}
	const module, version = "github.com/rfactor-go/rfactor", "v0.2.0"
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	proxy, home := t.TempDir(), t.TempDir()
	for _, folder := range []string{"", "lab"} {
		dir := filepath.Join(root, folder)
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("replace "+module+" => ../\n", "", module+" v0.0.0\n", module+" "+version+"\n").Replace(string(mod))
		publish(t, proxy, dir, path.Join(module, folder), version, []byte(text))
	}
	cache := goEnv(t, "GOMODCACHE")
	install := exec.Command("go", "install", module+"/cmd/rfactor@"+version)
	install.Dir = home
	install.Env = append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(cache)+"/cache/download",
		"GONOSUMDB=*", "GONOSUMCHECK=1", "GOFLAGS=-modcacherw", "GOSUMDB=off", "GOMODCACHE="+filepath.Join(home, "mod"), "GOBIN="+filepath.Join(home, "bin"), "GOWORK=off")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := filepath.Join(home, "bin", "rfactor")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	out, err := exec.Command(program, "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "rfactor "+version+"\n") {
		t.Errorf("version: %v\n%s", err, out)
	}
	out, err = exec.Command(program, "match", "f() = select(P(r), f() + 1, f())").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "is a reduction by  x0 + y0") {
		t.Errorf("match: %v\n%s", err, out)
	}
	// The command says how others are installed that do verbs of it, outside of a clone, and finds them beside itself.
	t.Setenv("PATH", filepath.Join(strings.TrimSpace(goEnv(t, "GOROOT")), "bin"))
	helped := func(verb string) ([]byte, error) {
		help := exec.Command(program, verb, "-h")
		help.Dir = home
		return help.CombinedOutput()
	}
	for verb, other := range map[string]string{"lab": "/lab/cmd/rfactor-lab", "vet": "/cmd/rfactor-go"} {
		out, err = helped(verb)
		_, line, _ := strings.Cut(strings.TrimSpace(string(out)), "not installed: go ")
		if err == nil || line != "install "+module+other+"@"+version {
			t.Fatalf("%s without %s: %v\n%s", verb, other, err, out)
		}
		also := exec.Command("go", strings.Fields(line)...)
		also.Dir, also.Env = install.Dir, install.Env
		if out, err := also.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err = helped(verb)
		if err != nil || !strings.HasPrefix(string(out), "usage: rfactor") {
			t.Errorf("%s: %v\n%s", verb, err, out)
		}
	}
}

// TestClone runs verbs of rfactor-go by go run in a clone, where it is not installed: it is built there, and has the folder, the input and
// the exit code of this command.
func TestClone(t *testing.T) {
	if !*installing {
		t.Skip("builds both commands: make check-install")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(root, "bin", "rfactor-go"))
	program := filepath.Join(t.TempDir(), "rfactor")
	if out, err := exec.Command("go", "build", "-o", program, root+"/cmd/rfactor").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", filepath.Join(strings.TrimSpace(goEnv(t, "GOROOT")), "bin"))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"lower", "sum.rf", "-kernel", "serial"}, 0, "each element"},
		{[]string{"run", "sum.rf"}, 2, "rfactor run: the input input is missing: -in input=FILE"},
		{[]string{"help", "vet"}, 0, "-baseline FILE"},
	} {
		run := exec.Command(program, c.args...)
		run.Dir = filepath.Join(root, "testdata", "programs")
		out, _ := run.CombinedOutput()
		if run.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: exit code %d:\n%s", c.args, run.ProcessState.ExitCode(), out)
		}
	}
}

// publish puts a version of a module into a proxy of files.
func publish(t *testing.T, proxy, root, module, version string, mod []byte) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version":%q,"Time":"2026-11-23T00:00:00Z"}`, version),
		version + ".mod":  mod,
		version + ".zip":  packed(t, root, module+"@"+version+"/", mod),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// packed makes the zip of the module's files, each under the prefix: those that are tracked, without the folders
// that are modules of their own. mod is its go.mod.
func packed(t *testing.T, root, prefix string, mod []byte) []byte {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Skip("no clone: git lists no files")
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var nested []string
	for _, f := range files {
		if folder, ok := strings.CutSuffix(f, "go.mod"); ok && folder != "" {
			nested = append(nested, folder)
		}
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		if inAny(f, nested) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			continue // deleted, and not yet committed
		}
		if f == "go.mod" {
			text = mod
		}
		w, err := z.Create(prefix + f)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func inAny(file string, folders []string) bool {
	for _, f := range folders {
		if strings.HasPrefix(file, f) {
			return true
		}
	}
	return false
}
