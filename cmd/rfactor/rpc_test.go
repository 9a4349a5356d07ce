package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestCancelRequest ends a request that would take minutes, while another one is answered.
func TestCancelRequest(t *testing.T) {
	in, requests := io.Pipe()
	responses, out := io.Pipe()
	var errs bytes.Buffer
	go func() {
		doMain([]string{"rpc"}, in, out, &errs)
		out.Close()
	}()
	var types, update []string
	for i := range 12 {
		types = append(types, fmt.Sprintf("x%d:i32,y%d:i32", i, i))
		update = append(update, fmt.Sprintf("x%d*x%d + y%d*x%d", i, (i+1)%12, i, (i+5)%12))
	}
	fmt.Fprintf(requests, `{"jsonrpc":"2.0","id":1,"method":"match","params":{"types":%q,"update":%q,"effort":600000}}`+"\n", strings.Join(types, ","), strings.Join(update, "; "))
	fmt.Fprintln(requests, `{"jsonrpc":"2.0","id":2,"method":"match","params":{"types":"x0:i32,y0:i32","update":"x0 + y0"}}`)
	lines := bufio.NewScanner(responses)
	start := time.Now()
	seen := ""
	for n := 0; n < 3 && lines.Scan(); n++ {
		seen += lines.Text() + "\n"
		if n == 0 { // the second request, or the first one where it is refused at once
			fmt.Fprintln(requests, `{"jsonrpc":"2.0","id":3,"method":"cancel","params":{"id":1}}`)
		}
	}
	requests.Close()
	if !strings.Contains(seen, `"id":2,"result":{`) || !strings.Contains(seen, `"id":3,"result":{"cancelled":`) ||
		strings.Contains(seen, `{"cancelled":true}`) && !strings.Contains(seen, `"id":1,"error":{"code":-32800,"message":"cancelled"}`) {
		t.Errorf("after %s: %s%s", time.Since(start), seen, errs.String())
	}
}
