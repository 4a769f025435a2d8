package clienttest

import (
	"slices"
	"strings"
)

// questions test which answers are sent.
func questions() []scenario {
	several := func(names ...string) func(*call) {
		return once(func(c *call) {
			var list []question
			for _, name := range names {
				list = append(list, c.anything(name))
			}
			c.askWith("state-"+c.mark(1), list...)
		})
	}
	list := []scenario{
		tool("two_questions", "Two questions", "Asks two questions at once.", "", several("z", "a")),
		tool("three_questions", "Three questions", "Asks three questions at once.",
			"The keys are in no order: two look like numbers, and the larger one comes first.",
			several("10", "9", "a")),
		tool("decline", "Decline", "Asks a question that you decline.", "", several("answer")),
		tool("cancel", "Cancel", "Asks a question that you cancel.", "", several("answer")),
		tool("decline_one", "Decline one of two", "Asks two questions, one of which you decline.", "",
			several("accept", "decline")),
		tool("cancel_one", "Cancel one of two", "Asks two questions, one of which you cancel.", "",
			several("accept", "cancel")),
	}
	for _, k := range []struct{ name, what, key string }{
		{"key_proto", "__proto__", "__proto__"},
		{"key_constructor", "constructor", "constructor"},
		{"key_empty", "the empty string", ""},
		{"key_path", "a path", "../../a.b[0]/c~d"},
		{"key_long", "a text of 1 KiB", strings.Repeat("k", 1024)},
	} {
		list = append(list, tool(k.name, "Key that is "+k.what, "Asks with the key "+k.what+".",
			"The key of the question is "+k.what+".", once(func(c *call) {
				c.askWith("state-"+c.mark(1), form(k.key, "Answer with anything.", anyText))
			})))
	}
	return append(list, undeclared()...)
}

// undeclared ask for features that the request does not declare, or for methods
// that do not exist.
func undeclared() []scenario {
	ask := func(name, kind string, declared []string, q func(*call) question) scenario {
		return tool("undeclared_"+name, "A question of a kind that was not declared: "+kind,
			"Asks for "+kind+" although the request does not declare it.",
			"A client that does not declare "+kind+" is asked for it.", once(func(c *call) {
				if c.declares(declared...) {
					c.done("The request declares this kind, so there is nothing to test.")
					return
				}
				state := "state-" + c.mark(1)
				c.result(asking(&state, q(c)))
			}))
	}
	return []scenario{
		ask("form", "elicitation", []string{"elicitation"},
			func(c *call) question { return c.anything("answer") }),
		ask("sampling", "sampling", []string{"sampling"}, func(c *call) question {
			return c.sampling("answer", "")
		}),
		ask("sampling_tools", "sampling with tools", []string{"sampling", "tools"}, func(c *call) question {
			return c.sampling("answer", "auto")
		}),
		ask("roots", "roots", []string{"roots"}, func(c *call) question {
			return question{c.key("answer"), listing, ""}
		}),
		tool("unknown_method", "A question of an unknown kind", "Asks with a method that does not exist.",
			"The question has the method custom/ask.", once(func(c *call) {
				state := "state-" + c.mark(1)
				c.result(asking(&state, question{c.key("answer"), "custom/ask", `{"text":"?"}`}))
			})),
	}
}

// sampling returns a question for a model. With a tool choice it offers a tool.
func (c *call) sampling(name, choice string) question {
	tools := ""
	if choice != "" {
		tools = `,"toolChoice":{"mode":"` + choice + `"},"tools":[{"name":"add_numbers","description":` +
			`"Adds two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number"},` +
			`"b":{"type":"number"}},"required":["a","b"]}}]`
	}
	return question{c.key(name), sample, `{"messages":[{"role":"user","content":{"type":"text","text":` +
		`"What is 2 + 3?"}}],"maxTokens":100` + tools + `}`}
}

// models test answers of models and roots.
func models() []scenario {
	ask := func(name, title, description string, q func(*call) question) scenario {
		return tool(name, title, description, "", once(func(c *call) { c.askWith("state-"+c.mark(1), q(c)) }))
	}
	return []scenario{
		ask("sampling", "Sampling", "Asks a model for a text.", func(c *call) question {
			return c.sampling("model", "")
		}),
		ask("sampling_short", "Sampling with few tokens", "Asks a model for a text of at most 5 tokens.",
			func(c *call) question {
				q := c.sampling("model", "")
				q.params = strings.Replace(q.params, `"maxTokens":100`, `"maxTokens":5`, 1)
				return q
			}),
		ask("sampling_tool_required", "Sampling that needs a tool", "Asks a model, which must use a tool.",
			func(c *call) question { return c.sampling("model", "required") }),
		ask("sampling_tool_none", "Sampling without a tool", "Asks a model, which must use no tool.",
			func(c *call) question { return c.sampling("model", "none") }),
		ask("roots", "Roots", "Asks for the roots.", func(c *call) question {
			return question{c.key("roots"), listing, ""}
		}),
	}
}

