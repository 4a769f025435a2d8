package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is a running program.
type program struct {
	url  string
	cmd  *exec.Cmd
	data string
}

// start runs the program with a new data directory and waits until it listens.
func start(ctx context.Context, o options, args ...string) (*program, error) {
	data, err := os.MkdirTemp(o.dir, "mrtr-load-")
	if err != nil {
		return nil, err
	}
	file, err := filepath.Abs(o.program)
	if err != nil {
		return nil, err
	}
	p := &program{data: data}
	p.cmd = exec.CommandContext(ctx, file, append([]string{
		"serve", "-addr", "127.0.0.1:0", "-data", data,
	}, args...)...)
	p.cmd.Env = []string{"HOME=" + data}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.cmd.Stderr = os.Stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(data))
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the program did not start: %w", err), p.stop())
	}
	p.url = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	return p, nil
}

// stop ends the program and removes its data directory.
func (p *program) stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait() // its exit code is that of the signal
	return os.RemoveAll(p.data)
}

// ticksPerSecond is the unit of times in /proc, which is 100 on every platform
// that Go supports.
const ticksPerSecond = 100

// cpu returns the processor time that the program has used.
func (p *program) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The name in parentheses may hold spaces; the times are fields 14 and 15.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0, errors.New("/proc/PID/stat is too short")
	}
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticksPerSecond, err
}

// usage is what a program holds.
type usage struct {
	resident, peak int // KiB of memory
	descriptors    int
	threads        int
}

func (p *program) usage() (usage, error) {
	dir := fmt.Sprintf("/proc/%d", p.cmd.Process.Pid)
	text, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return usage{}, err
	}
	var u usage
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "VmRSS":
			u.resident = n
		case "VmHWM":
			u.peak = n
		case "Threads":
			u.threads = n
		}
	}
	open, err := os.ReadDir(filepath.Join(dir, "fd"))
	u.descriptors = len(open)
	return u, err
}

func (u usage) String() string {
	return fmt.Sprintf("%.0f MiB resident (peak %.0f), %d descriptors, %d threads",
		float64(u.resident)/1024, float64(u.peak)/1024, u.descriptors, u.threads)
}
