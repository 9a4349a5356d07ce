package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// TestCancelRequest ends a request that waits for a processor, while others are answered.
func TestCancelRequest(t *testing.T) {
	var out bytes.Buffer
	c := &command{&verbs.Command{Ctx: context.Background(), Stdout: cli.NewOutput(&out), Stderr: io.Discard}}
	s := &rpcServer{c: c, slots: make(chan struct{}, 1), cancel: map[string]context.CancelFunc{}}
	s.slots <- struct{}{}
	const match = `"method":"match","params":{"types":"x0:i32,y0:i32","update":"x0 + y0"}}`
	s.request([]byte(`{"jsonrpc":"2.0","id":1,` + match))
	s.request([]byte(`{"jsonrpc":"2.0","id":2,` + match))
	s.request([]byte(`{"jsonrpc":"2.0","id":3,"method":"cancel","params":{"id":1}}`))
	s.request([]byte(`{"jsonrpc":"2.0","id":4,"method":"cancel","params":{"id":9}}`))
	<-s.slots
	s.running.Wait()
	for _, want := range []string{
		`"id":1,"error":{"code":-32800,"message":"cancelled"}`,
		`"id":2,"result":{"schema":`,
		`"id":3,"result":{"cancelled":true}`,
		`"id":4,"result":{"cancelled":false}`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing:\n%s", want, out.String())
		}
	}
}
