package truth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/associative"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Verdicts counts what rfactor check says of operators that are associative.
var Verdicts = &command.Command{
	Name:  "verdicts",
	About: "counts what rfactor check says of random operators of 8 bits that are associative",
	Doc: `Operators of at most 8 bits are associative by all triples, others by 2¹⁶ random ones: those may be refuted rightly. What stays open is
listed on standard error. Exit code 1: an operator that is associative by all triples is refuted.`,
	Setup: func(f *command.Flags) func(c *command.Call) error {
		long := f.Long("100 operators of each tuple of types", "5")
		seed := f.Seed("operators")
		return func(c *command.Call) error {
			n := 5
			if *long {
				n = 100
			}
			return countVerdicts(c, n, 4+*seed)
		}
	},
}

func countVerdicts(c *command.Call, n int, seed uint64) error {
	dir, err := os.MkdirTemp("", "bench-verdicts")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rfactor := filepath.Join(dir, "rfactor")
	if out, err := exec.CommandContext(c.Context, "go", "build", "-o", rfactor, "./cmd/rfactor").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	fmt.Fprintln(c.Stdout, "types\ttriples\toperators\tproven\tunder_assumptions\trefuted\topen")
	wrong := 0
	for _, types := range associative.Tuples {
		counts, drawn := map[string]int{}, 0
		for op := range associative.Operators(seed, types) {
			if drawn++; drawn > n {
				break
			}
			said, err := check(c.Context, rfactor, op)
			if err != nil {
				return fmt.Errorf("%s: %w", ir.Strings(op.Exprs), err)
			}
			if counts[said]++; said == "unknown" || said == "no" {
				fmt.Fprintf(c.Stderr, "%v: %s: %s\n", types, ir.Strings(op.Exprs), said)
			}
		}
		triples := "random"
		if associative.IsWhole(types) {
			triples = "all"
			wrong += counts["no"]
		}
		fmt.Fprintf(c.Stdout, "%v\t%s\t%d\t%d\t%d\t%d\t%d\n", types, triples, n, counts["yes"], counts["assuming"], counts["no"], counts["unknown"])
	}
	if wrong > 0 {
		return command.ErrFailed
	}
	return nil
}

// check asks the command whether an operator is associative: yes, assuming (something), no or unknown.
func check(ctx context.Context, rfactor string, op proof.Operator) (string, error) {
	var types []string
	for i, t := range op.Types {
		types = append(types, fmt.Sprintf("x%d:%s,y%d:%s", i, t, i, t))
	}
	cmd := exec.CommandContext(ctx, rfactor, "check", "-json", "-assume", "default", "-types", strings.Join(types, ","), ir.Strings(op.Exprs))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: not associative, or not proven
		return "", fmt.Errorf("%w\n%s", err, errs.String())
	}
	var said struct {
		Associative struct {
			Holds   string
			Assumes []string
		}
	}
	if err := json.Unmarshal(out, &said); err != nil {
		return "", err
	}
	if said.Associative.Holds == "yes" && len(said.Associative.Assumes) > 0 {
		return "assuming", nil
	}
	return said.Associative.Holds, nil
}
