package lesson_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// expect checks one claim.
func (a *actor) expect(rest string) {
	what, rest, _ := strings.Cut(rest, " ")
	rest = strings.TrimSpace(rest)
	switch what {
	case "no":
		a.expectNone(rest)
	case "sent":
		a.like(a.sent, rest)
	case "received":
		a.like(a.got, rest)
	case "claims":
		a.expectClaims(rest)
	case "http-sent":
		a.expectFrame(rest)
	case "http-received":
		a.expectAnswer(rest)
	case "unreadable":
		if strings.Contains(opened(a.last().StateText()), rest) {
			a.fail("the state shows %q", rest)
		}
	case "state":
		if text := a.last().StateText(); text == "" || rest != "" && !matches(text, rest) {
			a.fail("state %q, want %q", text, rest)
		}
	case "rule":
		a.expectRule(strings.Fields(rest))
	case "field":
		path, want, _ := strings.Cut(rest, " ")
		if got := at(a.got, path); got == nil || want != "" && string(got.Raw()) != want {
			a.fail("%s is %s, want %s", path, got.Raw(), want)
		}
	case "text":
		a.expectText(rest)
	case "task":
		if text := texts(a.got.At("result", "result")); !strings.Contains(text,
			strings.TrimPrefix(rest, "text ")) {
			a.fail("task gave %q", text)
		}
	default:
		if got, want := a.fact(what, rest), rest; got != want {
			a.fail("%s is %q, want %q", what, got, want)
		}
	}
}

// fact returns a value that is compared as text.
func (a *actor) fact(what, rest string) string {
	switch what {
	case "outcome":
		return string(a.last().Kind)
	case "status":
		return string(playground.Fold(a.x.Log).Status)
	case "rounds":
		return fmt.Sprint(len(playground.Fold(a.x.Log).Rounds))
	case "spans":
		return a.spans()
	case "instance":
		return a.last().Instance
	case "http":
		return fmt.Sprint(a.status)
	case "type":
		kind, _, _ := strings.Cut(a.answered.Get("Content-Type"), ";")
		return kind
	case "error":
		return string(a.got.At("error", "code").Raw())
	case "challenge":
		name, _, _ := strings.Cut(rest, " ")
		return name + " " + a.challenge(name)
	case "answered":
		return fmt.Sprint(a.legacy.answered)
	case "versions":
		return strings.Join(a.connected.Versions, " ")
	case "keys":
		var keys []string
		for _, q := range a.last().Questions {
			keys = append(keys, q.Key)
		}
		slices.Sort(keys)
		return strings.Join(keys, " ")
	case "messages":
		method, _, _ := strings.Cut(rest, " ")
		n := 0
		for _, m := range a.last().AllMessages() {
			if m.Method() == method {
				n++
			}
		}
		return fmt.Sprint(method, " ", n)
	}
	return "unknown kind of claim"
}

// challenge returns a parameter of the header WWW-Authenticate, whose values are quoted.
func (a *actor) challenge(name string) string {
	_, rest, _ := strings.Cut(" "+a.answered.Get("WWW-Authenticate"), " "+name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// spans returns how many spans the requests of the call are, if all that have one
// are in one trace.
func (a *actor) spans() string {
	traces, spans := map[string]bool{}, map[string]bool{}
	for _, r := range playground.Fold(a.x.Log).Rounds {
		if trace, ok := r.Trace(); ok {
			traces[trace.ID], spans[trace.Span] = true, true
		}
	}
	if len(traces) > 1 {
		return fmt.Sprintf("in %d traces", len(traces))
	}
	return fmt.Sprint(len(spans))
}

func (a *actor) expectNone(rest string) {
	kind, path, _ := strings.Cut(rest, " ")
	switch {
	case kind == "state" && a.last().State == nil:
	case kind == "sent" && at(a.sent, path) == nil:
	case kind == "field" && at(a.got, path) == nil:
	default:
		a.fail("there is: %s", rest)
	}
}

func (a *actor) expectText(want string) {
	got := a.legacy.text
	if got == "" {
		got = texts(a.got.Get("result"))
	}
	if !strings.Contains(got, want) {
		a.fail("text %q, want %q", got, want)
	}
}

// expectRule checks "ID VERDICT [at ROUND]".
func (a *actor) expectRule(words []string) {
	round := a.last().N
	if len(words) == 4 {
		round, _ = strconv.Atoi(words[3])
	}
	for _, f := range rules.Judge(a.x) {
		if f.Rule == words[0] && f.Round == round {
			if string(f.Verdict) != words[1] {
				a.fail("%s says %s in round %d: %s", f.Rule, f.Verdict, f.Round, f.Text)
			}
			return
		}
	}
	a.fail("%s says nothing of round %d", words[0], round)
}

// expectClaims checks the claims of a readable state.
func (a *actor) expectClaims(want string) {
	text := opened(a.last().StateText())
	if name, ok := strings.CutPrefix(want, "has "); ok {
		if !strings.Contains(text, `"`+name+`"`) {
			a.fail("claims %s have no %s", text, name)
		}
		return
	}
	for part := range strings.SplitSeq(a.last().StateText(), ".") {
		b, err := base64.RawURLEncoding.DecodeString(part)
		if node, fault := jsontree.Parse(b, jsontree.Limits{}); err == nil && fault == nil &&
			node.Kind == jsontree.Object {
			a.like(node, want)
			return
		}
	}
	a.fail("the state cannot be read")
}

// opened returns everything that can be read of a state without a key.
func opened(state string) string {
	text := state
	for part := range strings.SplitSeq(state, ".") {
		if b, err := base64.RawURLEncoding.DecodeString(part); err == nil {
			text += string(b)
		}
	}
	return text
}

// expectFrame compares the last request with an HTTP example: its start line,
// each header field that is shown, and its body.
func (a *actor) expectFrame(example string) {
	head, body := lesson.CutHTTP(example)
	sent, err := wire.ParseHead(a.frame.Head)
	a.must(err)
	a.expectHead(sent, head)
	a.like(a.sent, body)
}

// expectAnswer compares the last response with an HTTP example, which may be a head
// alone.
func (a *actor) expectAnswer(example string) {
	head, body := lesson.CutHTTP(example)
	a.expectHead(a.answered, head)
	if body != "" {
		a.like(a.got, body)
	}
}

func (a *actor) expectHead(got wire.Head, want string) {
	line, fields, _ := strings.Cut(want, "\n")
	if !strings.HasPrefix(got.Line, line) {
		a.fail("the first line is %q, want %q", got.Line, line)
	}
	for field := range strings.Lines(fields) {
		name, value, _ := strings.Cut(strings.TrimSpace(field), ": ")
		if !matches(got.Get(name), value) {
			a.fail("%s is %q, want %q", name, got.Get(name), value)
		}
	}
}

// texts returns all text of a result's content, messages or contents.
func texts(result *jsontree.Node) string {
	var all []string
	for _, name := range []string{"content", "messages", "contents"} {
		if list := result.Get(name); list != nil {
			for _, item := range list.Items {
				all = append(all, item.Get("text").Str()+item.At("content", "text").Str())
			}
		}
	}
	return strings.Join(all, "\n")
}

func at(n *jsontree.Node, path string) *jsontree.Node { return n.At(strings.Split(path, ".")...) }
