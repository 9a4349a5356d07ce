// Package service answers requests in JSON, as hosts in other languages send them: rfactor rpc on standard input, and the C
// library librfactor.
//
//	match {"types": "x0:i32,y0:i32", "update": "x0 + y0"}   →   an answer, as rfactor match -json prints it
package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/internal/guard"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/llvm"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// Methods lists the names of methods.
var Methods = []string{"match", "check", "llvm", "verify"}

// ErrMethod is the error of a method that there is not.
var ErrMethod = errors.New("there is no such method")

// An InputError is a mistake in the parameters.
type InputError struct{ err error }

// Error returns what is wrong.
func (e *InputError) Error() string { return e.err.Error() }

// Unwrap returns the mistake, such as an *ir.Error with its place.
func (e *InputError) Unwrap() error { return e.err }

// Call answers a request. The result is one line of JSON. An error is an InputError, ErrMethod, that of the context, or a
// broken invariant of this module.
func Call(ctx context.Context, method string, params []byte) (result []byte, err error) {
	err = guard.Call(func() (err error) {
		switch method {
		case "match":
			result, err = call(ctx, params, match)
		case "check":
			result, err = call(ctx, params, checkOperator)
		case "llvm":
			result, err = call(ctx, params, readLLVM)
		case "verify":
			result, err = call(ctx, params, verifyAnswer)
		default:
			err = fmt.Errorf("%w: %q; they are %q", ErrMethod, method, Methods)
		}
		return err
	})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// call reads the parameters of a method and runs it. A parameter that is not known is a mistake.
func call[P any](ctx context.Context, params []byte, f func(context.Context, P) ([]byte, error)) ([]byte, error) {
	var p P
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return nil, &InputError{fmt.Errorf("parameters: %s", plainly(err))}
	}
	return f(ctx, p)
}

// plainly says in the words of JSON what is wrong with an object.
func plainly(err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	want := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false", reflect.Slice: "a list", reflect.Struct: "an object", reflect.Map: "an object"}[wrong.Type.Kind()]
	if wrong.Field == "" {
		return fmt.Sprintf("they are %s, and not an object of names with values", wrong.Value)
	}
	return fmt.Sprintf("%s is %s, and not %s", wrong.Field, wrong.Value, cmp.Or(want, "a number"))
}

// allowed reads a list of assumptions, with those that it names one by one; where there is none, the standard says which.
func allowed(text *string, standard ir.Assume) (a, named ir.Assume, err error) {
	if text == nil {
		return standard, 0, nil
	}
	if a, err = ir.ParseAssume(*text); err != nil {
		return 0, 0, &InputError{err}
	}
	return a, rfactor.Named(*text), nil
}

// matchParams are those of match, as the flags of the command.
type matchParams struct {
	Types  string   `json:"types"`
	Update string   `json:"update"`
	Name   string   `json:"name"`
	Given  []string `json:"given"`
	Assume *string  `json:"assume"`
	Effort int      `json:"effort"`
	Proof  bool     `json:"proof"`
}

func match(ctx context.Context, p matchParams) ([]byte, error) {
	a, named, err := allowed(p.Assume, ir.DefaultAssumptions)
	if err != nil {
		return nil, err
	}
	u, err := program.ParseUpdate(ir.NewPool(), p.Types, p.Update)
	if err == nil {
		u.Given, err = program.ParseGiven(u, p.Given...)
	}
	if err != nil {
		return nil, &InputError{err}
	}
	answer, err := rfactor.Match(ctx, u, rfactor.Options{Name: p.Name, Allowed: a, Named: named, Effort: p.Effort, Describe: p.Proof})
	if err != nil {
		return nil, inputUnlessInternal(err)
	}
	return answer.JSON(p.Proof && answer.Status != rfactor.Refused)
}

// inputUnlessInternal says that an error is a mistake of the caller, unless an invariant of this module is broken.
func inputUnlessInternal(err error) error {
	if broken := new(rfactor.InternalError); errors.As(err, &broken) {
		return err
	}
	return &InputError{err}
}

