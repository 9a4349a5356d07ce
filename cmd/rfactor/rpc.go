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

Requests are those of JSON-RPC 2.0, one or a batch a line, and so are responses, in the order in which they
are ready; a notification, which has no id, has none. The methods are match (types, update, name, given, assume, effort, proof), check (types,
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
	ahead  int        // bytes of lines that were read and are not answered
	shrunk *sync.Cond // some of them were
}

// maxAhead is how many bytes are read before others are answered. A line that is longer is read alone.
const maxAhead = 8 << 20

func newRPCServer(c *command, slots int) *rpcServer {
	s := &rpcServer{c: c, slots: make(chan struct{}, slots), cancel: map[string]context.CancelFunc{}}
	s.shrunk = sync.NewCond(&s.mu)
	return s
}

func runRPC(c *command, args []string) int {
	if _, code, ok := c.Parse(cli.NewFlags(), args, 0); !ok {
		return code
	}
	s := newRPCServer(c, runtime.GOMAXPROCS(0))
	sc := bufio.NewScanner(c.Stdin)
	sc.Buffer(nil, maxLine)
	for c.Ctx.Err() == nil && sc.Scan() {
		if line := bytes.TrimSpace(sc.Bytes()); len(line) > 0 {
			s.line(bytes.Clone(line))
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

// rpcBatch is the requests of a line, of which the responses stand in one line as well.
type rpcBatch struct {
	*rpcServer
	several   bool
	running   sync.WaitGroup
	mu        sync.Mutex
	responses []rpcResponse
}

// line begins to answer a line, once those before it have left room.
func (s *rpcServer) line(line []byte) {
	s.mu.Lock()
	for s.ahead > 0 && s.ahead+len(line) > maxAhead {
		s.shrunk.Wait()
	}
	s.ahead += len(line)
	s.mu.Unlock()
	b := &rpcBatch{rpcServer: s, several: line[0] == '['}
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil {
		parts = []json.RawMessage{line}
	}
	switch {
	case !json.Valid(line):
		b.several = false
		b.respond([]byte("null"), nil, &rpcError{rpcParse, "the line is no JSON"})
	case len(parts) == 0:
		b.several = false
		b.respond([]byte("null"), nil, &rpcError{rpcRequest, "a batch has at least one request"})
	default:
		for _, p := range parts {
			b.request(p)
		}
	}
	s.running.Go(func() {
		b.running.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ahead -= len(line); b.several && len(b.responses) > 0 {
			s.c.WriteRecord(b.responses)
		} else if len(b.responses) > 0 {
			s.c.WriteRecord(b.responses[0])
		}
		s.c.Stdout.Flush()
		s.shrunk.Broadcast()
	})
}

// request begins to answer a request. Cancellation does not wait for a processor.
func (b *rpcBatch) request(text []byte) {
	var r rpcRequestLine
	err := json.Unmarshal(text, &r)
	known := len(r.ID) == 0 || r.ID[0] == '"' || r.ID[0] == '-' || r.ID[0] >= '0' && r.ID[0] <= '9' || string(r.ID) == "null"
	params := len(r.Params) == 0 || r.Params[0] == '{' || r.Params[0] == '['
	switch {
	case err != nil || r.Version != "2.0" || r.Method == "" || !known || !params:
		if !known || len(r.ID) == 0 {
			r.ID = []byte("null")
		}
		b.respond(r.ID, nil, &rpcError{rpcRequest, `a request is an object with "jsonrpc": "2.0" and a method, a string; its id is a string or a number, and its params are an object`})
		return
	case r.Method == "cancel":
		b.cancelled(r)
		return
	case len(r.Params) == 0:
		r.Params = []byte("{}")
	}
	ctx, cancel := context.WithCancel(b.c.Ctx)
	if len(r.ID) > 0 && !b.begin(string(r.ID), cancel) {
		cancel()
		b.respond(r.ID, nil, &rpcError{rpcRequest, "a request with this id is under way"})
		return
	}
	b.running.Go(func() {
		defer cancel()
		select {
		case b.slots <- struct{}{}:
			defer func() { <-b.slots }()
		case <-ctx.Done():
		}
		result, err := service.Call(ctx, r.Method, r.Params)
		b.rpcServer.mu.Lock()
		delete(b.cancel, string(r.ID))
		b.rpcServer.mu.Unlock()
		b.respond(r.ID, result, errorOf(err))
	})
}

// begin notes how a request is cancelled; false where one with its id is under way.
func (s *rpcServer) begin(id string, cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, twice := s.cancel[id]
	if !twice {
		s.cancel[id] = cancel
	}
	return !twice
}

// cancelled ends the request whose id the parameters name, if it is under way.
func (b *rpcBatch) cancelled(r rpcRequestLine) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(r.Params, &p); err != nil || len(p.ID) == 0 {
		b.respond(r.ID, nil, &rpcError{rpcParams, "cancel takes the id of a request"})
		return
	}
	b.rpcServer.mu.Lock()
	cancel := b.cancel[string(p.ID)]
	b.rpcServer.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	b.respond(r.ID, fmt.Appendf(nil, `{"cancelled":%t}`, cancel != nil), nil)
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

// respond keeps the response to a request; a notification, which has no id, has none.
func (b *rpcBatch) respond(id json.RawMessage, result []byte, failed *rpcError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(id) > 0 {
		b.responses = append(b.responses, rpcResponse{"2.0", id, result, failed})
	}
}
