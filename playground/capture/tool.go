package capture

import (
	"encoding/json"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Tool returns the definition of a tool, as the newest tools/list of a log has it, or
// nil.
func Tool(log []playground.Event, name string) json.RawMessage {
	for _, r := range slices.Backward(playground.Connections(log)) {
		if r.Method != playground.ToolsList {
			continue
		}
		for _, t := range r.Result.Get("tools").Elements() {
			if t.Get("name").Str() == name {
				return t.Raw()
			}
		}
	}
	return nil
}