type checkParams struct {
	Types    string   `json:"types"`
	Operator string   `json:"operator"`
	Identity string   `json:"identity"`
	Is       string   `json:"is"`
	Given    []string `json:"given"`
	Assume   *string  `json:"assume"`
	Effort   int      `json:"effort"`
}

func checkOperator(ctx context.Context, p checkParams) ([]byte, error) {
	a, _, err := allowed(p.Assume, ir.DefaultAssumptions)
	if err != nil {
		return nil, err
	}
	op, o, err := check.Parse(p.Types, p.Operator, check.Texts{Identity: p.Identity, Is: p.Is, Given: p.Given})
	if err != nil {
		return nil, &InputError{err}
	}
	o.Allowed, o.Effort = a, p.Effort
	r, err := check.Operator(ctx, op, o)
	if err != nil {
		return nil, inputUnlessInternal(err)
	}
	return r.MarshalJSON()
}

type llvmParams struct {
	Text   string   `json:"text"`
	Name   string   `json:"name"`
	Func   string   `json:"func"`
	Kinds  []string `json:"kinds"` // loop, operator; both where it is empty
	Assume *string  `json:"assume"`
	Effort int      `json:"effort"`
	Proof  bool     `json:"proof"`
	Unroll int      `json:"unroll"` // steps at once; 0 for none
	Terse  bool     `json:"terse"`  // refusals of loops have no reason
}

// readLLVM returns a list of what rfactor llvm -json prints.
func readLLVM(ctx context.Context, p llvmParams) ([]byte, error) {
	a, named, err := allowed(p.Assume, 0)
	if err != nil {
		return nil, err
	}
	if p.Unroll != 0 && (p.Unroll < 2 || p.Unroll > llvm.MaxSteps) {
		return nil, &InputError{fmt.Errorf("unroll: from 2 to %d steps", llvm.MaxSteps)}
	}
	if p.Name == "" {
		p.Name = "text"
	}
	m, err := llvm.Parse(p.Name, p.Text)
	if err != nil {
		return nil, inputUnlessInternal(err)
	}
	wanted := func(kind, name string) bool {
		return (len(p.Kinds) == 0 || slices.Contains(p.Kinds, kind)) && (p.Func == "" || p.Func == name)
	}
	out := []json.RawMessage{}
	if wanted("loop", p.Func) {
		for _, l := range m.Loops() {
			if !wanted("loop", l.Func) {
				continue
			}
			answer, err := l.Match(ctx, rfactor.Options{Allowed: a, Named: named, Effort: p.Effort, Describe: p.Proof, Unexplained: p.Terse})
			if err != nil {
				return nil, err
			}
			var unrolled *llvm.Unrolled
			if p.Unroll > 0 {
				unrolled, _ = l.Unroll(answer, p.Unroll) // of most loops there is none
			}
			line, err := l.JSON(answer, p.Proof && answer != nil && answer.Status != rfactor.Refused, unrolled)
			if err != nil {
				return nil, err
			}
			out = append(out, line)
		}
	}
	if wanted("operator", p.Func) {
		for _, op := range m.Operators() {
			if !wanted("operator", op.Func) {
				continue
			}
			r, err := op.Check(ctx, check.Options{Allowed: a, Effort: 10 * p.Effort})
			if err != nil {
				return nil, err
			}
			line, err := op.JSON(r)
			if err != nil {
				return nil, err
			}
			out = append(out, line)
		}
	}
	return compact(out)
}

type verifyParams struct {
	Answer json.RawMessage `json:"answer"`
}

type verdict struct {
	Holds bool   `json:"holds"`
	Error string `json:"error,omitempty"`
}

// verifyAnswer establishes an answer again from its certificate.
func verifyAnswer(_ context.Context, p verifyParams) ([]byte, error) {
	if len(p.Answer) == 0 {
		return nil, &InputError{errors.New("parameters: answer is missing")}
	}
	v := verdict{Holds: true}
	if _, err := verify.Check(p.Answer); err != nil {
		v = verdict{Error: err.Error()}
	}
	return compact(v)
}

// compact writes JSON without escapes of < and &, which terms have.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
