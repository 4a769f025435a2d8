package main

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const callHelp = `usage: mrtr-playground call [flags] URL [TOOL [ARGUMENTS]]
       mrtr-playground call [flags] URL -prompt PROMPT [ARGUMENTS]
       mrtr-playground call [flags] URL -resource URI [ARGUMENTS]
       mrtr-playground call [flags] -replay FILE [URL]

Calls a tool of the MCP server at URL, gets a prompt or reads a resource, and
answers the server's questions, round by round. ARGUMENTS is a JSON object, a
@FILE or -: see "help values". With only a URL it lists what the server offers.

{flags}

Exit codes: 0 the call completed (with -replay: without differences), 1 it did
not or the tool reported an error, 2 usage error.
`

// callOptions are the settings of call.
type callOptions struct {
	url, name    string
	arguments    json.RawMessage
	method       string
	answers      map[string]json.RawMessage
	header       []wire.Field
	capabilities json.RawMessage
	most         int
	json, public bool
	trace        string         // traceparent of a new trace; empty for none
	era          playground.Era // empty to detect it
	replay       string         // file
	edit         *lab.Patch     // of one request; nil for none
	stdio        commandWords   // of the server, in place of a URL
	certificate  string         // fingerprint of -trust-certificate; empty for none
	trust        wire.Trust     // made of it
	signIn       signInOptions
	timeout      time.Duration // 0 for the usual ones
	limits       limits
	set          map[string]bool // names of the limits that were set
}

// setLimit sets a limit from NAME=VALUE.
func (o *callOptions) setLimit(text string) error {
	if err := o.limits.set(text); err != nil {
		return err
	}
	if o.set == nil {
		o.set = map[string]bool{}
	}
	name, _, _ := strings.Cut(text, "=")
	o.set[name] = true
	return nil
}

// answerLimits returns the limits of responses with -timeout.
func (o callOptions) answerLimits() wire.Limits { return o.limitsFor(o.timeout) }

// limitsFor returns the limits of a response that is waited for so long, which sets the times
// that -limit does not; 0 sets none.
func (o callOptions) limitsFor(wait time.Duration) wire.Limits {
	l := o.limits.answers
	if wait > 0 && !o.set["answer-first-byte"] {
		l.FirstByte = wait
	}
	if wait > 0 && !o.set["answer-total"] {
		l.Total = 3 * wait
	}
	return l
}

// roots returns the roots among the answers, a JSON array.
func (o callOptions) roots() json.RawMessage {
	answer, err := jsontree.Parse(o.answers[playground.RootsList], jsontree.Limits{})
	if roots := answer.Get("roots"); err == nil && roots != nil && roots.Kind == jsontree.Array {
		return roots.Raw()
	}
	return json.RawMessage("[]")
}

func parseCall(args []string, getenv func(string) string, stdout io.Writer) (callOptions, error) {
	o := callOptions{limits: localLimits()}
	var answers, capabilities, edit string
	v := newValues(getenv)
	f := newFlags("call")
	f.StringVar(&answers, "answers", "", "")
	f.StringVar(&o.method, "method", playground.ToolsCall, "")
	f.StringVar(&capabilities, "capabilities", string(
		playground.Declare([]string{"elicitation.form", "elicitation.url", "sampling", "roots", "tasks"}),
	), "")
	f.IntVar(&o.most, "rounds", 0, "")
	f.DurationVar(&o.timeout, "timeout", 0, "")
	f.Func("limit", "", o.setLimit)
	f.StringVar(&o.replay, "replay", "", "")
	f.StringVar(&edit, "edit", "", "")
	f.Func("era", "", func(s string) error { return setEra(&o.era, s) })
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVar(&o.public, "public", false, "")
	f.BoolFunc("trace", "", func(s string) error { return setTrace(&o.trace, s) })
	f.StringVar(&o.certificate, "trust-certificate", "", "")
	f.Func("header", "", v.headers("-header", &o.header))
	f.Func("stdio", "", o.stdio.add)
	o.offer(f, "prompt", playground.PromptsGet)
	o.offer(f, "resource", playground.ResourcesRead)
	o.signIn.flags(f)
	words, err := readFlags(f, args, getenv, stdout)
	if err != nil {
		return o, err
	}
	if err := o.signIn.check(getenv); err != nil {
		return o, err
	}
	if err := o.useStdio(); err != nil {
		return o, err
	}
	if o.timeout < 0 {
		return o, &usageError{"-timeout must be above zero"}
	}
	if o.replay != "" {
		if len(words) > 1 || edit != "" || o.name != "" {
			return o, &usageError{"-replay takes at most a URL; the calls come from the file"}
		}
		if o.certificate != "" {
			return o, &usageError{"-replay does not take -trust-certificate"}
		}
		if o.trace != "" {
			return o, &usageError{"-replay does not take -trace; the calls come from the file"}
		}
		if o.stdio == nil {
			o.url = strings.Join(words, "")
		} else if len(words) > 0 {
			return o, &usageError{"-stdio stands for the URL"}
		}
		return o, nil
	}
	if o.stdio != nil {
		words = slices.Insert(words, 0, o.url)
	}
	if o.name != "" && len(words) > 0 { // named by a flag
		words = slices.Insert(words, 1, o.name)
	}
	if n := len(words); n < 1 || n > 3 {
		return o, &usageError{"call needs a URL, and optionally a name and arguments; see call -help"}
	}
	words = append(words, "", "")
	o.url, o.name, o.arguments = words[0], words[1], json.RawMessage(cmp.Or(words[2], "{}"))
	o.capabilities = json.RawMessage(capabilities)
	if err := o.check(v); err != nil {
		return o, err
	}
	if edit != "" && o.name == "" {
		return o, &usageError{"-edit needs the name of what is called"}
	}
	if o.trace != "" && o.name == "" {
		return o, &usageError{"-trace needs the name of what is called"}
	}
	if o.answers, err = v.answers(answers); err == nil {
		o.edit, err = readEdit(v, edit)
	}
	return o, err
}

