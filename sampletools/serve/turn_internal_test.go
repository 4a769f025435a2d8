package serve

import (
	"context"
	"testing"
)

// TestTurn_EndsWithResultOrError: the SDK calls scripts where a panic ends the program.
func TestTurn_EndsWithResultOrError(t *testing.T) {
	job := &Job{Run: func(context.Context, JobClient) (*ToolResult, error) { return nil, nil }}
	for name, script := range map[string]Script{
		"panics":          func(context.Context, *Turn) (Result, error) { panic("x") },
		"returns no end":  func(context.Context, *Turn) (Result, error) { return nil, nil },
		"job without one": job.runInline,
	} {
		if res, err := (&Turn{}).run(t.Context(), script); res != nil || err == nil {
			t.Errorf("%s: %v, %v", name, res, err)
		}
	}
}
