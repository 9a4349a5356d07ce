package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rfactor-go/rfactor/internal/gocode"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rfactor": mainWithPeak, "rfactor-go": gocodeMain})
}

func gocodeMain() { os.Exit(gocode.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// inProcess is doMain, and does here what a verb of rfactor-go does, too.
func inProcess(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && slices.Contains([]string{"run", "lower", "vet"}, args[0]) {
		return gocode.Main(args, stdin, stdout, stderr)
	}
	return doMain(args, stdin, stdout, stderr)
}

// Scripts are in testdata/script, one per verb or subject. Beside testscript's own
// commands they have
//
//	code N rfactor … <FILE    rfactor exits with N; it runs in this process, and reads FILE if one is named
//	code N COMMAND …          another command exits with N, as $RFACTOR, which is a process
func TestScripts(t *testing.T) {
	scripts, err := filepath.Abs("testdata/script") // since commands change the working directory
	self, err2 := exec.LookPath("rfactor")
	cache, err3 := exec.Command("go", "env", "GOCACHE").Output() // scripts have no home
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(scripts, "../../../../testdata")
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, "GOCACHE="+strings.TrimSpace(string(cache)), "RFACTOR="+self, "PROGRAMS="+data+"/programs", "CORPUS="+data+"/corpus/updates.tsv", "SERIES=x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "UPDATE=x0*y0; x1*y0 + x0*y1; (x1 + x2)*y0 - x1*(y0 - y1) + x0*y1*y0")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"code": exitCode},
	})
}

// inDirectory is held by a command that runs in this process, whose working directory is that of a script meanwhile.
var inDirectory sync.Mutex

// exitCode runs a command and compares its exit code. That of rfactor runs in this process: a test binary takes 12 ms to start.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [args...] [<file]")
	}
	want, got := args[0], "0"
	if args[1] == "rfactor" {
		got = strconv.Itoa(here(ts, args[2:]))
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != want {
		ts.Fatalf("exit code %s, not %s", got, want)
	}
}

// here runs rfactor in this process and in the working directory of a script.
func here(ts *testscript.TestScript, args []string) int {
	input := ""
	if n := len(args); n > 0 && strings.HasPrefix(args[n-1], "<") {
		input, args = ts.ReadFile(args[n-1][1:]), args[:n-1]
	}
	inDirectory.Lock()
	defer inDirectory.Unlock()
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before)
	return inProcess(args, strings.NewReader(input), ts.Stdout(), ts.Stderr())
}
