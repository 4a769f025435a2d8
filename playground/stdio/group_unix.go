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

// terminate asks the group of a process to end.
func terminate(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGTERM) }

// kill ends the rest of the group of a process.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// atEnd waits for a line. If the program that writes it is gone, the group of a process
// ends.
const atEnd = `read -r line || { kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"; }`

// guard starts a process that ends the group of another when this program ends in a way
// that leaves it no time to. The function that it returns ends the guard. Without a shell
// there is none, and a command sees only the end of its standard input.
func guard(p *os.Process) (relieve func()) {
	cmd := exec.Command("/bin/sh", "-c", atEnd, "guard", strconv.Itoa(p.Pid))
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
