package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/playground"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// silent is a server that never answers.
type silent struct{ asked chan struct{} }

func (s silent) Send(ctx context.Context, _ string, _ wire.Frame, _ func(wire.Part) error) wire.Timing {
	s.asked <- struct{}{}
	<-ctx.Done()
	return wire.Timing{}
}

// cutOff makes a database in data as a process leaves it that is killed while
// it waits for the answer of one exchange, x. It returns the file.
func cutOff(t *testing.T, data string, add func(*db.Store, playground.Exchange) error) string {
	t.Helper()
	path := filepath.Join(data, "playground.db")
	store, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	x := playground.Exchange{
		ID: "x", Session: "s", Created: time.Now(),
		Target: playground.Target{
			ID: "slow", Sample: "slow", Name: "slow", URL: "http://127.0.0.1:1/mcp/slow",
			Capabilities: json.RawMessage("{}"),
		},
		Call: playground.Call{
			Method: playground.ToolsCall,
			Params: json.RawMessage(`{"name":"wait","arguments":{"seconds":15}}`),
		},
	}
	if err := add(store, x); err != nil {
		t.Fatal(err)
	}
	server := silent{make(chan struct{}, 1)}
	runner := rounds.New(rounds.Config{
		Log: store, Caller: server, Client: client(), Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	if _, err := runner.Decide(t.Context(), x,
		playground.Decision{Action: playground.ActionStart, Round: 1}); err != nil {
		t.Fatal(err)
	}
	<-server.asked
	if err := store.Close(); err != nil { // nothing is recorded from here on
		t.Fatal(err)
	}
	now, stop := context.WithCancel(t.Context())
	stop()
	_ = runner.Close(now)
	return path
}

func addExchange(s *db.Store, x playground.Exchange) error {
	return s.AddExchange(context.Background(), "local", "wait", x)
}

// addTask adds x and, before it, an exchange whose task is to be polled.
func addTask(s *db.Store, x playground.Exchange) error {
	task := x
	task.ID, task.Session = "task", "tasks"
	task.Target.Capabilities = playground.Declare([]string{"tasks"})
	if err := s.AddExchange(context.Background(), "local", "task", task); err != nil {
		return err
	}
	log := []playground.Event{
		playground.Decision{Action: playground.ActionStart, Round: 1}.Event(x.Created),
		{At: x.Created, Conn: 1, Kind: playground.Sent, Data: []byte(taskRequest)},
		{At: x.Created, Conn: 1, Kind: playground.Received, Data: []byte(taskResponse)},
	}
	if err := s.Append(context.Background(), task.ID, playground.Summarise(log), log...); err != nil {
		return err
	}
	return addExchange(s, x)
}

const (
	taskRequest = "POST /mcp/slow HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n\r\n" +
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{},` +
		`"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":` +
		`{"io.modelcontextprotocol/tasks":{}}}}}}`
	taskResponse = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"T","status":"working",` +
		`"pollIntervalMs":1}}`
)

func addCheck(s *db.Store, x playground.Exchange) error {
	return s.AddCheck(context.Background(), "local", "Check of wait", x)
}

func openService(t *testing.T, data string) (*service, error) {
	t.Helper()
	o, err := parseOptions([]string{"-data", data}, noEnv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.baseURL = "http://127.0.0.1:1"
	return newService(t.Context(), o, noEnv, newMetrics(), slog.New(slog.DiscardHandler))
}

// TestRecover_InterruptsWhatAKilledProcessLeftRunning checks that an exchange
// of a check is recovered like any other.
func TestRecover_InterruptsWhatAKilledProcessLeftRunning(t *testing.T) {
	for name, add := range map[string]func(*db.Store, playground.Exchange) error{"call": addExchange,
		"check": addCheck} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			cutOff(t, data, add)
			a, err := openService(t, data)
			if err != nil {
				t.Fatal(err)
			}
			defer a.abort()
			if ids, err := a.store.Unfinished(t.Context()); err != nil || len(ids) > 0 {
				t.Errorf("unfinished: %q, %v", ids, err)
			}
			x, err := a.store.ExchangeByID(t.Context(), "x")
			if err != nil {
				t.Fatal(err)
			}
			if status := x.Fold().Status; status != playground.StatusInterrupted {
				t.Errorf("status %s, want %s", status, playground.StatusInterrupted)
			}
		})
	}
}

// TestNewApp_ClosesEverythingWhenItFails makes it fail late: of two exchanges
// that are to be recovered the first has a task, which is polled, and the
// second cannot be read.
func TestNewApp_ClosesEverythingWhenItFails(t *testing.T) {
	before := runtime.NumGoroutine()
	data := t.TempDir()
	path := cutOff(t, data, addTask)
	unfinished(t, path, "task", "x")
	damage(t, path)
	if _, err := openService(t, data); err == nil || !strings.Contains(err.Error(), "read exchange") {
		t.Fatalf("got %v, want an error of reading the exchange", err)
	}
	settled(t, before)
	store, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("the database is still open: %v", err)
	}
	_ = store.Close()
}

// unfinished checks which exchanges are to be recovered, in order.
func unfinished(t *testing.T, path string, want ...string) {
	t.Helper()
	store, err := db.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if ids, err := store.Unfinished(t.Context()); err != nil || !slices.Equal(ids, want) {
		t.Fatalf("unfinished: %q, %v; want %q", ids, err, want)
	}
}

// damage makes the headers of exchange x unreadable.
func damage(t *testing.T, path string) {
	t.Helper()
	file, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.ExecContext(t.Context(),
		`UPDATE exchange SET header = '{' WHERE id = 'x'`); err != nil {
		t.Fatal(err)
	}
}

// TestServe_ClosesEverythingWhenItFails makes it fail after newApp: the address
// for metrics is in use.
func TestServe_ClosesEverythingWhenItFails(t *testing.T) {
	other, err := serveAdmin(
		t.Context(), "127.0.0.1:0", newMetrics().handler(), slog.New(slog.DiscardHandler),
	)
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	before := runtime.NumGoroutine()
	args := []string{"-addr", "127.0.0.1:0", "-data", data, "-admin", other.String()}
	if err := run(t.Context(), args, noEnv, io.Discard, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "-admin") {
		t.Fatalf("got %v, want an error of -admin", err)
	}
	settled(t, before)
	store, err := db.Open(t.Context(), filepath.Join(data, "playground.db"))
	if err != nil {
		t.Fatalf("the database is still open: %v", err)
	}
	_ = store.Close()
}
