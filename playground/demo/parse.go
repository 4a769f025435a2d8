package demo

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Limits of a story. Its text has at most document.MaxBytes.
const (
	MaxSteps     = 20
	maxTitle     = 120 // characters, also of a claim and of the title of a step
	maxButton    = 60
	maxText      = 600
	maxNote      = 4000
	maxInstances = 8
	maxVersions  = 20
	maxAnswers   = 64
	maxRecorded  = 20
)

// Parse reads a story, YAML or JSON, and checks all of it. It returns either the
// story or its problems.
func Parse(source []byte) (Story, []document.Problem) {
	root, problems := document.Parse(source)
	if len(problems) > 0 {
		return Story{}, problems
	}
	r := &reader{}
	s := r.story(root)
	if problems := r.Problems(); len(problems) > 0 {
		return Story{}, problems
	}
	return s, nil
}

// reader reads a story from a document.
type reader struct {
	document.Reader
	root *document.Node
}

func (r *reader) story(root *document.Node) Story {
	if root.Kind != document.Map {
		r.Wrong(root, "", "A demo begins with its fields: story, title, claim, server, steps.")
		return Story{}
	}
	r.root = root
	r.Fields(root, "", "story", "title", "claim", "lead", "cast", "server", "versions", "instances", "first",
		"call", "answers", "inputResponses", "steps", "verdict", "before")
	if v, ok := r.Number(root.Get("story"), "story"); !ok || v != 1 {
		r.Wrong(first(root.Get("story"), root), "story",
			"A demo file begins with story: 1, the version of the format.")
	}
	s := Story{
		Title:   r.line(root, "", "title", maxTitle, true),
		Claim:   r.line(root, "", "claim", maxTitle, true),
		Lead:    r.line(root, "", "lead", maxText, false),
		Verdict: r.told(root, "", "verdict", maxTitle, false),
		Cast:    r.cast(root.Get("cast")),
	}
	r.server(&s)
	r.instances(&s)
	s.Answers = r.values("answers")
	s.Responses = r.values("inputResponses")
	r.steps(&s)
	r.before(&s)
	return s
}

// first returns the first node that is there.
func first(nodes ...*document.Node) *document.Node {
	i := slices.IndexFunc(nodes, func(n *document.Node) bool { return n != nil })
	return nodes[max(i, 0)]
}

// line reads a text of one line, without hidden characters.
func (r *reader) line(around *document.Node, path, name string, limit int, needed bool) string {
	n, place := around.Get(name), document.Join(path, name)
	var s string
	if needed {
		s = r.Needed(around, path, name, limit)
	} else {
		s = r.Text(n, place, limit)
	}
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "\n\t") {
		r.Wrong(n, place, "This text must be one line. In YAML, >- joins several lines.")
	}
	r.visible(n, place, s)
	return s
}

// visible refuses characters that are not seen, or that change how their
// neighbours are shown.
func (r *reader) visible(n *document.Node, path, s string) {
	if hidden := text.Hidden(s); len(hidden) > 0 {
		r.Wrong(n, path, "This text has the hidden character %U.", hidden[0])
	}
}

var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

// placeholderNames are the names that a text of a step can have in braces.
var placeholderNames = []string{"asked", "other", "version", "result"}

// told is line for a text with placeholders.
func (r *reader) told(around *document.Node, path, name string, limit int, needed bool) string {
	s := r.line(around, path, name, limit, needed)
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		if !slices.Contains(placeholderNames, m[1]) {
			r.Wrong(around.Get(name), document.Join(path, name),
				"%s is not known in a text. Use one of: {%s}.%s", document.Quote(m[0]),
				strings.Join(placeholderNames, "}, {"), document.Suggest(m[1], placeholderNames))
		}
	}
	return s
}

func (r *reader) cast(n *document.Node) Cast {
	if !r.Fields(n, "cast", "you", "client", "state", "instances") {
		return Cast{}
	}
	line := func(name string) string { return r.line(n, "cast", name, 200, true) }
	return Cast{You: line("you"), Client: line("client"), State: line("state"), Instances: line("instances")}
}

// token is the syntax of slugs, ids and tokens, which are a part of a path.
var token = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (r *reader) token(n *document.Node, path string) string {
	s := r.Text(n, path, 64)
	if s != "" && !token.MatchString(s) {
		r.Wrong(n, path, "Only letters, digits, - and _ are allowed here.")
	}
	return s
}

