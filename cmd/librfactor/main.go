// Command librfactor is a C library: go build -buildmode=c-shared -o librfactor.so. Its header is rfactor.h.
package main

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/rfactor-go/rfactor/internal/service"
)

// abiVersion is that of rfactor.h, which a test compares.
const abiVersion = 1

// The results of calls, as rfactor.h has them.
const (
	ok = iota
	wrongInput
	cancelled
	internalError
)

// A match leaves a heap of a few MB, which collections at the usual pace would sweep several times a call.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// tokens are the contexts of tokens that are not freed.
var tokens struct {
	sync.Mutex
	last uint64
	live map[uint64]*token
}

type token struct {
	ctx    context.Context
	cancel context.CancelFunc
}

//export rfactor_abi_version
func rfactor_abi_version() C.int { return abiVersion }

//export rfactor_token_new
func rfactor_token_new() C.uint64_t {
	ctx, cancel := context.WithCancel(context.Background())
	tokens.Lock()
	defer tokens.Unlock()
	if tokens.live == nil {
		tokens.live = map[uint64]*token{}
	}
	tokens.last++
	tokens.live[tokens.last] = &token{ctx, cancel}
	return C.uint64_t(tokens.last)
}

// find returns a token; nil for 0 and for one that was freed.
func find(t C.uint64_t) *token {
	tokens.Lock()
	defer tokens.Unlock()
	return tokens.live[uint64(t)]
}

//export rfactor_cancel
func rfactor_cancel(t C.uint64_t) {
	if found := find(t); found != nil {
		found.cancel()
	}
}

//export rfactor_token_free
func rfactor_token_free(t C.uint64_t) {
	rfactor_cancel(t)
	tokens.Lock()
	defer tokens.Unlock()
	delete(tokens.live, uint64(t))
}

//export rfactor_match
func rfactor_match(request *C.char, n C.size_t, t C.uint64_t, answer **C.char, answerN *C.size_t) C.int {
	return call("match", request, n, t, answer, answerN)
}

//export rfactor_check
func rfactor_check(request *C.char, n C.size_t, t C.uint64_t, answer **C.char, answerN *C.size_t) C.int {
	return call("check", request, n, t, answer, answerN)
}

//export rfactor_llvm
func rfactor_llvm(request *C.char, n C.size_t, t C.uint64_t, answer **C.char, answerN *C.size_t) C.int {
	return call("llvm", request, n, t, answer, answerN)
}

//export rfactor_verify
func rfactor_verify(request *C.char, n C.size_t, t C.uint64_t, answer **C.char, answerN *C.size_t) C.int {
	return call("verify", request, n, t, answer, answerN)
}

//export rfactor_free
func rfactor_free(answer *C.char) { C.free(unsafe.Pointer(answer)) }

// call answers a request, of which it takes a copy, in memory of C.
func call(method string, request *C.char, n C.size_t, t C.uint64_t, answer **C.char, answerN *C.size_t) C.int {
	ctx := context.Background()
	if found := find(t); found != nil {
		ctx = found.ctx
	}
	code := C.int(wrongInput)
	result := failure(errors.New("a request has at most 2147483647 bytes"))
	if n <= 1<<31-1 {
		result, code = answered(ctx, method, C.GoBytes(unsafe.Pointer(request), C.int(n)))
	}
	*answer = C.CString(string(result)) // JSON has no byte 0
	*answerN = C.size_t(len(result))
	return code
}

// answered returns the answer to a request, or an object with the error.
func answered(ctx context.Context, method string, request []byte) ([]byte, C.int) {
	result, err := service.Call(ctx, method, request)
	var input *service.InputError
	switch {
	case err == nil:
		return result, ok
	case errors.Is(err, context.Canceled):
		return failure(err), cancelled
	case errors.As(err, &input):
		return failure(err), wrongInput
	}
	return failure(err), internalError
}

func failure(err error) []byte {
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // a string can be written
	return text
}

func main() {}
