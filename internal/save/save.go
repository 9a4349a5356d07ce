// Package save writes files: whole, and where the name says.
package save

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File makes a file of what a function writes, or replaces one. The file is complete before it gets its name, and keeps the permissions
// that it had. Where the name is a symbolic link, the file that it leads to is written. A device or a pipe is written as it stands, and
// so is whatever lies in /dev and /proc, such as /dev/stdout. A folder is an error.
func File(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o644)
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: this is a folder, and a file is wanted", name)
	case err == nil && (!info.Mode().IsRegular() || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/")):
		return inPlace(name, os.O_APPEND, write)
	case err == nil:
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	default:
		if _, err := os.Lstat(name); err == nil { // a link to what is not there yet
			return inPlace(name, os.O_CREATE, write)
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".rfactor-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := writeAndClose(f, write); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := os.Chmod(f.Name(), mode); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Text makes a file of a text, as File does.
func Text(name string, text []byte) error {
	return File(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func inPlace(name string, flag int, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|flag, 0o644)
	if err != nil {
		return err
	}
	return writeAndClose(f, write)
}

func writeAndClose(f *os.File, write func(io.Writer) error) error {
	err := write(f)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
