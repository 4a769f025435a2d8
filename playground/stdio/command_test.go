package stdio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
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
		leave(cmd)
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
		me, _ := os.FindProcess(os.Getpid())
		_ = me.Kill()
		select {}
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		conn := connected()
		_, _ = os.Stdout.WriteString("here\n")
		_, _ = conn.Read(make([]byte, 1))
	case "forks": // and ends
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), testMode+"=stubborn")
		out, _ := cmd.StdoutPipe()
		_ = cmd.Start()
		_, _ = out.Read(make([]byte, 1))
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
	c, held := holding(t, "killed")
	cmd := exec.Command(c.Args[0]) // not a Command, which would end the server, too
	cmd.Env = append(os.Environ(), c.Env...)
	if err := cmd.Run(); err == nil || err.Error() != killed {
		t.Error(err)
	}
	<-held
}

// TestProcess_ChildProcesses: they end with the command, also with a client that has
// ended by itself.
func TestProcess_ChildProcesses(t *testing.T) {
	c, held := holding(t, "forks")
	p, err := c.Start(1000, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if ended := p.End(t.Context(), time.Hour); ended != "exit status 0" {
		t.Error(ended)
	}
	<-held
	c, held = holding(t, "forks")
	c.Grace = time.Millisecond // the child process may hold the output open
	if ended, err := c.Run(t.Context(), nil, io.Discard); err != nil || ended != "exit status 0" {
		t.Errorf("%s, %v", ended, err)
	}
	<-held
}

// holding returns a command whose mode holds a connection, and a channel that is closed
// once it was held and is no more.
func holding(t *testing.T, mode string) (c Command, held <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c = self(mode)
	c.Env = append(c.Env, "HELD="+l.Addr().String())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		conn, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, conn)
	}()
	return c, ended
}

// connected returns a connection to the test, which sees when this process has ended.
func connected() net.Conn {
	conn, err := net.Dial("tcp", os.Getenv("HELD"))
	if err != nil {
		os.Exit(1)
	}
	return conn
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
	ended := p.End(ctx, time.Hour)
	if want := terminated + "; it was stopped before it exited by itself"; ended != want {
		t.Error(ended)
	}
}

func TestCommand_CannotStart(t *testing.T) {
	c := Command{Args: []string{filepath.Join("nowhere", "server")}}
	isMissing := func(err error) bool { // Windows also looks for nowhere/server.exe and others
		return errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound)
	}
	if _, err := c.Start(10, io.Discard); !isMissing(err) {
		t.Errorf("%v", err)
	}
	if _, err := c.Run(t.Context(), os.Stdin, io.Discard); !isMissing(err) {
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
