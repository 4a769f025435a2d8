package expect

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// Difference is one difference between what was expected and what came. Path is a JSON
// Pointer into the response, or a property of the Round itself.
type Difference struct {
	Round int    `json:"round"`
	Path  string `json:"path"`
	Was   string `json:"was"`
	Is    string `json:"is"`
}

// differences returns the differences between the recorded Rounds and those that came.
func differences(was, is []playground.Round) []Difference {
	var list []Difference
	for i := range max(len(is), len(was)) {
		switch {
		case i >= len(is):
			list = append(list, Difference{was[i].N, "round", string(was[i].Kind), "none"})
		case i >= len(was):
			list = append(list, Difference{is[i].N, "round", "none", string(is[i].Kind)})
		default:
			list = append(list, compare(was[i], is[i])...)
		}
	}
	return list
}

func compare(was, is playground.Round) []Difference {
	var list []Difference
	add := func(path, before, after string) {
		if before != after {
			list = append(list, Difference{is.N, path, before, after})
		}
	}
	add("outcome", string(was.Kind), string(is.Kind))
	add("class", string(was.Class), string(is.Class))
	add("status", fmt.Sprint(was.Head.Status), fmt.Sprint(is.Head.Status))
	for _, c := range jsontree.Diff(responseOf(was), responseOf(is)) {
		if !isFresh(c.Path) {
			add(jsontree.Pointer(c.Path...), string(c.Before.Raw()), string(c.After.Raw()))
		}
	}
	return list
}

// responseOf is the response among the messages of a Round; nil when none came.
func responseOf(r playground.Round) *jsontree.Node {
	for _, m := range r.AllMessages() {
		if m.Node != nil && m.IsResponse() {
			return m.Node
		}
	}
	return nil
}

// isFresh reports whether a value differs in every response without meaning:
// states, metadata, ids and times of tasks.
func isFresh(path []string) bool {
	for _, name := range path {
		switch name {
		case "requestState", "_meta", "taskId", "createdAt", "lastUpdatedAt":
			return true
		}
	}
	return false
}
