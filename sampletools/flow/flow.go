// Package flow serves a flow, a tool that asks and is described as data by a user, as
// a tool of an MCP server.
//
// Package playground/flow reads a flow and runs its steps. This package speaks MCP: it
// describes the tool, puts the questions of a round or a task, keeps the answers in the
// state, and shows the pages that questions in URL mode lead to. It is the one package of
// the samples that imports something of the client's side, because two readings of one
// language would differ. The imported packages know no message and no schema validator
// (see TestImports_SamplesShareTheLanguage of the command).
package flow

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools/authserver"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// Config has the parts that a Service needs. All of it must be set.
type Config struct {
	Keys *seal.Keys
	Now  func() time.Time
	Rand io.Reader
	Wait func(context.Context, time.Duration) error // takes the time of a progress
	// Pressed has the ids of the pages whose button was pressed; Full is called when it
	// has no room.
	Pressed authserver.Memory
	Full    func()

	Scope   string // what tickets are bound to: another one for each flow
	Link    string // URL of the page of questions in URL mode
	Warning string // for clients and users of the flow
}

// Service runs the calls of one flow.
type Service struct {
	*flow.Flow
	config Config
	input  json.RawMessage // the tool's inputSchema
}

// maxWait is how long a progress takes at most.
const maxWait = time.Minute

// New reads a flow, YAML or JSON, and returns its Service. The error says in
// words why it cannot run.
func New(source []byte, c Config) (*Service, error) {
	f, problems := flow.Parse(source, nil)
	if f == nil {
		return nil, fmt.Errorf("the flow is not valid: %s", problems[0])
	}
	return &Service{f, c, flow.SchemaOf(f.Arguments)}, nil
}

// Warning returns the warning for clients and users of the flow.
func (s *Service) Warning() string { return s.config.Warning }

// Tool returns the tool of the flow.
func (s *Service) Tool() serve.Tool {
	return serve.Tool{
		Name: s.Name, Title: s.Title, Description: s.Description,
		Input: string(s.input), Run: s.run,
	}
}

// Params returns the params of a call of the tool, with the examples and defaults of its
// arguments.
func (s *Service) Params() json.RawMessage {
	return encode(map[string]any{"name": s.Name, "arguments": s.Example()})
}

// Answers returns an answer to the content of each form of the first version before its
// task, by key, made of the examples and defaults of its fields. A task numbers its keys,
// so those of its forms are not known.
func (s *Service) Answers() json.RawMessage {
	all := map[string]any{}
	for _, step := range s.Flow.Versions[0].Steps {
		if step.Kind == flow.Form {
			all[step.Key] = step.Example()
		}
	}
	return encode(all)
}

// encode returns values that came from JSON as JSON.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // cannot happen
		return json.RawMessage(`{}`)
	}
	return b
}

// VersionNames returns the names of the versions. The first is v1.
func (s *Service) VersionNames() []string {
	var names []string
	for _, v := range s.Flow.Versions {
		names = append(names, v.Name)
	}
	return names
}

// StateLife returns how long a state is valid, or 0 if the flow does not say.
func (s *Service) StateLife() time.Duration {
	d, _ := time.ParseDuration(s.State.Life) // it was checked
	return d
}

// HasProgress reports whether the flow reports progress inside its call.
func (s *Service) HasProgress() bool {
	return slices.ContainsFunc(s.Flow.Versions, func(v flow.Version) bool {
		return slices.ContainsFunc(v.Steps, func(s flow.Step) bool { return s.Kind == flow.Progress })
	})
}

// HasTask reports whether a version of the flow goes on as a task.
func (s *Service) HasTask() bool {
	return slices.ContainsFunc(s.Flow.Versions, func(v flow.Version) bool { return v.Task != nil })
}

// HasPage reports whether a version of the flow asks its user to open a page.
func (s *Service) HasPage() bool {
	isPage := func(s flow.Step) bool { return s.Kind == flow.URL }
	return slices.ContainsFunc(s.Flow.Versions, func(v flow.Version) bool {
		return slices.ContainsFunc(v.Steps, isPage) ||
			v.Task != nil && slices.ContainsFunc(v.Task.Steps, isPage)
	})
}

// asksAgain reports whether any version of the flow asks a question again, so that a
// state has to say which version asked.
func (s *Service) asksAgain() bool {
	return slices.ContainsFunc(s.Flow.Versions, func(v flow.Version) bool { return len(v.Again) > 0 })
}

// PlainText returns text of a stranger for one line, of at most that many characters,
// without those that control or turn around their neighbours.
func PlainText(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			r = ' '
		}
		if n++; n > most {
			return b.String() + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}
