// Package balance lets tests check that a fault leaves nothing behind: no
// goroutine, no open file or connection, and little memory.
package balance

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"
)

// Growth is how many bytes the heap may grow by while a server misbehaves.
const Growth = 10 << 20

// patience is how long what ends by itself may take to end.
const patience = 20 * time.Second

// state is what the process holds.
type state struct {
	goroutines, files int
	heap              uint64
}

func now() state {
	return state{goroutines: runtime.NumGoroutine(), files: openFiles()}
}

// openFiles returns how many files and sockets are open, or 0 where the system
// does not tell. The files of a database do not count: its connections are a pool
// with a limit, and one more may be opened beside a test.
func openFiles() int {
	const dir = "/proc/self/fd"
	list, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	n := 0
	for _, entry := range list {
		if name, _ := os.Readlink(filepath.Join(dir, entry.Name())); !isDatabase.MatchString(name) {
			n++
		}
	}
	return n
}

// isDatabase matches the names of the files of an SQLite database.
var isDatabase = regexp.MustCompile(`\.db(-wal|-shm|-journal)?$`)

// heap returns how many bytes are in use after a collection. The second one
// empties what a sync.Pool still held at the first.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Begin notes the resources of the process and returns a function that fails
// the test if it holds more: goroutines and files at all, and memory by more
// than grow bytes. The function waits for things that end by themselves.
func Begin(t testing.TB, grow uint64) func() {
	t.Helper()
	rest()
	before := now()
	before.heap = heap()
	return func() {
		t.Helper()
		deadline := time.Now().Add(patience)
		after := now()
		for (after.goroutines > before.goroutines || after.files > before.files) &&
			time.Now().Before(deadline) {
			rest()
			time.Sleep(5 * time.Millisecond)
			after = now()
		}
		if after.goroutines > before.goroutines {
			stacks := make([]byte, 1<<16)
			t.Errorf("%d goroutines, %d before\n%s", after.goroutines, before.goroutines,
				stacks[:runtime.Stack(stacks, true)])
		}
		if after.files > before.files {
			t.Errorf("%d open files, %d before", after.files, before.files)
		}
		if size := heap(); size > before.heap+grow {
			t.Errorf("the heap has %d bytes, %d before", size, before.heap)
		}
	}
}

// rest closes the idle connections of the tests' own client.
func rest() {
	http.DefaultClient.CloseIdleConnections()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}
