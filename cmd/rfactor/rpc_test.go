package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/internal/cli"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// TestCancelRequest ends a request that waits for a processor, while others are answered.
func TestCancelRequest(t *testing.T) {
	var out bytes.Buffer
	c := &command{&verbs.Command{Ctx: context.Background(), Stdout: cli.NewOutput(&out), Stderr: io.Discard}}
	s := newRPCServer(c, 1)
	s.slots <- struct{}{}
	const match = `"method":"match","params":{"types":"x0:i32,y0:i32","update":"x0 + y0"}}`
	s.line([]byte(`{"jsonrpc":"2.0","id":1,` + match))
	s.line([]byte(`{"jsonrpc":"2.0","id":2,` + match))
	s.line([]byte(`{"jsonrpc":"2.0","id":3,"method":"cancel","params":{"id":1}}`))
	s.line([]byte(`{"jsonrpc":"2.0","id":4,"method":"cancel","params":{"id":9}}`))
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

// No more is read than what a bound allows: the rest waits until something is answered.
func TestReadAhead(t *testing.T) {
	s := newRPCServer(&command{&verbs.Command{Ctx: context.Background(), Stdout: cli.NewOutput(io.Discard), Stderr: io.Discard}}, 1)
	s.slots <- struct{}{}
	request := `{"jsonrpc":"2.0","id":%d,"method":"solve","params":{"text":"` + strings.Repeat("x", maxAhead/4) + `"}}`
	read := make(chan int, 20)
	go func() {
		for i := range 8 {
			s.line(fmt.Appendf(nil, request, i))
			read <- i
		}
		close(read)
	}()
	for range 3 {
		<-read
	}
	select {
	case i := <-read:
		t.Errorf("request %d is read while %d bytes wait", i, s.ahead)
	case <-time.After(50 * time.Millisecond):
	}
	<-s.slots
	for range read {
	}
	s.running.Wait()
	if s.ahead != 0 {
		t.Errorf("%d bytes are left", s.ahead)
	}
}