// forms test the values of forms.
func forms() []scenario {
	ask := func(name, title, description, schema string) scenario {
		return tool(name, title, description, "", once(func(c *call) {
			c.askWith("state-"+c.mark(1), form(c.key("form"), description, schema))
		}))
	}
	return []scenario{
		ask("form_defaults", "A form with defaults", "Accept this form without a change.",
			`{"type":"object","properties":{`+
				`"text":{"type":"string","default":"as given"},`+
				`"number":{"type":"number","default":2.5},`+
				`"integer":{"type":"integer","default":7},`+
				`"boolean":{"type":"boolean","default":true},`+
				`"choice":{"type":"string","enum":["red","green"],"default":"green"},`+
				`"choices":{"type":"array","items":{"type":"string","enum":["red","green","blue"]},`+
				`"default":["red","blue"]}}}`),
		ask("form_titles", "Choices with titles", "Choose a color and one or more sizes.",
			`{"type":"object","properties":{`+
				`"color":{"type":"string","oneOf":[{"const":"r","title":"Red"},`+
				`{"const":"g","title":"Green"}]},`+
				`"sizes":{"type":"array","minItems":1,"items":{"anyOf":[{"const":"s","title":"Small"},`+
				`{"const":"l","title":"Large"}]}}},"required":["color","sizes"]}`),
		ask("form_numbers", "Integers and numbers", "Enter an integer and a number.",
			`{"type":"object","properties":{"integer":{"type":"integer","minimum":1,"maximum":10},`+
				`"number":{"type":"number"}},"required":["integer","number"]}`),
		ask("form_texts", "Texts with formats", "Enter a short text, an email address and a date.",
			`{"type":"object","properties":{"short":{"type":"string","minLength":2,"maxLength":5},`+
				`"email":{"type":"string","format":"email"},"date":{"type":"string","format":"date"}},`+
				`"required":["short","email","date"]}`),
		tool("form_without_mode", "A form without a mode", "Asks with a form that does not name its mode.",
			"The question has no mode, which means that it is a form.", once(func(c *call) {
				c.askWith("state-"+c.mark(1), question{c.key("form"), elicit,
					`{"message":"Enter anything.","requestedSchema":{"type":"object","properties":` +
						`{"text":{"type":"string"}},"required":["text"]}}`})
			})),
		tool("rejected_value", "A value that is rejected", "Rejects the first answer and asks again.",
			"The first answer is never accepted.", func(c *call) {
				message := "Enter a number."
				switch {
				case c.round > 2:
					c.done(received)
					return
				case c.round == 2:
					message = "The server rejects this number. Enter another one."
				}
				c.askWith("state-"+c.mark(c.round), form(c.key("number"), message,
					`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`))
			}),
	}
}

// links test the handling of the URL of a question.
func links() []scenario {
	ask := func(name, title, description string) scenario {
		return tool(name, title, description, "The link leads to this server, which notes every visit.",
			func(c *call) {
				if c.round > 1 {
					c.send(200, c.messageWith(c.final(received), c.visits(c.mark(1))))
					return
				}
				c.askWith("state-"+c.mark(1), c.link(c.canary("link")))
			})
	}
	return []scenario{
		ask("link_accept", "A link to open", "Asks to open a link. Accept it."),
		ask("link_decline", "A link to decline", "Asks to open a link. Decline it."),
		tool("link_javascript", "A link that is a script", "Asks to open a javascript: link.",
			"The URL of the question is a script.", once(func(c *call) {
				c.askWith("state-"+c.mark(1), c.link("javascript:alert(1)"))
			})),
	}
}

// link returns a question with a URL.
func (c *call) link(url string) question {
	return question{c.key("link"), elicit, `{"mode":"url","message":"Open this page.","url":` +
		quote(url) + `}`}
}

// rounds test calls of several rounds.
func rounds() []scenario {
	// asks returns an answer that asks n times.
	asks := func(n int) func(*call) {
		return func(c *call) {
			if c.round > n {
				c.done(received)
				return
			}
			c.askWith("state-"+c.mark(c.round), c.anything("answer"))
		}
	}
	same := tool("same_arguments", "The same arguments", "Asks twice. Call it with any arguments.", "",
		asks(2))
	same.schema = `{"type":"object","properties":{"text":{"type":"string"},"list":{"type":"array"}}}`
	list := []scenario{
		tool("five_rounds", "Five rounds", "Asks four times, then returns a result.", "", asks(4)),
		tool("last_answers", "Answers of the last round", "Asks three times, each time with another key.", "",
			asks(3)),
		tool("new_ids", "New ids", "Asks twice; every request needs a new id.", "", asks(2)),
		same,
		tool("endless_loop", "An endless loop", "Asks again and again, without an end.",
			"The call never completes.", asks(9000)),
		tool("parallel_calls", "Two calls at once", "Waits for a second call, then asks both.",
			"The first of two calls is answered when the second arrives.", func(c *call) {
				if c.round > 1 {
					c.done(received)
					return
				}
				c.meet()
				c.askWith("state-"+c.mark(1), c.anything("answer"))
			}),
	}
	for kind, name := range map[string]string{"prompt": "ask_prompt", "resource": "ask_resource"} {
		list = append(list, scenario{Scenario: Scenario{kind, name, "A " + kind + " that asks",
			"Asks twice, then returns the " + kind + ".", ""}, answer: asks(2)})
	}
	slices.SortFunc(list[len(list)-2:], func(a, b scenario) int { return strings.Compare(a.Kind, b.Kind) })
	return list
}
