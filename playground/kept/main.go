// Kept prints the answers of three examples of the playground's gallery as JSON. The page shows them before the matcher has come.
//
//	go run ./playground/kept playground/gallery.json
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/rfactor-go/rfactor/internal/view"
)

// examples are an operator, a lift and a refusal, by their names in the gallery. A first visit shows the first of them.
var examples = []string{"Count what holds", "Clamped sum (a lift)", "A square: refused"}

// entry is an entry of the gallery, and of what is printed with its page.
type entry struct {
	Name string `json:"name"`
	view.Request
	Page *view.Page `json:"page,omitempty"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kept:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments, want the gallery", len(args))
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var gallery, out []entry
	if err := json.Unmarshal(text, &gallery); err != nil {
		return err
	}
	for _, name := range examples {
		for _, e := range gallery {
			if e.Name == name {
				e.Page = e.Answer(context.Background())
				out = append(out, e)
			}
		}
	}
	if len(out) != len(examples) {
		return fmt.Errorf("%s has %d of the examples %q", args[0], len(out), examples)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}
