package stdio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// testMode makes this test program a command.
const testMode = "MRTR_TEST_STDIO"

func TestMain(m *testing.M) {
	switch os.Getenv(testMode) {
	case "":
		os.Exit(m.Run())
	case "copies":
		_, _ = io.Copy(os.Stdout, os.Stdin)
		_, _ = os.Stderr.WriteString("end of input\n")
	case "says":
		_, _ = os.Stdout.WriteString(strings.Join(os.Args[1:], "|"))
		_, _ = os.Stderr.WriteString("beside")
		os.Exit(4)
	case "leaves": // a process that writes for ever
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), testMode+"=drips")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		own(cmd) // the group of another is not ended
		_ = cmd.Start()
	case "drips":
		for ticks := time.Tick(time.Millisecond); ; <-ticks {
			if _, err := os.Stdout.WriteString("more\n"); err != nil {
				return
			}
		}
	case "killed": // while its server runs
		p, err := self("stubborn").Start(1000, io.Discard)
		if err != nil {
			os.Exit(1)
		}
		_, _ = p.Next()
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		f, _ := os.OpenFile(os.Getenv("FIFO"), os.O_WRONLY, 0)
		defer f.Close()
		_, _ = os.Stdout.WriteString("here\n")
		<-time.After(time.Hour)
	case "waits":
		_, _ = os.Stdout.WriteString("here\n")
		<-time.After(time.Hour)
	}
}

func self(mode string, args ...string) Command {
	return Command{
		Args: append([]string{os.Args[0]}, args...), Env: []string{testMode + "=" + mode}, Grace: time.Hour,
	}
}

// all returns the lines until the end of the output.
func all(p *Process) []string {
	var list []string
	for {
		line, err := p.Next()
		if err != nil {
			return list
		}
		list = append(list, string(line.Bytes))
	}
}

func TestProcess_LinesBothWays(t *testing.T) {
	var beside bytes.Buffer
	p, err := self("copies").Start(1000, &beside)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"{\"a\":1}\r\n", "\xff\n"} {
		if _, err := p.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Next(); err != nil || string(got.Bytes) != line {
			t.Errorf("%q, %v", got.Bytes, err)
		}
	}
	if ended := p.End(t.Context(), time.Hour); ended != "exit status 0" {
		t.Error(ended)
	}
	if rest := all(p); rest != nil {
		t.Errorf("%q", rest)
	}
	if end, cut := p.Stderr(); end != "end of input\n" || cut || beside.String() != end {
		t.Errorf("%q, %v, %q", end, cut, beside.String())
	}
}

// TestProcess_ArgumentsAsTheyAre: no shell reads them. What came before the end is read to
// its end.
func TestProcess_ArgumentsAsTheyAre(t *testing.T) {
	p, err := self("says", "$HOME", "a b", "*", "").Start(1000, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	<-p.Exited()
	if got := all(p); !slices.Equal(got, []string{"$HOME|a b|*|"}) {
		t.Errorf("%q", got)
	}
	if ended := p.End(t.Context(), time.Hour); ended != "exit status 4" {
		t.Error(ended)
	}
	if _, err := p.Write([]byte("x\n")); err == nil {
		t.Error("a line was written to no process")
	}
}

// TestProcess_OutputHeldOpen: reading ends although a process that has left the group of the
// command writes on.
func TestProcess_OutputHeldOpen(t *testing.T) {
	p, err := self("leaves").Start(1000, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	_ = all(p)
	if ended := p.End(t.Context(), time.Hour); ended != "exit status 0" {
		t.Error(ended)
	}
}

// TestProcess_ThisProgramIsKilled: a server that ignores SIGTERM and the end of its input
// ends, too.
func TestProcess_ThisProgramIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a program")
	}
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	c := self("killed")
	c.Env = append(c.Env, "FIFO="+fifo)
	held := make(chan error)
	go func() {
		_, err := os.ReadFile(fifo) // until it has no writer
		held <- err
	}()
	if ended, err := c.Run(t.Context(), nil, io.Discard); err != nil || ended != "signal: killed" {
		t.Errorf("%s, %v", ended, err)
	}
	if err := <-held; err != nil {
		t.Error(err)
	}
}

func TestProcess_NoPatience(t *testing.T) {
	p, err := self("waits").Start(1000, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Next(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	ended, want := p.End(ctx, time.Hour), "signal: terminated; it was stopped before it exited by itself"
	if ended != want {
		t.Error(ended)
	}
}

func TestCommand_CannotStart(t *testing.T) {
	c := Command{Args: []string{"/nowhere/server"}}
	if _, err := c.Start(10, io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := c.Run(t.Context(), os.Stdin, io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestCommand_Run(t *testing.T) {
	var out bytes.Buffer
	ended, err := self("says", "a").Run(t.Context(), nil, &out)
	if err != nil || ended != "exit status 4" || out.String() != "abeside" {
		t.Errorf("%s, %v, %q", ended, err, out.String())
	}
}
