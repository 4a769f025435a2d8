//go:build linux

// Package site runs the program as .deploy shows it: replicas on one PostgreSQL
// database, behind nginx. It is for tests and for the load.
package site

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
)

// Options say of which parts a Site is made.
type Options struct {
	Program  string    // file of the program
	Config   string    // file of the configuration of nginx, with three replicas
	Dir      string    // for data, certificates and the files of nginx
	Database string    // URL of an empty PostgreSQL database
	Port     string    // of nginx; "" for a free one
	Flags    []string  // of serve, further ones
	Env      []string  // of the replicas, further variables
	Log      io.Writer // gets the logs of the replicas too, if it is set
}

// Site is three replicas behind nginx.
type Site struct {
	Origin   string // https://localhost:PORT
	Replicas []*Replica

	dir   string
	proxy *exec.Cmd
}

// Replica is one process of the program.
type Replica struct {
	Process *os.Process

	cmd     *exec.Cmd
	program string
	args    []string
	env     []string
	address string
	log     io.Writer
	last    *tail
}

// tail keeps the last bytes that were written to it.
type tail struct{ kept []byte }

const tailSize = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-tailSize):]
	return len(p), nil
}

// replicas is how many there are in the configuration of nginx.
const replicas = 3

// Start starts a Site. Stop must be called if there is no error.
func Start(ctx context.Context, o Options) (_ *Site, err error) {
	nginx, err := FindNginx()
	if err != nil {
		return nil, err
	}
	port := o.Port
	if port == "" {
		if port, err = FreePort(); err != nil {
			return nil, err
		}
	}
	s := &Site{Origin: "https://localhost:" + port, dir: o.Dir}
	defer func() {
		if err != nil {
			s.Stop()
		}
	}()
	program, err := filepath.Abs(o.Program)
	if err != nil {
		return nil, err
	}
	args := append([]string{
		"serve", "-public", "-base-url", s.Origin, "-trusted-proxy", "127.0.0.1",
		"-data", filepath.Join(o.Dir, "data"), "-db", o.Database, "-replicas", fmt.Sprint(replicas),
	}, o.Flags...)
	for n := range replicas {
		free, err := FreePort()
		if err != nil {
			return nil, err
		}
		r := &Replica{program: program, address: "127.0.0.1:" + free, env: o.Env, log: o.Log}
		r.args = append(slices.Clone(args), "-replica-name", fmt.Sprint("playground-", n+1))
		if err := r.Start(ctx); err != nil {
			return nil, err
		}
		s.Replicas = append(s.Replicas, r)
	}
	if err := certify(o.Dir); err != nil {
		return nil, err
	}
	return s, s.serveProxy(ctx, nginx, o.Config, port)
}

// Stop ends nginx and the replicas.
func (s *Site) Stop() {
	if s.proxy != nil && s.proxy.Process != nil {
		_ = s.proxy.Process.Signal(syscall.SIGTERM) // its workers end with it
		_ = s.proxy.Wait()
	}
	for _, r := range s.Replicas {
		r.Kill()
	}
}

// FreePort returns a TCP port that nothing listens on at 127.0.0.1, below those that
// the system gives to others meanwhile.
func FreePort() (string, error) {
	for tries := 0; ; tries++ {
		port := fmt.Sprint(10_000 + rand.IntN(20_000))
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err == nil {
			return port, l.Close()
		}
		if tries == 100 {
			return "", err
		}
	}
}

// Start starts the process, also again, and returns when it listens.
func (r *Replica) Start(ctx context.Context) error {
	r.cmd = exec.CommandContext(ctx, r.program, append(slices.Clone(r.args), "-addr", r.address)...)
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	r.cmd.Env = append([]string{"HOME=" + filepath.Dir(r.program)}, r.env...)
	r.last = &tail{}
	r.cmd.Stderr = r.last
	if r.log != nil {
		r.cmd.Stderr = io.MultiWriter(r.last, r.log)
	}
	out, err := r.cmd.StdoutPipe()
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("start a replica: %w", err)
	}
	r.Process = r.cmd.Process
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return errors.Join(fmt.Errorf("a replica does not listen: %w", err), r.cmd.Wait())
	}
	return nil
}

// Wait returns when the process has ended. Its error, if it failed, ends with the
// last lines of its log.
func (r *Replica) Wait() error {
	if err := r.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: …%s", err, r.last.kept)
	}
	return nil
}

// Kill ends the process as a power failure would.
func (r *Replica) Kill() {
	_ = r.Process.Kill()
	_ = r.cmd.Wait()
}

// URL returns where the replica listens, without the proxy.
func (r *Replica) URL() string { return "http://" + r.address }

// IsReady reports whether the replica is ready for requests.
func (r *Replica) IsReady() bool {
	res, err := http.Get(r.URL() + "/readyz")
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}
