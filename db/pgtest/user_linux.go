package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// The signals that stop a server.
const (
	fastShutdown      = syscall.SIGINT
	immediateShutdown = syscall.SIGQUIT
)

// Memory returns the folder of files that lie in memory, where a database is copied four
// times as fast and a commit waits for no disk, or "" if there is none with room.
func Memory() string {
	const memory, room = "/dev/shm", 2 << 30
	var stat syscall.Statfs_t
	if err := syscall.Statfs(memory, &stat); err != nil || stat.Bavail*uint64(stat.Bsize) < room {
		return ""
	}
	return memory
}

// hasEnded reports whether there is no process with an id.
func hasEnded(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// owner is a user whom a server runs as.
type owner struct{ uid, gid uint32 }

// serverUser returns the user postgres for tests that run as root, because
// PostgreSQL refuses to run as root, and nil for others.
func serverUser() (*owner, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root, and there is no user postgres: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	gid, other := strconv.ParseUint(u.Gid, 10, 32)
	return &owner{uint32(uid), uint32(gid)}, errors.Join(err, other)
}

// own gives a folder to the owner.
func (o *owner) own(dir string) error {
	if o == nil {
		return nil
	}
	return os.Chown(dir, int(o.uid), int(o.gid))
}

// attributes returns those of a process that runs as the owner.
func (o *owner) attributes() *syscall.SysProcAttr {
	if o == nil {
		return &syscall.SysProcAttr{}
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: o.uid, Gid: o.gid}}
}

// endWithParent makes the kernel stop a process when the thread that starts it
// ends.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = immediateShutdown }
