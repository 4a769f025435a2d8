package stdio

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// How a command ends that was killed, or ended for lack of a signal that asks.
const (
	killed     = "exit status 1"
	terminated = "exit status 1"
)

// leave does nothing: no process leaves a job.
func leave(*exec.Cmd) {}

// TestPipe_Deadlines: a write that the command does not read ends, as on Unix.
func TestPipe_Deadlines(t *testing.T) {
	theirs, mine, err := pipe(true)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	if err := mine.SetWriteDeadline(time.Now().Add(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := mine.Write(make([]byte, 8*pipeSize)); !os.IsTimeout(err) {
		t.Error(err)
	}
	if err := mine.Close(); err != nil {
		t.Error(err)
	}
}

// TestPipe_ReadToItsEnd: what was written before the end is read after it.
func TestPipe_ReadToItsEnd(t *testing.T) {
	theirs, mine, err := pipe(false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.WriteString("last words"); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	if got, err := io.ReadAll(mine); err != nil || string(got) != "last words" {
		t.Errorf("%q, %v", got, err)
	}
	_ = mine.Close()
}

// TestProcess_ArgumentsWithBackslashes: a path and quotes come as they were typed.
func TestProcess_ArgumentsWithBackslashes(t *testing.T) {
	words, err := Words(`server "C:\Program Files\x\\" --json "{\"a\":1}" \\host\share`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := self("says", words[1:]...).Start(1000, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	<-p.Exited()
	if got := all(p); !slices.Equal(got, []string{`C:\Program Files\x\|--json|{"a":1}|\\host\share`}) {
		t.Errorf("%q", got)
	}
	_ = p.End(t.Context(), time.Hour)
}
