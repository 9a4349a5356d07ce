//go:build !amd64 && !arm64 && !js

package machine

import "errors"

// Compiles reports whether there is a compiler for this processor. What else would run the functions takes longer than closures.
const Compiles = false

// Machine is an instance of a module; there is none here.
type Machine struct{}

// New fails.
func New([]byte) (*Machine, error) { return nil, errors.ErrUnsupported }

// Lend makes the window the memory of the machine, until Return.
func (m *Machine) Lend(*Window) error { return errors.ErrUnsupported }

// Return gives the window back.
func (m *Machine) Return() error { return errors.ErrUnsupported }

// Call calls the function of a machine.
type Call struct{}

// Call returns a new one.
func (m *Machine) Call() *Call { return &Call{} }

// Run calls the function: see wasm.Code.
func (c *Call) Run(uint32, int32, int32) (status int, err error) { return 0, errors.ErrUnsupported }
