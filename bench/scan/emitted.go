package scan

import (
	"context"
	"embed"
	"fmt"
	"runtime"
	"strings"

	"github.com/rfactor-go/rfactor/bench/internal/emitted"
	"github.com/rfactor-go/rfactor/bench/internal/turns"
)

//go:embed peers
var peerFiles embed.FS

// startEmitted emits the works as packages, and starts a command that calls them, on one processor and on two.
func startEmitted(ctx context.Context, dir string) (*turns.Peer, error) {
	for _, w := range works {
		p, err := w.plan(ctx)
		if err == nil {
			err = emitted.Package(p, dir, w.pkg())
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
	}
	main, err := peerFiles.ReadFile("peers/emitted.go.txt")
	if err != nil {
		return nil, err
	}
	exe, err := emitted.Program(ctx, dir, main)
	if err != nil {
		return nil, err
	}
	return turns.Start(ctx, nil, []string{"emitted1", "emitted2"}[:min(2, runtime.NumCPU())], exe)
}

// pkg is the name of the work's package.
func (w work) pkg() string { return strings.ReplaceAll(w.name, "-", "") }
