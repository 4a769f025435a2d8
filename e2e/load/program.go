//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/e2e/site"
)

// program is a running program, or several that share a database.
type program struct {
	url  string
	pids []int
	// URL of the operator's address; "" if it has none
	admin string
	stop  func() error
	// restart kills the program, or one of several, and starts it again
	restart func() error
	// transport returns how the i-th visitor connects; nil for directly
	transport func(i int) (*http.Transport, error)
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
	port, err := site.FreePort()
	if err != nil {
		return nil, err
	}
	own, err := site.FreePort()
	if err != nil {
		return nil, err
	}
	admin := "127.0.0.1:" + port
	var cmd *exec.Cmd
	p := &program{url: "http://127.0.0.1:" + own, admin: admin}
	launch := func() error {
		cmd = exec.CommandContext(ctx, file, append([]string{
			"serve", "-addr", "127.0.0.1:" + own, "-data", data, "-admin", admin,
		}, args...)...)
		cmd.Env = []string{"HOME=" + data}
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		cmd.Stderr = os.Stderr
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		p.pids = []int{cmd.Process.Pid}
		if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
			return fmt.Errorf("the program did not start: %w", err)
		}
		return nil
	}
	p.stop = func() error {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // its exit code is that of the signal
		return os.RemoveAll(data)
	}
	p.restart = func() error {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return launch()
	}
	if err := launch(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(data))
	}
	return p, nil
}

// startReplicas runs three programs on a PostgreSQL database behind nginx, as
// .deploy shows it.
func startReplicas(ctx context.Context, o options, flags []string) (_ *program, err error) {
	cluster, end, err := pgtest.StartCluster()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(o.dir, "mrtr-load-")
	if err != nil {
		return nil, errors.Join(err, end())
	}
	stop := func() error { return errors.Join(end(), os.RemoveAll(dir)) }
	s, err := site.Start(ctx, site.Options{
		Program: o.program, Config: ".deploy/nginx.conf", Dir: dir, Database: cluster.URL("postgres"),
		Flags: flags, Log: os.Stderr,
	})
	if err != nil {
		return nil, errors.Join(err, stop())
	}
	p := &program{
		url: s.Origin, stop: func() error { s.Stop(); return stop() },
		restart: func() error {
			s.Replicas[0].Kill()
			return s.Replicas[0].Start(ctx)
		},
		transport: func(i int) (*http.Transport, error) {
			return s.Transport(net.IPv4(127, 20, byte(i>>8), byte(i)))
		},
	}
	for _, r := range s.Replicas {
		p.pids = append(p.pids, r.Process.Pid)
	}
	return p, nil
}

// ticksPerSecond is the unit of times in /proc, which is 100 on every platform
// that Go supports.
const ticksPerSecond = 100

// cpu returns the processor time that the program has used, without those of
// nginx and PostgreSQL.
func (p *program) cpu() (time.Duration, error) {
	var all time.Duration
	for _, pid := range p.pids {
		used, err := cpuOf(pid)
		if err != nil {
			return 0, err
		}
		all += used
	}
	return all, nil
}

func cpuOf(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
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

// usage is the memory, the open files and the threads of a program.
type usage struct {
	resident, peak int // KiB of memory
	descriptors    int
	threads        int
	goroutines     int // 0 if that is not known
}

// usage returns the usage of the program, or of all of them together.
func (p *program) usage() (usage, error) {
	var all usage
	for _, pid := range p.pids {
		u, err := usageOf(pid)
		if err != nil {
			return usage{}, err
		}
		all.resident += u.resident
		all.peak += u.peak
		all.threads += u.threads
		all.descriptors += u.descriptors
	}
	if p.admin == "" {
		return all, nil
	}
	var err error
	all.goroutines, err = goroutines("http://" + p.admin + "/metrics")
	return all, err
}

// goroutines returns how many goroutines a program says it has.
func goroutines(metrics string) (int, error) {
	res, err := http.Get(metrics)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), "go_goroutines "); ok {
			return strconv.Atoi(value)
		}
	}
	return 0, errors.New("the metrics have no go_goroutines")
}

func usageOf(pid int) (usage, error) {
	dir := fmt.Sprintf("/proc/%d", pid)
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
	text := fmt.Sprintf("%.0f MiB resident (peak %.0f), %d descriptors, %d threads",
		float64(u.resident)/1024, float64(u.peak)/1024, u.descriptors, u.threads)
	if u.goroutines > 0 {
		text += fmt.Sprintf(", %d goroutines", u.goroutines)
	}
	return text
}
