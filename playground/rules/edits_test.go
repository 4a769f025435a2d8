package rules_test

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// editsRequest returns a change of the request's JSON.
func editsRequest(edit func(object) bool) func(*trip) bool {
	return func(t *trip) bool { return !t.round.Legacy && t.editRequest(edit) }
}

// editsResult returns a change of the result of a request of 2026-07-28.
func editsResult(edit func(object) bool) func(*trip) bool {
	return func(t *trip) bool { return !t.round.Legacy && t.editResult(edit) }
}

// editsQuestion returns a change of a question with that method.
func editsQuestion(method string, edit func(params object) bool) func(*trip) bool {
	return editsResult(func(r object) bool {
		q := anyValue(at(r, "inputRequests"), func(q object) bool { return q["method"] == method })
		return q != nil && edit(at(q, "params"))
	})
}

// editsForm returns a change of a form.
func editsForm(edit func(params object) bool) func(*trip) bool {
	return editsQuestion("elicitation/create", func(p object) bool {
		return p["mode"] != "url" && edit(p)
	})
}

// editsProperty returns a change of a property of a form.
func editsProperty(edit func(property object) bool) func(*trip) bool {
	return editsForm(func(p object) bool {
		property := anyValue(at(p, "requestedSchema", "properties"), func(object) bool { return true })
		return property != nil && edit(property)
	})
}

// editsFinal returns a change of a complete result of that method.
func editsFinal(method string, edit func(result object) bool) func(*trip) bool {
	return func(t *trip) bool {
		return !t.round.Legacy && t.method == method &&
			t.editResult(func(r object) bool { return r["resultType"] == "complete" && edit(r) })
	}
}

// editsTask returns a change of the result of tasks/get with that status, or of
// any status for "".
func editsTask(status string, edit func(result object) bool) func(*trip) bool {
	return func(t *trip) bool {
		return t.method == playground.TasksGet && t.editResult(func(r object) bool {
			return (status == "" || r["status"] == status) && edit(r)
		})
	}
}

// replacesResult returns a change that puts an error in the place of the
// result.
func replacesResult(status, failure string) func(*trip) bool {
	return func(t *trip) bool {
		return !t.round.Legacy && !t.streams() && t.method == playground.ToolsCall &&
			t.editResponse(func(m object) bool {
				delete(m, "result")
				m["error"] = json.RawMessage(failure)
				return true
			}) && (strings.HasPrefix(status, "200") || t.setStatus(status))
	}
}

// setsHead returns a change of a header field of the request; an empty value
// removes it.
func setsHead(name, value string) func(*trip) bool {
	line := regexp.MustCompile(`(?i)\r\n` + name + `:[^\r]*`)
	return func(t *trip) bool {
		return !t.round.Legacy && t.editHead(func(head string) string {
			if value == "" {
				return line.ReplaceAllString(head, "")
			}
			return line.ReplaceAllString(head, "\r\n"+name+": "+value)
		})
	}
}

// setsResponseHead returns a change of a header field of the response.
func setsResponseHead(name, value string) func(*trip) bool {
	line := regexp.MustCompile(`(?i)\r\n` + name + `:[^\r]*`)
	return func(t *trip) bool {
		return !t.round.Legacy && t.editResponseHead(func(head string) string {
			if value == "" {
				return line.ReplaceAllString(head, "")
			}
			first, rest, _ := strings.Cut(line.ReplaceAllString(head, ""), "\r\n")
			return first + "\r\n" + name + ": " + value + "\r\n" + rest
		})
	}
}

func str(v any) string { s, _ := v.(string); return s }

// isTasks reports whether the request is one of the tasks extension.
func isTasks(t *trip) bool { return strings.HasPrefix(t.method, "tasks/") }

// completes reports whether the call is complete after the trip.
func completes(t *trip) bool { return t.round.Kind == playground.OutcomeComplete && !t.round.IsError }

// editsRetry returns a change of the params of a retry.
func editsRetry(edit func(params object) bool) func(*trip) bool {
	return func(t *trip) bool {
		return t.round.N > 1 && editsRequest(func(m object) bool {
			p := at(m, "params")
			_, answers := p["inputResponses"]
			return playground.IsCall(str(m["method"])) && answers && edit(p)
		})(t)
	}
}

// editsMeta returns a change of the _meta of a request.
func editsMeta(edit func(meta object) bool) func(*trip) bool {
	return editsRequest(func(m object) bool {
		meta := at(m, "params", "_meta")
		return meta != nil && edit(meta)
	})
}

// editsAnswer returns a change of an answer.
func editsAnswer(edit func(answer object) bool) func(*trip) bool {
	return editsRequest(func(m object) bool {
		return anyValue(at(m, "params", "inputResponses"), edit) != nil
	})
}

// editsAsking returns a change of an input_required result.
func editsAsking(edit func(result object) bool) func(*trip) bool {
	return editsResult(func(r object) bool { return r["resultType"] == "input_required" && edit(r) })
}

// editsMessage returns a change of the response message.
func editsMessage(edit func(message object) bool) func(*trip) bool {
	return func(t *trip) bool { return !t.round.Legacy && t.editResponse(edit) }
}

func editsLink(url string) func(*trip) bool {
	return editsQuestion("elicitation/create", func(p object) bool {
		return p["mode"] == "url" && set(p, "url", url)
	})
}

func editsLegacyResult(edit func(result object) bool) func(*trip) bool {
	return func(t *trip) bool {
		return t.round.Legacy && t.method == playground.ToolsCall && completes(t) && t.editResult(edit)
	}
}

// editsBlock removes a member of the first content block that has it.
func editsBlock(result object, name string) bool {
	list, _ := result["content"].([]any)
	for _, b := range list {
		if block, _ := b.(object); remove(block, name) {
			return true
		}
	}
	return false
}

// setsBlock sets a member of the first content block.
func setsBlock(result object, name string, value any) bool {
	list, _ := result["content"].([]any)
	if len(list) == 0 {
		return false
	}
	block, _ := list[0].(object)
	return set(block, name, value)
}

// allResponses returns the bytes of the whole response.
func (t *trip) allResponses() []byte {
	var all []byte
	for _, i := range t.responses {
		all = append(all, t.log[i].Data...)
	}
	return all
}
