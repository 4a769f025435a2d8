package serve

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// RunnerConfig has the parts that the tasks of a service need from the program.
type RunnerConfig struct {
	Table  tasks.Table // keeps them for several processes; nil means memory
	Pool   string      // name of the service there
	Limit  int         // most tasks that are kept
	Shared bool        // one caller may have only a part of them
	Now    func() time.Time
	Rand   io.Reader
	Log    *slog.Logger
}

// NewRunner returns a runner whose tasks all instances of a service share.
func NewRunner(c RunnerConfig) *tasks.Runner {
	newID := func() (string, error) {
		b := make([]byte, 12)
		_, err := io.ReadFull(c.Rand, b)
		return fmt.Sprintf("task-%x", b), err
	}
	part := PartOf(c.Limit, c.Shared)
	var store tasks.Store = tasks.NewMemory(c.Now, c.Limit, part)
	if c.Table != nil {
		store = tasks.NewShared(c.Table, c.Pool, c.Limit, part, c.Now, c.Log)
	}
	return tasks.NewRunner(store, c.Now, newID, c.Log)
}
