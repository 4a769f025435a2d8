//go:build unix

package linestest

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Pipe makes a named pipe for the tools fork and stubborn. The channel has a value once
// a process holds the pipe open, and is closed when none does any more.
func Pipe(t *testing.T) (path string, held <-chan string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		f, err := os.Open(path)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		r := bufio.NewReader(f)
		line, _ := r.ReadString('\n')
		lines <- line
		_, _ = io.Copy(io.Discard, r)
	}()
	return path, lines
}
