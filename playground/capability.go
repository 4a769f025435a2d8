package playground

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// TasksExtension is the name under which tasks are declared (seps/2663).
const TasksExtension = "io.modelcontextprotocol/tasks"

// Declarable returns the names of the client capabilities that a user may
// declare. A dot separates the members of a path.
func Declarable() []string {
	return []string{"elicitation.form", "elicitation.url", "sampling", "sampling.tools", "roots", "tasks"}
}

// Declare returns the ClientCapabilities object with these names. Other names
// are ignored.
func Declare(names []string) json.RawMessage {
	has := func(name string) bool { return slices.Contains(names, name) }
	var parts []string
	if inner := emptyMembers(has, "elicitation.form", "elicitation.url"); inner != "{}" {
		parts = append(parts, `"elicitation":`+inner)
	}
	if has("sampling") || has("sampling.tools") {
		parts = append(parts, `"sampling":`+emptyMembers(has, "sampling.tools"))
	}
	if has("roots") {
		parts = append(parts, `"roots":{}`)
	}
	if has("tasks") {
		parts = append(parts, `"extensions":{"`+TasksExtension+`":{}}`)
	}
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

// emptyMembers is an object with an empty object for each of the names that is
// had.
func emptyMembers(has func(string) bool, names ...string) string {
	var parts []string
	for _, name := range names {
		if has(name) {
			parts = append(parts, `"`+name[strings.Index(name, ".")+1:]+`":{}`)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// Declares are the names that a ClientCapabilities object declares. An empty
// elicitation means its form mode (client/elicitation, "Capabilities").
func Declares(capabilities json.RawMessage) []string {
	n, err := jsontree.Parse(capabilities, jsontree.Limits{})
	if err != nil {
		return nil
	}
	said := map[string]bool{
		"elicitation.form": n.At("elicitation", "form") != nil ||
			n.Has("elicitation") && n.Get("elicitation").Len() == 0,
		"elicitation.url": n.At("elicitation", "url") != nil,
		"sampling":        n.Has("sampling"),
		"sampling.tools":  n.At("sampling", "tools") != nil,
		"roots":           n.Has("roots"),
		"tasks":           n.At("extensions", TasksExtension) != nil,
	}
	return slices.DeleteFunc(Declarable(), func(name string) bool { return !said[name] })
}
