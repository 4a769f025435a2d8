package gateways

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/gateway"
)

// Table returns all gateways, in the order of a table of them.
func Table() []Gateway {
	return slices.Concat(debianGateways(), moduleGateways(), packageGateways())
}

// Wait is how long a gateway may take until it lists the tools of the upstream.
const Wait = 2 * time.Minute

// Measure starts a gateway in front of the upstream of the command gateway of a program, and
// returns the report of that command. A line that failed is no error. Nothing it started runs
// when it returns.
func Measure(ctx context.Context, program string, g Gateway) (gateway.Document, error) {
	dir, err := os.MkdirTemp("", "mrtr-gateway-"+g.Slug+"-")
	if err != nil {
		return gateway.Document{}, err
	}
	defer os.RemoveAll(dir)
	// Started by root, a gateway gives up its rights before it reads and writes there.
	if err := os.Chmod(dir, 0o755); err != nil {
		return gateway.Document{}, err
	}
	d, err := measure(ctx, program, g, dir)
	if err != nil {
		return d, fmt.Errorf("measure %s: %w", g.Slug, err)
	}
	return d, nil
}

func measure(ctx context.Context, program string, g Gateway, dir string) (gateway.Document, error) {
	port, err := freePort()
	if err != nil {
		return gateway.Document{}, err
	}
	args := []string{"gateway", "-format", "json", "-wait", Wait.String()}
	if g.Path == "" {
		// The program fills in the address of the upstream itself.
		c, err := g.prepare(dir, "{url}", 0)
		if err != nil {
			return gateway.Document{}, err
		}
		r, err := run(ctx, program, append(args, "-stdio", strings.Join(c.words, " ")), c.env)
		if err != nil {
			return gateway.Document{}, err
		}
		return r.document()
	}
	r, err := run(ctx, program, append(args, fmt.Sprintf("http://127.0.0.1:%d%s", port, g.Path)), nil)
	if err != nil {
		return gateway.Document{}, err
	}
	upstream, err := r.upstream()
	if err != nil {
		return gateway.Document{}, errors.Join(err, r.stop())
	}
	c, err := g.prepare(dir, upstream, port)
	if err != nil {
		return gateway.Document{}, errors.Join(err, r.stop())
	}
	server, err := serve(ctx, c)
	if err != nil {
		return gateway.Document{}, errors.Join(err, r.stop())
	}
	d, err := r.document()
	said := server.stop()
	if err != nil || !d.Judged {
		return d, errors.Join(err, fmt.Errorf("%s\n%s", strings.Join(d.Gaps, " "), said))
	}
	return d, nil
}

// running is the command gateway while it runs.
type running struct {
	cmd    *exec.Cmd
	out    io.Reader
	errors *bufio.Reader
}

// run starts the command.
func run(ctx context.Context, program string, args, env []string) (*running, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &running{cmd, out, bufio.NewReader(said)}, nil
}

// upstream returns the address that the command prints.
func (r *running) upstream() (string, error) {
	const before = "point the gateway at "
	line, err := r.errors.ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), before)
	if !ok {
		return "", fmt.Errorf("no address of the upstream in %q: %w", line, err)
	}
	return address, nil
}

// document waits for the report.
func (r *running) document() (gateway.Document, error) {
	said := make(chan string)
	go func() { said <- last(r.errors) }()
	out, err := io.ReadAll(r.out)
	printed := <-said
	ended := r.cmd.Wait()
	var exit *exec.ExitError
	if err == nil && ended != nil && !errors.As(ended, &exit) {
		err = ended
	}
	var d gateway.Document
	if err == nil {
		err = json.Unmarshal(out, &d)
	}
	if err != nil {
		return d, fmt.Errorf("%w\n%s", err, printed)
	}
	return d, nil
}

// stop ends the command before its report.
func (r *running) stop() error {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	return nil
}

// server is a gateway while it runs.
type server struct {
	cmd  *exec.Cmd
	said *os.File
	done chan error
}

// serve starts a gateway in a group of processes of its own, so that those that it starts end
// with it.
func serve(ctx context.Context, c command) (*server, error) {
	said, err := os.CreateTemp(c.dir, "output-")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, c.words[0], c.words[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, append(os.Environ(), c.env...), said, said
	group(cmd)
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, said.Close())
	}
	s := &server{cmd, said, make(chan error, 1)}
	go func() { s.done <- cmd.Wait() }()
	return s, nil
}

// patience is how long a gateway may take to end.
const patience = 5 * time.Second

// stop ends the gateway and returns the end of what it printed.
func (s *server) stop() string {
	end(s.cmd)
	select {
	case <-s.done:
	case <-time.After(patience):
	}
	kill(s.cmd)
	_, _ = s.said.Seek(0, io.SeekStart)
	defer s.said.Close()
	return last(s.said)
}
