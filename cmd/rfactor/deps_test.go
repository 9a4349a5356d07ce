package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// unreached lists packages that the command must not reach, nor those below them, each with why.
var unreached = map[string]string{
	"github.com/rfactor-go/rfactor/tablegen": "its generic code is 1.3 MB: the laboratory makes tables",
	"github.com/rfactor-go/rfactor/lower":    "what runs and emits programs is 5 MB: rfactor-go does that",
	"github.com/rfactor-go/rfactor/simd":     "so are its kernels",
	"github.com/rfactor-go/rfactor/golang":   "what reads Go is 4 MB: rfactor-go does that",
	"golang.org/x/tools/":                    "so is what it stands on",
	"go/types":                               "the checker of types is 1 MB",
	"go/ast":                                 "the syntax of Go is for those who read or write it",
	"encoding/gob":                           "facts of analyzers",
	"image":                                  "pictures are inputs of programs that run",
	"github.com/apache/beam/":                "Apache Beam has some 300 modules: they stay in the module beam",
	"github.com/rfactor-go/rfactor/beam/":    "so do its own packages",
	"github.com/rfactor-go/rfactor/lab/":     "plots, pages and servers stay in the module lab",
	"net/http":                               "a server and TLS are 4 MB",
	"crypto/tls":                             "a server and TLS are 4 MB",
	"gonum.org/":                             "plots and linear algebra take 10 s to compile",
	"codeberg.org/":                          "fonts are 4 MB",
	"git.sr.ht/":                             "drawing takes plots along",
	"golang.org/x/image/":                    "so do fonts",
	"github.com/sbinet/":                     "a reader of .npy files that takes linear algebra along",
	"text/template":                          "the linker keeps every exported method of a program that has it: 4 MB",
	"html/template":                          "the linker keeps every exported method of a program that has it: 4 MB",
	"github.com/andybalholm/brotli":          "compression of the playground",
	"github.com/chromedp/":                   "the browser of tests",
	"github.com/yuin/goldmark":               "the documentation",
	"github.com/santhosh-tekuri/jsonschema":  "tests",
}

// The command is small, and is compiled from nothing in a minute. What would change that is named.
func TestDeps(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		seen++
		pkg := strings.TrimSpace(line)
		for not, why := range unreached {
			if pkg == strings.TrimSuffix(not, "/") || strings.HasPrefix(pkg, strings.TrimSuffix(not, "/")+"/") {
				t.Errorf("depends on %s: %s", pkg, why)
			}
		}
	}
	if all := strings.Fields(string(out)); seen < 100 || !slices.Contains(all, "github.com/rfactor-go/rfactor/rfactor") {
		t.Errorf("go list gives %d packages", seen)
	}
}
