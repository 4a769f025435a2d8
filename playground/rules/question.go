package rules

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// onlyDeclared is S3. Capabilities count as declared on this very request.
func onlyDeclared(s scene) answer {
	questions := s.questions()
	task := s.Result.Get("resultType").Str() == "task"
	if s.declared() == nil || s.ofTask() || len(questions) == 0 && !task {
		return na()
	}
	if task && s.declared().At("extensions", tasksExtension) == nil {
		return fail("The server answered with a task, but the client did not declare the tasks extension.")
	}
	for _, q := range questions {
		if lacks := undeclared(q.Value, s.declared()); lacks != "" {
			return fail("%s asks for %s, which the client did not declare.", quoted(q.Key), lacks)
		}
	}
	return pass()
}

// undeclared names the capability that a question needs and the client lacks.
// elicitation:{} means form mode only (client/elicitation, "Capabilities").
func undeclared(question, declared *jsontree.Node) string {
	params := question.Get("params")
	switch question.Get("method").Str() {
	case "roots/list":
		return unless(declared.Has("roots"), "roots")
	case "sampling/createMessage":
		if params.Has("tools") || params.Has("toolChoice") {
			return unless(declared.Get("sampling").Has("tools"), "sampling with tools")
		}
		return unless(declared.Has("sampling"), "sampling")
	case "elicitation/create":
		modes := declared.Get("elicitation")
		if params.Get("mode").Str() == "url" {
			return unless(modes.Has("url"), "elicitation in URL mode")
		}
		return unless(modes.Has("form") || modes != nil && modes.Len() == 0, "elicitation in form mode")
	}
	return ""
}

func unless(declared bool, capability string) string {
	if declared {
		return ""
	}
	return capability
}

// knownRequests: the values of inputRequests are one of three requests.
func knownRequests(s scene) answer {
	questions := s.questions()
	for _, q := range questions {
		method := q.Value.Get("method").Str()
		if !slices.Contains([]string{"elicitation/create", "sampling/createMessage", "roots/list"}, method) {
			return fail("%s holds %s, which is none of the three requests that a server may embed.", quoted(q.Key), quoted(method))
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

// completeElicitations wants the parameters that every elicitation must have.
func completeElicitations(s scene) answer {
	questions := s.elicitations("")
	for _, q := range questions {
		if lacks := elicitationLacks(q.Value.Get("params")); lacks != "" {
			return fail("The elicitation %s %s.", quoted(q.Key), lacks)
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

func elicitationLacks(params *jsontree.Node) string {
	mode := params.Get("mode")
	_, hasMessage := params.Get("message").Text()
	schema := params.Get("requestedSchema")
	switch {
	case mode != nil && mode.Str() != "form" && mode.Str() != "url":
		return "has a mode that is neither form nor url"
	case !hasMessage:
		return "has no message that says why it is needed"
	case mode.Str() == "url" && !validURL(params.Get("url").Str()):
		return "has no valid url"
	case mode.Str() != "url" && (schema == nil || schema.Kind != jsontree.Object):
		return "has no requestedSchema"
	}
	return ""
}

func validURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.IsAbs()
}

// noSecretsInForms goes by names, so it can only be a hint.
func noSecretsInForms(s scene) answer {
	questions := s.elicitations("form")
	for _, q := range questions {
		f, err := form.Question(q.Value.At("params", "requestedSchema").Raw())
		if err != nil {
			continue
		}
		for _, field := range f.Fields {
			if field.AsksSecret {
				return hint("The field %s looks like a request for a secret, and a server MUST NOT ask for one in form mode.", quoted(field.Label))
			}
		}
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

// linksUseHTTPS lets loopback pass: that is development.
func linksUseHTTPS(s scene) answer {
	questions := s.elicitations("url")
	for _, q := range questions {
		u, err := url.Parse(q.Value.At("params", "url").Str())
		if err != nil || u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname()) {
			continue // what is no URL at all is another rule's matter
		}
		return hint("The link of %s is %s, not https.", quoted(q.Key), quoted(u.Scheme))
	}
	if len(questions) == 0 {
		return na()
	}
	return pass()
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// notForEver notices the third identical result in a row. A link may be asked
// for as long as it takes: the client cannot know when the person is done.
func notForEver(s scene) answer {
	result := s.asks()
	if result == nil || len(s.questions()) > 0 && len(s.elicitations("url")) == len(s.questions()) {
		return na()
	}
	same := 1
	for i := len(s.earlier) - 1; i >= 0 && sameRequests(s.earlier[i].Result, result); i-- {
		same++
	}
	switch {
	case same > 2 && len(s.questions()) == 0:
		return hint("The server asked for a retry %d times in a row with the same requestState: it makes no progress.", same)
	case same > 2:
		return hint("The same question came %d times in a row, whatever was answered.", same)
	}
	return pass()
}

// sameRequests compares what two results ask; of state-only ones the state.
func sameRequests(a, b *jsontree.Node) bool {
	field := "inputRequests"
	if b.Get(field).Len() == 0 {
		field = "requestState"
	}
	return b.Has(field) && jsontree.Equal(a.Get(field), b.Get(field))
}
