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
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// Table returns all gateways, in the order of a table of them.
func Table() []Gateway {
	return slices.Concat(debianGateways(), moduleGateways(), packageGateways())
}

// Wait is how long a gateway may take until it lists the tools of the upstream.
const Wait = 2 * time.Minute

// Measure starts a gateway in front of the upstream of the command gateway of a program, and
// returns the report of that command. A line that failed is no error. Nothing that it started runs
// when it returns.
func Measure(ctx context.Context, program string, g Gateway) (gateway.Document, error) {
	d, said, err := g.measure(ctx, program)
	if err == nil && !d.Judged {
		err = errors.New(strings.Join(d.Gaps, " "))
	}
	if err != nil {
		return d, fmt.Errorf("measure %s: %w\n%s", g.Slug, err, said)
	}
	if g.Bridged {
		leave(&d)
	}
	return d, nil
}

// measure returns the report, and what the gateway or its command printed.
func (g Gateway) measure(ctx context.Context, program string) (gateway.Document, string, error) {
	args := []string{"gateway", "-format", "json", "-wait", Wait.String()}
	if g.Path == "" {
		dir, err := temporary()
		if err != nil {
			return gateway.Document{}, "", err
		}
		defer os.RemoveAll(dir)
		c, err := g.prepare(dir, "{url}", 0) // the program fills in the address
		if err != nil {
			return gateway.Document{}, "", err
		}
		r, err := run(ctx, program, append(args, "-stdio", strings.Join(c.words, " ")), c.env)
		if err != nil {
			return gateway.Document{}, "", err
		}
		return r.document()
	}
	port, err := freePort()
	if err != nil {
		return gateway.Document{}, "", err
	}
	r, err := run(ctx, program, append(args, g.URL(port)), nil)
	if err != nil {
		return gateway.Document{}, "", err
	}
	stop, err := r.behind(ctx, g, port)
	if err != nil {
		r.stop()
		return gateway.Document{}, "", err
	}
	d, _, err := r.document()
	return d, stop(), err
}

// URL returns the address of the gateway if it listens on a port; empty for a command.
func (g Gateway) URL(port int) string {
	if g.Path == "" {
		return ""
	}
	return fmt.Sprintf("http://127.0.0.1:%d%s", port, g.Path)
}

// Start starts a gateway that has an address on a port, in front of an upstream with the path /mcp.
// stop ends it, and returns the end of what it printed.
func (g Gateway) Start(ctx context.Context, upstream string, port int) (stop func() string, err error) {
	dir, err := temporary()
	if err != nil {
		return nil, err
	}
	c, err := g.prepare(dir, upstream, port)
	if err == nil {
		var s *server
		if s, err = serve(ctx, c); err == nil {
			return func() string {
				defer os.RemoveAll(dir)
				return s.stop()
			}, nil
		}
	}
	return nil, errors.Join(err, os.RemoveAll(dir))
}

// temporary makes a folder. Started by root, a gateway gives up its rights before it reads and
// writes there.
func temporary() (string, error) {
	dir, err := os.MkdirTemp("", "mrtr-gateway-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	return dir, err
}

// byBridge are the lines about HTTP at the upstream, where the bridge is its client.
var byBridge = []string{
	"header-method", "header-name", "header-version", "header-params", "challenge", "error-status",
}

// leave takes back the verdicts about what the bridge does.
func leave(d *gateway.Document) {
	for i, l := range d.Lines {
		if !slices.Contains(byBridge, l.ID) {
			continue
		}
		switch l.Verdict {
		case verdict.Passed:
			d.Summary.Passed--
		case verdict.Failed:
			d.Summary.Failed--
		default:
			continue
		}
		d.Summary.NotJudged++
		l.Verdict, l.Where, l.Times = verdict.NotJudged, nil, 0
		l.Text = "The gateway starts its server as a command, which has no HTTP."
		d.Lines[i] = l
	}
	d.OK = d.Summary.Failed == 0
	d.Headline = "" // it counts what was taken back
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
	return &running{cmd: cmd, out: out, errors: bufio.NewReader(said)}, nil
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

// behind starts the gateway in front of the upstream.
func (r *running) behind(ctx context.Context, g Gateway, port int) (stop func() string, err error) {
	upstream, err := r.upstream()
	if err != nil {
		return nil, err
	}
	return g.Start(ctx, upstream, port)
}

// document waits for the report, and returns the end of what was printed beside it.
func (r *running) document() (d gateway.Document, said string, err error) {
	printed := make(chan string)
	go func() { printed <- last(r.errors) }()
	out, err := io.ReadAll(r.out)
	said = <-printed
	ended := r.cmd.Wait()
	var exit *exec.ExitError
	if err == nil && ended != nil && !errors.As(ended, &exit) {
		err = ended
	}
	if err == nil {
		err = json.Unmarshal(out, &d)
	}
	return d, said, err
}

// stop ends the command before its report.
func (r *running) stop() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
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
