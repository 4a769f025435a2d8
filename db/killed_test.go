package db_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/engine"
	"github.com/mrtr-playground/mrtr-playground/db/engine/tap"
)

// The test program starts itself again as a program that is killed. It kills itself at
// a moment that its test chose: no clock is asked, so that the moment is reached
// however slow the machine is.
const (
	killedFile = "MRTR_TEST_KILLED_FILE" // the database of the program
	killedName = "MRTR_TEST_KILLED_NAME" // the prefix of the ids that it stores; unset, it opens and closes
	killedAt   = "MRTR_TEST_KILLED_AT"   // a moment; unset, it is not killed
	soakTime   = "MRTR_SOAK"             // how long the long tests may take; unset, they are short
)

// moment is when a program is killed.
type moment struct {
	kind string // see below
	n    int64
}

const (
	before = "before" // the nth statement
	during = "during" // the nth statement, or right after it
	logged = "logged" // as soon as its log has n bytes
)

func (m moment) String() string { return fmt.Sprint(m.kind, " ", m.n) }

// randomMoment returns one of the moments of a program that sends so many statements
// and whose log grows to so many bytes.
func randomMoment(statements, log int64) moment {
	kind := []string{before, during, logged}[rand.IntN(3)]
	if kind == logged && log > 0 {
		return moment{logged, 1 + rand.Int64N(log)}
	}
	return moment{[]string{before, during}[rand.IntN(2)], 1 + rand.Int64N(statements)}
}

// program returns a command that runs the test program as one that is killed.
func program(t *testing.T, path, name string, at moment) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killedFile+"="+path, killedName+"="+name)
	if at.kind != "" {
		cmd.Env = append(cmd.Env, killedAt+"="+at.String())
	}
	cmd.Stderr = os.Stderr
	return cmd
}

// wasKilled waits for a program and reports whether it was killed. An error of its own
// fails the test.
func wasKilled(t *testing.T, cmd *exec.Cmd) bool {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.Exited()) {
		t.Fatalf("the program ended by itself: %v", err)
	}
	return err != nil
}

// costs are what a program that is not killed does with a file.
type costs struct{ statements, log int64 }

// openAndClose runs a program that opens and closes a file, and is killed if at says
// so.
func openAndClose(t *testing.T, path string, at moment) (costs, bool) {
	t.Helper()
	cmd := program(t, path, "", at)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var c costs
	_, _ = fmt.Fscan(out, &c.statements, &c.log) // nothing of a program that was killed
	return c, wasKilled(t, cmd)
}

// runKilled is the program that is killed.
func runKilled() error {
	var at moment
	_, _ = fmt.Sscan(os.Getenv(killedAt), &at.kind, &at.n)
	path, ctx := os.Getenv(killedFile), context.Background()
	var done, log atomic.Int64
	stop := make(chan struct{})
	go watchLog(path, at, &log, stop)
	count := func(context.Context, string, []driver.NamedValue) {
		if done.Add(1) != at.n {
			return
		}
		switch at.kind {
		case before:
			die()
		case during:
			go die()
		}
	}
	s, err := db.Open(ctx, path, engine.WithConnector(tap.Statements(count)))
	if err != nil {
		return err
	}
	if name := os.Getenv(killedName); name != "" {
		return store(ctx, s, name)
	}
	err = s.Close()
	close(stop)
	fmt.Println(done.Load(), log.Load())
	return err
}

// watchLog looks at the log of a file all the time, and keeps its largest size.
func watchLog(path string, at moment, most *atomic.Int64, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		info, err := os.Stat(path + "-wal")
		if err != nil {
			runtime.Gosched()
			continue
		}
		most.Store(max(most.Load(), info.Size()))
		if at.kind == logged && info.Size() >= at.n {
			die()
		}
		runtime.Gosched()
	}
}

// die ends this process as power loss would, without a chance to finish.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	select {} // nothing of it runs until then
}

// copyOf returns the path of a copy of a file.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	from, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.Create(filepath.Join(t.TempDir(), "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return to.Name()
}