// server reads the server of the story, and its call there.
func (r *reader) server(s *Story) {
	n := r.root.Get("server")
	if !r.Fields(n, "server", "sample", "flow", "recorded") {
		r.Wrong(first(n, r.root), "server", "The field “server” is missing: "+
			"sample and its name, flow and its token, or recorded and the ids of calls.")
		return
	}
	s.Sample, s.Flow = r.token(n.Get("sample"), "server.sample"), r.token(n.Get("flow"), "server.flow")
	for i, item := range r.Items(n.Get("recorded"), "server.recorded", maxRecorded) {
		s.Recorded = append(s.Recorded, r.token(item, document.Index("server.recorded", i)))
	}
	if len(n.Members) != 1 {
		r.Wrong(n, "server", "Write one of sample, flow and recorded.")
	}
	if s.IsRecorded() {
		return
	}
	call := r.root.Get("call")
	if !r.Fields(call, "call", "method", "params") {
		r.Wrong(first(call, r.root), "call", "The field “call” is missing: its method and params.")
		return
	}
	s.Call.Method = r.Choice(call.Get("method"), "call.method", playground.ToolsCall, playground.PromptsGet,
		playground.ResourcesRead)
	if s.Call.Method == "" {
		r.Wrong(call, "call", "The field “method” is missing.")
	}
	if !r.Is(call.Get("params"), "call.params", document.Map) {
		r.Wrong(call, "call.params", "The field “params” is missing: what the request sends.")
	}
	s.Call.Params = call.Get("params").JSON()
}

// instance is the syntax of an instance behind the load balancer.
var instance = regexp.MustCompile(`^([a-z][a-z0-9]{0,15}):(v[1-9][0-9]?)$`)

// instances reads the instances behind the load balancer at the start.
func (r *reader) instances(s *Story) {
	for i, n := range r.Items(r.root.Get("versions"), "versions", maxVersions) {
		v := r.Text(n, document.Index("versions", i), 3)
		s.Versions = append(s.Versions, v)
	}
	if len(s.Versions) == 0 {
		s.Versions = []string{"v1"}
	}
	s.Instances = r.topology(r.root.Get("instances"), "instances", s.Versions)
	if s.Instances == "" {
		s.Instances = "a:" + s.Versions[0] + ",b:" + s.Versions[0]
	}
	t := cluster.ParseTopology(s.Instances, "", s.Versions[0])
	s.First = r.Text(r.root.Get("first"), "first", 16)
	if s.First == "" {
		s.First = t.Instances[0].Name
	}
	if _, ok := t.Find(s.First); !ok {
		r.Wrong(r.root.Get("first"), "first", "%s is none of the instances.", document.Quote(s.First))
	}
}

func (r *reader) topology(n *document.Node, path string, versions []string) string {
	s := r.Text(n, path, 200)
	if s == "" {
		return ""
	}
	entries := strings.Split(s, ",")
	names := map[string]bool{}
	for _, entry := range entries {
		m := instance.FindStringSubmatch(entry)
		switch {
		case m == nil:
			r.Wrong(n, path, "Write instances as a:v1,b:v1.")
			return ""
		case !slices.Contains(versions, m[2]):
			r.Wrong(n, path, "The version %s is not in versions.", m[2])
		case names[m[1]]:
			r.Wrong(n, path, "The instance %s is defined twice.", m[1])
		}
		names[m[1]] = true
	}
	if len(entries) > maxInstances {
		r.Wrong(n, path, "At most %d instances are allowed.", maxInstances)
	}
	return s
}

// values reads objects by key, whose names are the server's.
func (r *reader) values(name string) map[string]json.RawMessage {
	n := r.root.Get(name)
	if !r.Is(n, name, document.Map) {
		return nil
	}
	if len(n.Members) > maxAnswers {
		r.Wrong(n, name, "At most %d answers are allowed.", maxAnswers)
		return nil
	}
	all := map[string]json.RawMessage{}
	for _, m := range n.Members {
		place := document.Join(name, m.Name)
		if r.Is(m.Value, place, document.Map) {
			all[m.Name] = m.Value.JSON()
		} else if m.Value.Kind == document.Null {
			r.Wrong(m.Value, place, "This must be a set of fields, not nothing.")
		}
	}
	return all
}
