package stdio

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Command is a command to start.
type Command struct {
	Args   []string      // the program and its arguments
	Env    []string      // added to the environment of this program
	Shared bool          // it stays in the process group of this program, to read a terminal
	Grace  time.Duration // how long it may take to end after SIGTERM, which Windows does not have
}

// Run runs the command to its end, with the input and output given, and returns how it
// ended in words. When ctx ends, Run ends the command and its child processes, unless the
// command is Shared. The error says why it could not be started.
func (c Command) Run(ctx context.Context, in *os.File, out io.Writer) (ended string, err error) {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	cmd.WaitDelay = c.Grace
	if c.Shared {
		if err := cmd.Start(); err != nil {
			return "", err
		}
		_ = cmd.Wait() // the state says how it ended
		return cmd.ProcessState.String(), nil
	}
	own(cmd)
	held := make(chan struct{}) // closed once g and err are known
	var g *group
	cmd.Cancel = func() error {
		<-held
		if err != nil {
			return os.ErrProcessDone
		}
		return g.terminate()
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	g, err = hold(cmd)
	close(held)
	_ = cmd.Wait()
	if err != nil {
		return "", err
	}
	g.kill()
	return cmd.ProcessState.String(), nil
}

// Process is a running server. Write and Next may be called at the same time, each by
// one goroutine.
type Process struct {
	cmd    *exec.Cmd
	group  *group
	grace  time.Duration
	in     *os.File
	lines  *Reader
	files  []*os.File
	stderr tail
	exited chan struct{} // closed once it has ended
	copied chan struct{} // closed once its standard error was read
}

// drainTime is how long the output of a command is read once it has ended: a process that
// left its group may hold it open, and write to it for ever.
const drainTime = time.Second

// Start starts the command as a server whose lines have at most about limit bytes. Its
// standard error is kept, and written to stderr, too.
func (c Command) Start(limit int, stderr io.Writer) (_ *Process, err error) {
	p := &Process{grace: c.Grace, exited: make(chan struct{}), copied: make(chan struct{})}
	defer func() {
		if err != nil {
			p.closeFiles()
		}
	}()
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	own(cmd)
	p.cmd = cmd
	var theirs [3]*os.File
	var mine [3]*os.File
	for i := range theirs {
		theirs[i], mine[i], err = pipe(i == 0)
		if err != nil {
			return nil, fmt.Errorf("make a pipe: %w", err)
		}
		p.files = append(p.files, theirs[i], mine[i])
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if p.group, err = hold(cmd); err != nil {
		_ = cmd.Wait()
		return nil, err
	}
	go p.wait(p.group.guard(), mine[1], mine[2])
	for _, f := range theirs {
		_ = f.Close()
	}
	p.in, p.lines = mine[0], NewReader(&output{f: mine[1], exited: p.exited}, limit)
	go p.keep(&output{f: mine[2], exited: p.exited}, stderr)
	return p, nil
}

func (p *Process) closeFiles() {
	for _, f := range p.files {
		_ = f.Close()
	}
}

// keep reads standard error to its end.
func (p *Process) keep(from io.Reader, to io.Writer) {
	defer close(p.copied)
	_, _ = io.Copy(io.MultiWriter(&p.stderr, quiet{to}), from)
}

// quiet is a writer whose errors do not stop the others.
type quiet struct{ w io.Writer }

func (q quiet) Write(b []byte) (int, error) {
	_, _ = q.w.Write(b)
	return len(b), nil
}

// wait waits until the command has ended, ends its child processes and its
// guard, and wakes the reads of its output.
func (p *Process) wait(relieve func(), outputs ...*os.File) {
	_ = p.cmd.Wait() // the state says how it ended
	p.group.kill()
	relieve()
	for _, f := range outputs {
		_ = f.SetReadDeadline(time.Now())
	}
	close(p.exited)
}

// output is one output of a command.
type output struct {
	f      *os.File
	exited <-chan struct{}
	until  time.Time // the end of reading; zero before the command has ended
}

// Read reads to the end, or to drainTime after the end of the command. Then it closes the
// file.
func (o *output) Read(b []byte) (int, error) {
	for {
		ended := isClosed(o.exited)
		if ended && o.until.IsZero() {
			o.until = time.Now().Add(drainTime)
			_ = o.f.SetReadDeadline(o.until)
		}
		n, err := o.f.Read(b)
		switch {
		case err == nil:
			return n, nil
		case os.IsTimeout(err) && !ended:
			continue
		case os.IsTimeout(err):
			err = io.EOF
		}
		_ = o.f.Close()
		return n, err
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Write writes a line, which has its line feed.
func (p *Process) Write(line []byte) (int, error) { return p.in.Write(line) }

// Next returns the next line of standard output, see Reader.
func (p *Process) Next() (Line, error) { return p.lines.Next() }

// Ready reports whether Next returns another line at once, see Reader.
func (p *Process) Ready() bool { return p.lines.Ready() }

// Begun returns a line without its end, see Reader.
func (p *Process) Begun() []byte { return p.lines.Begun() }

// SetWriteDeadline sets the time until which Write waits for the command to read.
func (p *Process) SetWriteDeadline(t time.Time) error { return p.in.SetWriteDeadline(t) }

// Exited returns a channel that is closed once the command has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Stderr returns the end of the command's standard error, and whether more came
// before it.
func (p *Process) Stderr() (end string, cut bool) { return p.stderr.text() }

// End ends the command as the specification says (basic/transports/stdio, "Shutdown"):
// it closes standard input, waits for patience or until ctx ends, sends SIGTERM, waits
// again, and sends SIGKILL. Windows has no SIGTERM: there the command is ended after the
// first wait. What the command has started ends with it. It returns how the command
// ended, in words.
func (p *Process) End(ctx context.Context, patience time.Duration) string {
	_ = p.in.Close()
	how := ""
	if !p.waits(ctx, patience) {
		how = fmt.Sprintf("; it did not exit within %v after the end of its input", patience)
		if ctx.Err() != nil {
			how = "; it was stopped before it exited by itself"
		}
		_ = p.group.terminate()
		if !p.waits(context.Background(), p.grace) {
			how += fmt.Sprintf(asked, p.grace)
			p.group.kill()
		}
		<-p.exited
	}
	select {
	case <-p.copied:
	case <-time.After(drainTime): // the writer of its standard error may hang
	}
	return p.cmd.ProcessState.String() + how
}

// waits reports whether the command ends within a time.
func (p *Process) waits(ctx context.Context, d time.Duration) bool {
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-p.exited:
	case <-limit.C:
	case <-ctx.Done():
	}
	return isClosed(p.exited)
}
