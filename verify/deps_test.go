package verify_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Of this module, the checker imports packages ir and rules and its own folders, nothing else.
func TestImports(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not on the path")
	}
	out, err := exec.Command(goCommand, "list", "-deps", "-f", "{{if and .Module .Module.Main}}{{.ImportPath}}{{end}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/rfactor-go/rfactor/"
	packages := strings.Fields(string(out))
	for _, p := range packages {
		name, ok := strings.CutPrefix(p, module)
		if !ok || name != "ir" && name != "rules" && name != "verify" && !strings.HasPrefix(name, "verify/") {
			t.Errorf("verify depends on %s", p)
		}
	}
	if len(packages) < 5 {
		t.Errorf("only %d packages are listed: %s", len(packages), packages)
	}
}
