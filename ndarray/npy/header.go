package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// descr is what the header of a file says of its elements. A header is a literal of Python:
//
//	{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }
type descr struct {
	Type    string
	Fortran bool
	Shape   []int
}

// maxHeader bounds the length that a header may claim to have. NumPy itself reads 10,000 bytes.
const maxHeader = 1 << 16

// readHeader reads the magic, the version and the header of a file: what comes next are the elements.
func readHeader(r io.Reader) (*descr, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return nil, fmt.Errorf("no NumPy file: %w", err)
	}
	if string(start[:6]) != "\x93NUMPY" {
		return nil, fmt.Errorf("no NumPy file: it begins with %q", start[:6])
	}
	var size [4]byte // two of them before version 2
	var err error
	switch start[6] {
	case 1:
		_, err = io.ReadFull(r, size[:2])
	case 2, 3:
		_, err = io.ReadFull(r, size[:])
	default:
		return nil, fmt.Errorf("no NumPy file: version %d.%d is unknown", start[6], start[7])
	}
	if err != nil {
		return nil, fmt.Errorf("no NumPy file: %w", err)
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxHeader {
		return nil, fmt.Errorf("no NumPy file: its header is longer than %d bytes", maxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("no NumPy file: %w", err)
	}
	d, err := parseHeader(string(text))
	if err != nil {
		return nil, fmt.Errorf("no NumPy file: its header is broken: %w", err)
	}
	return d, nil
}

// literal is text of Python of which the beginning has been read.
type literal struct{ rest string }

// parseHeader reads the literal. The keys come in any order, once each.
func parseHeader(text string) (*descr, error) {
	d, l := &descr{}, &literal{text}
	seen := map[string]bool{}
	if !l.take("{") {
		return nil, l.expected("{")
	}
	for !l.take("}") {
		key, err := l.quoted()
		switch {
		case err != nil:
			return nil, err
		case seen[key]:
			return nil, fmt.Errorf("the key %q is there twice", key)
		case !l.take(":"):
			return nil, l.expected(":")
		}
		seen[key] = true
		switch key {
		case "descr":
			d.Type, err = l.quoted()
		case "fortran_order":
			d.Fortran, err = l.boolean()
		case "shape":
			d.Shape, err = l.tuple()
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return nil, err
		}
		if !l.take(",") && !strings.HasPrefix(l.rest, "}") {
			return nil, l.expected(", or }")
		}
	}
	if strings.TrimSpace(l.rest) != "" {
		return nil, l.expected("the end")
	}
	if len(seen) != 3 {
		return nil, errors.New("it lacks one of descr, fortran_order and shape")
	}
	return d, nil
}

// take reads a token, and the space around it, where that is next.
func (l *literal) take(token string) bool {
	l.rest = strings.TrimLeft(l.rest, " \t\r\n")
	rest, ok := strings.CutPrefix(l.rest, token)
	if ok {
		l.rest = strings.TrimLeft(rest, " \t\r\n")
	}
	return ok
}

func (l *literal) expected(what string) error {
	return fmt.Errorf("%.20q is where %s is expected", l.rest, what)
}

// quoted reads a string, which has no escapes.
func (l *literal) quoted() (string, error) {
	for _, quote := range []string{"'", `"`} {
		if l.take(quote) {
			text, rest, ok := strings.Cut(l.rest, quote)
			if !ok || strings.ContainsAny(text, "\\\n") {
				return "", l.expected("the rest of a string")
			}
			l.rest = rest
			return text, nil
		}
	}
	return "", l.expected("a string")
}

func (l *literal) boolean() (bool, error) {
	switch {
	case l.take("True"):
		return true, nil
	case l.take("False"):
		return false, nil
	}
	return false, l.expected("True or False")
}

// tuple reads integers in parentheses: a comma stands behind one alone. The version 2 of Python wrote L behind long ones.
func (l *literal) tuple() (all []int, err error) {
	if !l.take("(") {
		return nil, l.expected("(")
	}
	for comma := true; !l.take(")"); comma = l.take(",") {
		end := strings.IndexFunc(l.rest, func(c rune) bool { return (c < '0' || c > '9') && c != '-' })
		if !comma || end < 0 {
			return nil, l.expected("a tuple of integers")
		}
		n, err := strconv.Atoi(l.rest[:end])
		if err != nil {
			return nil, err
		}
		all, l.rest = append(all, n), l.rest[end:]
		l.take("L")
	}
	return all, nil
}
