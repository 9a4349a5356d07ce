package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/service"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

var rpcVerb = verbs.Verb{
	Name:  "rpc",
	About: "answers requests in JSON on standard input, for hosts in other languages",
	Run:   with(runRPC),
	Usage: `

Examples:
  echo '{"jsonrpc":"2.0","id":1,"method":"match","params":{"types":"x0:i32,y0:i32","update":"x0 + y0"}}' | rfactor rpc

Requests are those of JSON-RPC 2.0, one a line, and so are responses, in the order in which they
are ready. The methods are match (types, update, name, given, assume, effort, proof), check (types,
operator, identity, is, given, assume, effort), llvm (text, name, func, kinds, assume, effort, proof),
verify (answer), and cancel (id). Results are what match, check and llvm print with -json.
Exit code 0: standard input ended; 2: bad usage, or a line that is too long.`,
}

// The codes of errors of JSON-RPC 2.0, and of requests that were cancelled.
const (
	rpcParse     = -32700
	rpcRequest   = -32600
	rpcMethod    = -32601
	rpcParams    = -32602
	rpcInternal  = -32603
	rpcCancelled = -32800
)

type rpcRequestLine struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type rpcResponse struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// rpcServer answers requests at once, as many as there are processors.
type rpcServer struct {
	c       *command
	slots   chan struct{}
	running sync.WaitGroup

	mu     sync.Mutex // of what follows, and of standard output
	cancel map[string]context.CancelFunc
}

func runRPC(c *command, args []string) int {
	if _, code, ok := c.Parse(cli.NewFlags(), args, 0); !ok {
		return code
	}
	s := &rpcServer{c: c, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), cancel: map[string]context.CancelFunc{}}
	sc := bufio.NewScanner(c.Stdin)
	sc.Buffer(nil, maxLine)
	for c.Ctx.Err() == nil && sc.Scan() {
		if line := bytes.TrimSpace(sc.Bytes()); len(line) > 0 {
			s.request(bytes.Clone(line))
		}
	}
	s.running.Wait()
	switch {
	case c.Ctx.Err() != nil:
		return verbs.Interrupted
	case sc.Err() != nil:
		return c.Errorf("standard input: %v", sc.Err())
	}
	return verbs.Matched
}

// request begins to answer a line. Cancellation does not wait for a processor.
func (s *rpcServer) request(line []byte) {
	var r rpcRequestLine
	if err := json.Unmarshal(line, &r); err != nil {
		code := rpcParse
		if json.Valid(line) {
			code = rpcRequest
		}
		s.respond(nil, nil, &rpcError{code, err.Error()})
		return
	}
	switch {
	case r.Version != "2.0" || r.Method == "":
		s.respond(r.ID, nil, &rpcError{rpcRequest, `a request has "jsonrpc": "2.0" and a method`})
		return
	case r.Method == "cancel":
		s.cancelled(r)
		return
	case len(r.Params) == 0:
		r.Params = []byte("{}")
	}
	ctx, cancel := context.WithCancel(s.c.Ctx)
	s.mu.Lock()
	_, twice := s.cancel[string(r.ID)]
	if !twice {
		s.cancel[string(r.ID)] = cancel
	}
	s.mu.Unlock()
	if twice {
		cancel()
		s.respond(r.ID, nil, &rpcError{rpcRequest, "a request with this id is under way"})
		return
	}
	s.running.Go(func() {
		defer cancel()
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
		}
		result, err := service.Call(ctx, r.Method, r.Params)
		s.mu.Lock()
		delete(s.cancel, string(r.ID))
		s.mu.Unlock()
		s.respond(r.ID, result, errorOf(err))
	})
}

// cancelled ends the request whose id the parameters name, if it is under way.
func (s *rpcServer) cancelled(r rpcRequestLine) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(r.Params, &p); err != nil || len(p.ID) == 0 {
		s.respond(r.ID, nil, &rpcError{rpcParams, "cancel takes the id of a request"})
		return
	}
	s.mu.Lock()
	cancel := s.cancel[string(p.ID)]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	s.respond(r.ID, fmt.Appendf(nil, `{"cancelled":%t}`, cancel != nil), nil)
}

func errorOf(err error) *rpcError {
	var input *service.InputError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return &rpcError{rpcCancelled, "cancelled"}
	case errors.Is(err, service.ErrMethod):
		return &rpcError{rpcMethod, err.Error()}
	case errors.As(err, &input):
		return &rpcError{rpcParams, err.Error()}
	}
	return &rpcError{rpcInternal, err.Error()}
}

// respond writes a line, unless the request was a notification that succeeded.
func (s *rpcServer) respond(id json.RawMessage, result []byte, failed *rpcError) {
	if len(id) == 0 {
		if failed == nil {
			return
		}
		id = []byte("null")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.c.WriteRecord(rpcResponse{"2.0", id, result, failed})
	s.c.Stdout.Flush()
}