// serverName returns how the server that is called is named.
func (o callOptions) serverName() string {
	if o.stdio != nil {
		return lines.NameOf(o.stdio[0])
	}
	return o.url
}

// offer adds the flag for the name of the tool, prompt or resource of a method.
func (o *callOptions) offer(f *flag.FlagSet, name, method string) {
	f.Func(name, "", func(s string) error {
		switch {
		case s == "":
			return errors.New("it needs a name")
		case o.name != "":
			return errors.New("only one tool, prompt or resource can be called at a time")
		}
		o.name, o.method = s, method
		return nil
	})
}

// setEra reads the value of -era.
func setEra(era *playground.Era, s string) error {
	switch e := playground.Era(s); e {
	case playground.Modern, playground.Legacy:
		*era = e
		return nil
	}
	return fmt.Errorf("era %q is neither modern nor legacy", s)
}

// setTrace reads the value of -trace, and makes the traceparent.
func setTrace(trace *string, s string) error {
	on, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", s)
	}
	*trace = ""
	if on {
		var random [24]byte
		_, _ = rand.Read(random[:]) // never fails
		*trace = playground.NewTrace(random).String()
	}
	return nil
}

func addHeader(list *[]wire.Field, s string) error {
	name, value, ok := strings.Cut(s, ":")
	field := wire.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}
	if !ok {
		return fmt.Errorf("header %q is not 'Name: value'", s)
	}
	*list = append(*list, field)
	return wire.CheckField(field)
}

// check completes the options, whose arguments and capabilities are as they were given.
func (o *callOptions) check(v *values) (err error) {
	if _, failure := wire.CheckURL(o.url, reachOf(o.public)); failure != nil && o.stdio == nil {
		return &usageError{failure.Detail}
	}
	if err := o.readTrust(); err != nil {
		return err
	}
	if o.arguments, err = v.object("ARGUMENTS", string(o.arguments)); err != nil {
		return err
	}
	if o.capabilities, err = v.object("-capabilities", string(o.capabilities)); err != nil {
		return err
	}
	switch o.method {
	case playground.ToolsCall, playground.PromptsGet:
		return nil
	case playground.ResourcesRead:
		if _, err := o.uri(); err != nil {
			return &usageError{err.Error()}
		}
		return nil
	}
	return &usageError{fmt.Sprintf(
		"-method %q cannot ask questions; use tools/call, prompts/get or resources/read", o.method,
	)}
}

// readTrust reads the value of -trust-certificate.
func (o *callOptions) readTrust() (err error) {
	if o.certificate != "" && o.public {
		return &usageError{"-trust-certificate and -public exclude each other"}
	}
	o.trust, err = readTrust(o.url, o.certificate)
	return err
}

// call returns the call that the options describe.
func (o callOptions) call() playground.Call {
	pairs := []jsontree.Pair{
		{Key: "name", Value: jsontree.Quote(o.name)}, {Key: "arguments", Value: o.arguments},
	}
	if uri, err := o.uri(); err == nil && o.method == playground.ResourcesRead {
		pairs = []jsontree.Pair{{Key: "uri", Value: jsontree.Quote(uri)}}
	}
	if o.trace != "" {
		meta := jsontree.ObjectOf(jsontree.Pair{Key: "traceparent", Value: jsontree.Quote(o.trace)})
		pairs = append(pairs, jsontree.Pair{Key: "_meta", Value: meta})
	}
	return playground.Call{Method: o.method, Params: jsontree.ObjectOf(pairs...)}
}

// uri returns the URI of the resource to read: a URI template is expanded with
// the arguments.
func (o callOptions) uri() (string, error) {
	if !strings.Contains(o.name, "{") {
		return o.name, nil
	}
	return server.Resource{URI: o.name}.Expand(o.arguments)
}
