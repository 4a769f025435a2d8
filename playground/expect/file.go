package expect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Format and version of a file.
const (
	format  = "mrtr-playground/expectation"
	version = 1
)

// Limits of a file.
const (
	MaxBytes      = 1 << 20
	MaxConditions = 2000 // questions and conditions on the result
)

// ErrFormat is wrapped by the error of Read for a file that is no expectation.
var ErrFormat = errors.New("not an expectation: its format is not \"" + format + "\"")

// Suffix ends the names of files.
const Suffix = ".json"

type file struct {
	Format       string          `json:"format"`
	Version      int             `json:"version"`
	Name         string          `json:"name"`
	URL          string          `json:"url,omitempty"`
	Era          playground.Era  `json:"era,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	Call         fileCall        `json:"call"`
	Rounds       []fileRound     `json:"rounds"`
	Result       *fileResult     `json:"result,omitempty"`
}

type fileCall struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Tool   json.RawMessage `json:"tool,omitempty"`
}

type fileRound struct {
	Asks     []fileAsk `json:"asks"`
	Stops    bool      `json:"stops,omitempty"`
	Instance string    `json:"instance,omitempty"`
}

type fileAsk struct {
	Key     string          `json:"key,omitempty"`
	Method  string          `json:"method"`
	Message *string         `json:"message,omitempty"`
	Schema  json.RawMessage `json:"schema,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

type fileResult struct {
	Outcome playground.OutcomeKind `json:"outcome"`
	IsError *bool                  `json:"isError,omitempty"`
	Code    *int64                 `json:"code,omitempty"`
	Must    []fileCondition        `json:"must,omitempty"`
	Most    int64                  `json:"milliseconds,omitempty"`
}

type fileCondition struct {
	Path     *string         `json:"path,omitempty"`
	Equals   json.RawMessage `json:"equals,omitempty"`
	Contains string          `json:"contains,omitempty"`
	Schema   json.RawMessage `json:"schema,omitempty"`
}

// File returns the expectation as a file. The same expectation gives the same bytes.
func (e Expectation) File() ([]byte, error) {
	f := file{
		Format: format, Version: version, Name: e.Name, URL: e.URL, Era: e.Era, Capabilities: e.Capabilities,
		Call: fileCall{e.Call.Method, e.Call.Params, e.Call.Tool}, Rounds: []fileRound{},
	}
	for _, r := range e.Rounds {
		w := fileRound{Asks: []fileAsk{}, Stops: r.Stops, Instance: r.Instance}
		for _, a := range r.Asks {
			w.Asks = append(w.Asks, fileAsk(a))
		}
		f.Rounds = append(f.Rounds, w)
	}
	if r := e.Result; r != nil {
		f.Result = &fileResult{
			Outcome: r.Outcome, IsError: r.IsError, Code: r.Code, Most: r.Most.Milliseconds(),
		}
		for _, c := range r.Must {
			f.Result.Must = append(f.Result.Must, fileCondition(c))
		}
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	if err := w.Encode(f); err != nil {
		return nil, fmt.Errorf("write expectation: %w", err)
	}
	return b.Bytes(), nil
}

// Read reads a file that File wrote, or that a person wrote in its format. Members that are
// not known are refused. The error says where the file is wrong, and wraps ErrFormat if it
// is another kind of file. Without capabilities, the client declares all that it has.
func Read(data []byte) (Expectation, error) {
	if len(data) > MaxBytes {
		return Expectation{}, fmt.Errorf("larger than %d bytes", MaxBytes)
	}
	if _, err := jsontree.Parse(data, jsontree.Limits{}); err != nil {
		if line, column, ok := jsontree.Place(data, err); ok {
			return Expectation{}, fmt.Errorf("line %d, column %d: %w", line, column, err)
		}
		return Expectation{}, err
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Format != format {
		return Expectation{}, ErrFormat
	}
	if head.Version != version {
		return Expectation{}, fmt.Errorf("version %d is not known; this program reads version %d",
			head.Version, version)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var f file
	if err := d.Decode(&f); err != nil {
		line, column := jsontree.Position(data, int(d.InputOffset()))
		return Expectation{}, fmt.Errorf("before line %d, column %d: %w", line, column, plain(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Expectation{}, errors.New("data after the end")
	}
	return f.expectation()
}

// plain returns an error of a decoder without the names of Go types.
func plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s has a %s, which is of the wrong type", wrong.Field, wrong.Value)
	}
	return errors.New(trimPrefix(err.Error(), "json: "))
}

func trimPrefix(s, prefix string) string { return string(bytes.TrimPrefix([]byte(s), []byte(prefix))) }

func (f file) expectation() (Expectation, error) {
	e := Expectation{
		Name: f.Name, URL: f.URL, Era: f.Era, Capabilities: f.Capabilities,
		Call: playground.Call{Method: f.Call.Method, Params: f.Call.Params, Tool: f.Call.Tool},
	}
	if e.Capabilities == nil {
		e.Capabilities = playground.Declare(
			[]string{"elicitation.form", "elicitation.url", "sampling", "roots", "tasks"},
		)
	}
	if _, failure := wire.CheckURL(e.URL, wire.Reach{}); failure != nil && e.URL != "" &&
		!wire.IsCommand(e.URL) {
		return e, fmt.Errorf("url: %s", failure.Detail)
	}
	switch {
	case f.Era != "" && f.Era != playground.Modern && f.Era != playground.Legacy:
		return e, fmt.Errorf("era: %q is neither modern nor legacy", f.Era)
	case e.Call.Name() == "":
		return e, errors.New("call: its params name no tool, prompt or resource")
	case !canAsk(f.Call.Method):
		return e, fmt.Errorf("call: the method %q cannot ask questions", f.Call.Method)
	case len(f.Rounds) == 0 && f.Result == nil:
		return e, errors.New("it expects nothing: it has neither rounds nor a result")
	case len(f.Rounds) > playground.MaxRounds:
		return e, fmt.Errorf("rounds: more than %d", playground.MaxRounds)
	}
	objects := map[string]json.RawMessage{"capabilities": e.Capabilities, "call/tool": f.Call.Tool}
	for name, v := range objects {
		if v != nil && !isObject(v) {
			return e, fmt.Errorf("%s is not an object", name)
		}
	}
	conditions := 0
	for i, r := range f.Rounds {
		made := Round{Stops: r.Stops, Instance: r.Instance}
		for k, a := range r.Asks {
			if a.Method == "" {
				return e, fmt.Errorf("rounds/%d/asks/%d has no method", i, k)
			}
			made.Asks = append(made.Asks, Ask(a))
			conditions++
		}
		e.Rounds = append(e.Rounds, made)
	}
	if f.Result == nil {
		return e, nil
	}
	if conditions += len(f.Result.Must); conditions > MaxConditions {
		return e, fmt.Errorf("more than %d conditions", MaxConditions)
	}
	return e, f.Result.read(&e)
}

// read sets the result that is expected.
func (r fileResult) read(e *Expectation) error {
	switch _, known := outcomeWords[r.Outcome]; {
	case r.Outcome != playground.OutcomeComplete && !known:
		return fmt.Errorf("result: the outcome %q is not known; use complete, rpc_error or http_error",
			r.Outcome)
	case r.Most < 0:
		return errors.New("result: milliseconds is negative")
	}
	e.Result = &Result{
		Outcome: r.Outcome, IsError: r.IsError, Code: r.Code, Most: time.Duration(r.Most) * time.Millisecond,
	}
	for i, c := range r.Must {
		if err := c.check(); err != nil {
			return fmt.Errorf("result/must/%d: %w", i, err)
		}
		e.Result.Must = append(e.Result.Must, Condition(c))
	}
	return nil
}

func (c fileCondition) check() error {
	n := 0
	for _, has := range []bool{c.Equals != nil, c.Contains != "", c.Schema != nil} {
		if has {
			n++
		}
	}
	if n != 1 {
		return errors.New("it needs exactly one of equals, contains and schema")
	}
	if c.Path == nil && c.Contains == "" {
		return errors.New("it needs a path, a JSON Pointer into the result")
	}
	if c.Path != nil {
		if _, ok := jsontree.ParsePointer(*c.Path); !ok {
			return fmt.Errorf("%q is not a JSON Pointer, such as /structuredContent/total", *c.Path)
		}
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	n, err := jsontree.Parse(raw, jsontree.Limits{})
	return err == nil && n.Kind == jsontree.Object
}

// canAsk reports whether a call of a method can ask questions.
func canAsk(method string) bool {
	switch method {
	case playground.ToolsCall, playground.PromptsGet, playground.ResourcesRead:
		return true
	}
	return false
}
