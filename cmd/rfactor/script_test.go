package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
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
//	code N rfactor …    the command exits with N
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			root, err := os.Getwd()
			self, err2 := exec.LookPath("rfactor")
			cache, err3 := exec.Command("go", "env", "GOCACHE").Output() // scripts have no home
			e.Vars = append(e.Vars, "GOCACHE="+strings.TrimSpace(string(cache)), "RFACTOR="+self, "PROGRAMS="+root+"/../../testdata/programs", "CORPUS="+root+"/../../testdata/corpus/updates.tsv", "SERIES=x0:i32,x1:i32,x2:i32,y0:i32,y1:i32", "UPDATE=x0*y0; x1*y0 + x0*y1; (x1 + x2)*y0 - x1*(y0 - y1) + x0*y1*y0")
			return errors.Join(err, err2, err3)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"code": exitCode},
	})
}

// exitCode runs a command and compares its exit code.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, not %s", got, args[0])
	}
}
