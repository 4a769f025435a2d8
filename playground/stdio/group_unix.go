//go:build unix

package stdio

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// own gives a command a process group of its own.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// group is the process group of a command.
type group struct{ id int }

// hold returns the group of a command that has started.
func hold(cmd *exec.Cmd) (*group, error) { return &group{cmd.Process.Pid}, nil }

// asked says of a command that terminate did not end it within a time.
const asked = ", and not within %v after SIGTERM either"

// terminate asks the group to end.
func (g *group) terminate() error { return syscall.Kill(-g.id, syscall.SIGTERM) }

// kill ends the rest of the group.
func (g *group) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

// atEnd waits for a line. If the program that writes it is gone, the group of a process
// ends.
const atEnd = `read -r line || { kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"; }`

// guard starts a process that ends the group when this program ends in a way that leaves
// it no time to. The function that it returns ends the guard. Without a shell there is
// none, and a command sees only the end of its standard input.
func (g *group) guard() (relieve func()) {
	cmd := exec.Command("/bin/sh", "-c", atEnd, "guard", strconv.Itoa(g.id))
	own(cmd) // a signal of the terminal is not for it
	lines, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return func() {}
	}
	return func() {
		_, _ = io.WriteString(lines, "ended\n")
		_ = cmd.Wait()
	}
}

// pipe returns a pipe to or from a command: its end, and that of this program.
func pipe(in bool) (theirs, mine *os.File, err error) {
	r, w, err := os.Pipe()
	if in {
		return r, w, err
	}
	return w, r, err
}
