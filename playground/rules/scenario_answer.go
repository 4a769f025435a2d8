package rules

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// answersLast judges whether a retry answers what its result did not ask for.
func answersLast(c *Contact) ruling {
	if key, extra := c.inCall().extraAnswer(); extra {
		return broken(c, "params", "inputResponses", key).says(
			"The retry answers %s, which the result before it did not ask for.", quoted(key))
	}
	return kept(c, "params", "inputResponses")
}

// action judges the answers of a retry that has one with this action.
func action(name string) func(*Contact) ruling {
	judge := inCall(answersAreResults, "params", "inputResponses")
	return func(c *Contact) ruling {
		found := judge(c)
		has := slices.ContainsFunc(c.inputResponses(), func(a jsontree.Member) bool {
			return a.Value.Get("action").Str() == name
		})
		if found.verdict == verdict.Passed && !has {
			return na()
		}
		return found
	}
}

// isForm judges an accepted question without a mode.
func isForm(c *Contact, q, answer *jsontree.Node, path []string) ruling {
	if q.At("params", "mode") != nil || answer.Get("action").Str() != "accept" {
		return na()
	}
	content := answer.Get("content")
	return keeps(content != nil && content.Kind == jsontree.Object, c, path...)
}

// defaultOf judges whether an accepted form has the default of a property.
func defaultOf(property string) check {
	return eachAnswer(func(c *Contact, q, answer *jsontree.Node, path []string) ruling {
		given := q.At("params", "requestedSchema", "properties", property, "default")
		if given == nil || answer.Get("action").Str() != "accept" {
			return na()
		}
		sent := answer.At("content", property)
		path = append(path[:len(path):len(path)], "content", property)
		if !jsontree.Equal(given, sent) {
			return broken(c, path...).says("The default of %s is %s, and the client sent %s.", property,
				raw(given), raw(sent))
		}
		return kept(c, path...)
	})
}

// answersUndeclared judges whether a client answers a question of a kind that its request did not
// declare.
func answersUndeclared(c *Contact) ruling {
	questions := c.asked().Get("inputRequests").Entries()
	if c.Source != nil || len(questions) != 1 {
		return na()
	}
	for _, x := range c.record.retries(c) {
		answer := x.params().Get("inputResponses").Get(questions[0].Key)
		given := false
		switch q := questions[0].Value; q.Get("method").Str() {
		case playground.Elicit:
			given = answer.Get("action").Str() == "accept"
		case playground.CreateMessage:
			given = answer.Has("content") && !q.Get("params").Has("tools") || hasToolUse(answer)
		case playground.RootsList:
			given = answer.Has("roots")
		}
		if given {
			return broken(x, "params", "inputResponses", questions[0].Key)
		}
	}
	return left(c)
}

// unknownKind notes whether a client answers a question whose method it cannot know.
func unknownKind(c *Contact) ruling {
	questions := c.asked().Get("inputRequests").Entries()
	if c.Source != nil || len(questions) == 0 {
		return na()
	}
	for _, x := range c.record.retries(c) {
		if x.params().Get("inputResponses").Has(questions[0].Key) {
			return broken(x, "params", "inputResponses", questions[0].Key)
		}
	}
	return left(c)
}

// blocks returns the content blocks of a model's answer.
func blocks(answer *jsontree.Node) []*jsontree.Node {
	content := answer.Get("content")
	if content != nil && content.Kind == jsontree.Object {
		return []*jsontree.Node{content}
	}
	return content.Elements()
}

func hasToolUse(answer *jsontree.Node) bool {
	return slices.ContainsFunc(blocks(answer), func(b *jsontree.Node) bool {
		return b.Get("type").Str() == "tool_use"
	})
}

// usesTool judges whether a model's answer uses a tool as the choice demands.
func usesTool(must bool) func(c *Contact, q, answer *jsontree.Node, path []string) ruling {
	return func(c *Contact, _, answer *jsontree.Node, path []string) ruling {
		if len(blocks(answer)) == 0 {
			return na()
		}
		return keeps(hasToolUse(answer) == must, c, append(path[:len(path):len(path)], "content")...)
	}
}

// rootsTraversal judges whether a root leads out of its folder.
func rootsTraversal(c *Contact, _, answer *jsontree.Node, path []string) ruling {
	found := na()
	path = append(path[:len(path):len(path)], "roots")
	for _, root := range answer.Get("roots").Elements() {
		uri := root.Get("uri").Str()
		plain, err := url.PathUnescape(uri)
		if err != nil {
			plain = uri
		}
		slash := func(r rune) bool { return r == '/' || r == '\\' }
		if slices.Contains(strings.FieldsFunc(plain, slash), "..") {
			return broken(c, path...).says("The root %s leads to a folder above.", quoted(uri))
		}
		found = kept(c, path...)
	}
	return found
}

// visits returns how the link of a question was visited before the answer arrived, as the test
// server reports it, and whether it does.
func (c *Contact) visits() (list []string, reported bool) {
	report := c.Result.At("_meta", reportName)
	if report == nil {
		return nil, false
	}
	for _, v := range report.Elements() {
		list = append(list, v.Get("how").Str())
	}
	return list, true
}

// reportName is the member of _meta with which the test server reports visits of canary
// addresses.
const reportName = "dev.mrtr-playground/visits"

func noPrefetch(c *Contact) ruling {
	list, reported := c.visits()
	if !reported {
		return na()
	}
	return keeps(!slices.Contains(list, "prefetch"), c)
}

// opened notes whether a link is accepted without a visit to it.
func opened(c *Contact) ruling {
	list, reported := c.visits()
	accepted := slices.ContainsFunc(c.inputResponses(), func(a jsontree.Member) bool {
		return a.Value.Get("action").Str() == "accept"
	})
	if !reported || !accepted {
		return na()
	}
	return keeps(len(list) > 0, c)
}

// wordsOfToken is more words than a token has in any model.
const wordsOfToken = 20

// maxTokens judges an answer that has certainly more tokens than allowed.
func maxTokens(c *Contact, q, answer *jsontree.Node, path []string) ruling {
	most, ok := q.At("params", "maxTokens").Int()
	if !ok || len(blocks(answer)) == 0 {
		return na()
	}
	words := 0
	for _, b := range blocks(answer) {
		words += len(strings.Fields(b.Get("text").Str()))
	}
	return keeps(int64(words) <= most*wordsOfToken, c, append(path[:len(path):len(path)], "content")...)
}

// notVisited judges a link that the user declined or cancelled.
func notVisited(c *Contact) ruling {
	list, reported := c.visits()
	refused := slices.ContainsFunc(c.inputResponses(), func(a jsontree.Member) bool {
		return slices.Contains([]string{"decline", "cancel"}, a.Value.Get("action").Str())
	})
	if !reported || !refused {
		return na()
	}
	return keeps(len(list) == 0, c)
}

// scriptLink notes whether a link that is a script is accepted.
func scriptLink(c *Contact) ruling {
	if c.Source != nil {
		for _, a := range c.inputResponses() {
			if a.Value.Get("action").Str() == "accept" {
				return broken(c, "params", "inputResponses", a.Key)
			}
		}
		return kept(c, "params", "inputResponses")
	}
	if len(c.Issued()) > 0 && len(c.record.retries(c)) == 0 && c.record.wentOn(c) {
		return kept(c)
	}
	return na()
}
