package stdio

import (
	"os/exec"
	"syscall"
)

// endWithParent makes the system end a command when this program ends in a way that
// leaves it no time to: SIGTERM, so that wrappers such as npx can pass it on.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM }
