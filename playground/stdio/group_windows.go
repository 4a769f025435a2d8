package stdio

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// own starts a command without a window, so that none opens if this program has no console,
// and so that Ctrl-C in its console is not for the command. It waits until hold has put it
// into a job: no child process escapes.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP,
	}
}

// group is the job of a command, which its child processes cannot leave. Windows ends the
// processes of a job when its last handle is closed, and so when this program ends in
// any way.
type group struct {
	mu  sync.Mutex
	job windows.Handle // 0 once it is closed
}

// hold puts a command that has started into a job, and lets it run. A command for which
// that fails ends.
func hold(cmd *exec.Cmd) (*group, error) {
	g := new(group)
	err := g.take(cmd.Process)
	if err == nil {
		err = resume(uint32(cmd.Process.Pid))
	}
	if err != nil {
		_ = cmd.Process.Kill()
		g.kill()
		return nil, fmt.Errorf("put the command into a job: %w", err)
	}
	return g, nil
}

// take puts a process into the new job of g.
func (g *group) take(p *os.Process) (err error) {
	if g.job, err = newJob(); err != nil {
		return err
	}
	var refused error
	err = p.WithHandle(func(handle uintptr) {
		refused = windows.AssignProcessToJobObject(g.job, windows.Handle(handle))
	})
	return errors.Join(err, refused)
}

// newJob returns a job whose processes end with its last handle.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// resume lets the only thread of a process run that was started suspended.
func resume(pid uint32) error {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(list)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(list, &entry); err == nil; err = windows.Thread32Next(list, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return err
}

// asked says of a command that terminate did not end it within a time.
const asked = ", and not within %v after it was ended either"

// terminate ends the command and its child processes: Windows has no signal that asks a
// process without a window or a console.
func (g *group) terminate() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job == 0 {
		return os.ErrProcessDone
	}
	return windows.TerminateJobObject(g.job, 1)
}

// kill ends what still runs, and closes the job.
func (g *group) kill() {
	_ = g.terminate()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
}

// guard does nothing: the job ends with this program.
func (*group) guard() (relieve func()) { return func() {} }

// pipe returns a pipe to or from a command: its end, and that of this program, whose reads
// and writes can have deadlines. Those of os.Pipe cannot on Windows.
func pipe(in bool) (theirs, mine *os.File, err error) {
	path := `\\.\pipe\mrtr-playground-` + rand.Text()
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, nil, err
	}
	access, flag := uint32(windows.PIPE_ACCESS_OUTBOUND), os.O_RDONLY
	if in {
		access, flag = windows.PIPE_ACCESS_INBOUND, os.O_WRONLY
	}
	handle, err := windows.CreateNamedPipe(name, access|windows.FILE_FLAG_FIRST_PIPE_INSTANCE,
		windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, 1, pipeSize, pipeSize, 0, nil)
	if err != nil {
		return nil, nil, err
	}
	mine, err = os.OpenFile(path, flag|windows.FILE_FLAG_OVERLAPPED, 0)
	if err != nil {
		_ = windows.CloseHandle(handle)
		return nil, nil, err
	}
	return os.NewFile(uintptr(handle), path), mine, nil
}

const pipeSize = 64 << 10
