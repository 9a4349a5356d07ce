// Package truth counts what random updates and operators are answered, and whether the answers hold.
package truth

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/rfactor-go/rfactor/bench/internal/command"
	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/generated"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// Random matches random updates, evaluates what is answered and replays the certificates.
var Random = &command.Command{
	Name:  "random",
	About: "matches random updates over all operators and types, evaluates every answer and replays its certificate",
	Doc:   "Exit code 1: an answer is false, or its certificate is not accepted; those are listed on standard error. On two idle cores 20,000 take three minutes.",
	Setup: func(f *command.Flags) func(c *command.Call) error {
		long := f.Long("20,000 updates", "1,000")
		n := f.Int("n", 0, "how many updates; 0 means 1,000, and with -long 20,000")
		first := f.Int("first", 0, "the `NUMBER` of the first update")
		return func(c *command.Call) error {
			if *n < 0 || *first < 0 {
				return command.Usage("-n or -first is below 0")
			}
			if *n == 0 {
				if *n = 1_000; *long {
					*n = 20_000
				}
			}
			return matchRandom(c, *first, *n)
		}
	},
}

func matchRandom(c *command.Call, first, n int) error {
	shares, wrong := map[rfactor.Status]int{}, 0
	var mu sync.Mutex
	numbers := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range numbers {
				status, err := matchNumbered(c.Context, i)
				mu.Lock()
				shares[status]++
				if err != nil {
					wrong++
					fmt.Fprintf(c.Stderr, "update %d: %v\n", i, err)
				}
				mu.Unlock()
			}
		})
	}
	for i := first; i < first+n && c.Context.Err() == nil; i++ {
		numbers <- i
		if done := i - first + 1; done%1000 == 0 {
			fmt.Fprintf(c.Stderr, "%d of %d\n", done, n)
		}
	}
	close(numbers)
	wg.Wait()
	if err := c.Context.Err(); err != nil {
		return err
	}
	fmt.Fprintln(c.Stdout, "first\tupdates\tassociative\tlifted\tstaged\trefused\tnot_decided_in_5_s\twrong")
	fmt.Fprintf(c.Stdout, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", first, n, shares[rfactor.Associative], shares[rfactor.Lifted], shares[rfactor.Staged], shares[rfactor.Refused], shares[undecided], wrong)
	if wrong > 0 {
		return command.ErrFailed
	}
	return nil
}

// undecided stands for a match that takes longer than five seconds.
const undecided rfactor.Status = "undecided"

// matchNumbered matches an update, and returns what is wrong with the answer.
func matchNumbered(ctx context.Context, number int) (status rfactor.Status, err error) {
	u, allowed := generated.Numbered(number)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil {
			err = fmt.Errorf("%w: %v %s under %s", err, u.Types, ir.Strings(u.Values), allowed)
		}
	}()
	within, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	a, err := rfactor.Match(within, u, rfactor.Options{Name: "random", Allowed: allowed, Describe: true})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return undecided, nil
	case err != nil:
		return undecided, err
	case !allowed.Has(a.Assumes):
		return a.Status, fmt.Errorf("it assumes %s", a.Assumes)
	}
	line, err := a.JSON(true)
	if err != nil {
		return a.Status, err
	}
	if a.Status != rfactor.Refused {
		if err := claims.Check(line, 200, uint64(number)); err != nil {
			return a.Status, err
		}
	}
	_, err = verify.Check(line)
	return a.Status, err
}
