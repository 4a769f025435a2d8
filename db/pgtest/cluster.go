package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

var errNotInstalled = errors.New(
	"PostgreSQL is not installed: the programs initdb and postgres are neither in PATH nor in " +
		"/usr/lib/postgresql/*/bin; on Debian: apt-get install postgresql")

// superuser is the role that a cluster has.
const superuser = "postgres"

// Cluster is a running PostgreSQL.
type Cluster struct {
	bin  string // folder of the programs
	dir  string // of the data, the log and the socket
	user *owner // whom the server runs as; nil for the user of the test

	process *os.Process
	ended   chan struct{} // closed when the process has ended
}

// programs returns the folder of initdb and postgres: that of PATH, or the newest
// of Debian's.
func programs() (string, error) {
	var folders []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(path))
		}
	}
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.SortFunc(installed, func(a, b string) int { return version(b) - version(a) })
	for _, dir := range append(folders, installed...) {
		if isFile(filepath.Join(dir, "initdb")) && isFile(filepath.Join(dir, "postgres")) {
			return dir, nil
		}
	}
	return "", errNotInstalled
}

// version returns the number in /usr/lib/postgresql/15/bin.
func version(dir string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	return n
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// start makes and starts a cluster.
func start() (_ *Cluster, err error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	user, err := serverUser()
	if err != nil {
		return nil, err
	}
	removeStale(Memory())
	// The path is short, because it names a socket.
	dir, err := os.MkdirTemp(Memory(), fmt.Sprintf("pgtest-%d-", os.Getpid()))
	if err != nil {
		return nil, err
	}
	c := &Cluster{bin: bin, dir: dir, user: user}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if err := user.own(dir); err != nil {
		return nil, err
	}
	err = c.run(context.Background(), "initdb", "-D", c.data(), "-U", superuser, "-A", "trust", "-E", "UTF8",
		"--no-locale", "--no-sync")
	if err != nil {
		return nil, err
	}
	return c, c.Start()
}

// removeStale removes the clusters in a folder whose test binary was killed. Their
// servers ended with it.
func removeStale(folder string) {
	if folder == "" {
		folder = os.TempDir()
	}
	found, err := filepath.Glob(filepath.Join(folder, "pgtest-*-*"))
	if err != nil {
		return
	}
	for _, dir := range found {
		pid, err := strconv.Atoi(strings.Split(filepath.Base(dir), "-")[1])
		if err == nil && hasEnded(pid) {
			_ = os.RemoveAll(dir) // another start tries again
		}
	}
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

func (c *Cluster) log() string { return filepath.Join(c.dir, "log") }

// command returns a program of PostgreSQL to be run as the user of the server.
func (c *Cluster) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = c.user.attributes()
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd
}

// run runs a program of PostgreSQL to its end.
func (c *Cluster) run(ctx context.Context, name string, args ...string) error {
	_, err := c.output(ctx, name, args...)
	return err
}

// output returns what a program of PostgreSQL prints.
func (c *Cluster) output(ctx context.Context, name string, args ...string) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd := c.command(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, bytes.TrimSpace(errs.Bytes()))
	}
	return out.Bytes(), nil
}

func (c *Cluster) create(ctx context.Context, name, template string) error {
	args := []string{"-h", c.dir, "-U", superuser, name}
	if template != "" {
		args = append([]string{"-T", template}, args...)
	}
	return c.run(ctx, "createdb", args...)
}

func (c *Cluster) drop(ctx context.Context, name string) error {
	return c.run(ctx, "dropdb", "-h", c.dir, "-U", superuser, "--force", name)
}

// Start starts the cluster after Stop.
func (c *Cluster) Start() error {
	started := make(chan error, 1)
	c.ended = make(chan struct{})
	go func() {
		// The kernel ends the server when the thread that started it ends, so that a
		// test binary that is killed leaves no server.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		cmd, err := c.startServer()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
		close(c.ended)
	}()
	if err := <-started; err != nil {
		return err
	}
	return c.wait()
}

// startServer starts the server. It listens on a socket only, does not wait for
// the disk, and shows bytes as Dump promises.
func (c *Cluster) startServer() (*exec.Cmd, error) {
	log, err := os.OpenFile(c.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := c.command(context.Background(), "postgres", "-D", c.data(), "-k", c.dir,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off",
		"-c", "max_connections=200", "-c", "bytea_output=escape")
	cmd.Stdout, cmd.Stderr = log, log
	endWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c.process = cmd.Process
	return cmd, nil
}

// wait waits until the server answers or ends.
func (c *Cluster) wait() error {
	for {
		err := c.run(context.Background(), "pg_isready", "-q", "-h", c.dir, "-U", superuser)
		if err == nil {
			return nil
		}
		select {
		case <-c.ended:
			return fmt.Errorf("the server ended: %s", c.tail())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// tail returns the end of the log of the server.
func (c *Cluster) tail() string {
	text, err := os.ReadFile(c.log())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}

// Stop stops the server and ends its connections, as a restart does.
func (c *Cluster) Stop() error { return c.end(fastShutdown) }

// Kill stops the server as a crash does. What was committed is there after Start
// unless the machine crashed too.
func (c *Cluster) Kill() error { return c.end(immediateShutdown) }

func (c *Cluster) end(signal os.Signal) error {
	select {
	case <-c.ended:
		return nil
	default:
	}
	if err := c.process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-c.ended
	return nil
}

// remove stops the server and removes its files.
func (c *Cluster) remove() error { return errors.Join(c.Kill(), os.RemoveAll(c.dir)) }
