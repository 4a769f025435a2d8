package clienttest

import (
	"encoding/base64"
	"strings"
)

// largeState is the size of the largest state that the test sends, in bytes.
const largeState = 64 << 10

// states test the echo of requestState.
func states() []scenario {
	return []scenario{
		echo("echo_unicode", "a state in many scripts", "The state has letters outside ASCII, an emoji, a"+
			" combining accent and a mark of direction.", func(mark string) string {
			return "Gr\u00fc\u00dfe \u4e16\u754c \U0001F642 e\u0301 \u200f\u05d0 " + mark
		}),
		echo("echo_quotes", "a state with quotes", "The state has quotes of several kinds.",
			func(mark string) string { return `"a" 'b' ` + "`c` \u201cd\u201d " + mark + `"` }),
		echo("echo_backslashes", "a state with backslashes",
			"The state has backslashes, some of which look like escapes.",
			func(mark string) string { return `\\ C:\new\table \u0041 \" ` + mark + `\` }),
		echo("echo_controls", "a state with control characters",
			"The state has a tab, line breaks, a NUL and the line separator U+2028.",
			func(mark string) string { return "a\tb\r\nc\x00d\u2028" + mark + "\n" }),
		echo("echo_large", "a state of 64 KiB", "The state has 65536 bytes.", func(mark string) string {
			return mark + strings.Repeat("=", largeState-len(mark))
		}),
		echo("echo_json", "a state that looks like JSON",
			"The state is a JSON text with spaces, a member twice and the number 1.0.",
			func(mark string) string { return `{"b": 1.0, "a":2,"b" :3, "mark":"` + mark + `"}` }),
		echo("echo_base64", "a state that looks like Base64", "The state is Base64 with padding.",
			func(mark string) string { return base64.StdEncoding.EncodeToString([]byte(mark + " ")) }),
		echo("echo_markup", "a state that looks like HTML",
			"The state has the characters that HTML and URLs escape.",
			func(mark string) string { return `<b>&amp;</b>%20+` + mark + `&x=1>` }),
		echo("echo_space", "a state of one space", "The state is a single space.",
			func(string) string { return " " }),
		echo("echo_empty", "an empty state", "The state is the empty string.",
			func(string) string { return "" }),
		tool("no_state", "No state", "Asks without a state.", "", once(func(c *call) {
			c.ask(nil, c.anything("answer"))
		})),
		tool("changing_state", "State that changes", "Asks twice, each time with another state.", "",
			func(c *call) {
				if c.round > 2 {
					c.done(received)
					return
				}
				c.askWith("state-"+c.mark(c.round), c.anything("answer"))
			}),
		tool("vanishing_state", "State that disappears", "Asks with a state, then again without one.",
			"The second result has no requestState.", func(c *call) {
				switch c.round {
				case 1:
					c.askWith("state-"+c.mark(1), c.anything("first"))
				case 2:
					c.ask(nil, c.anything("second"))
				default:
					c.done(received)
				}
			}),
		tool("state_only", "State without questions", "Returns a state and asks nothing.",
			"The result has a requestState and no inputRequests.", once(func(c *call) {
				c.askWith("state-" + c.mark(1))
			})),
		tool("state_in_error", "State in an error",
			"Returns an error with questions and a state in its data.",
			"An error has inputRequests and requestState in its data.", func(c *call) {
				state := "state-" + c.mark(1)
				c.fail(200, -32603, "this scenario fails on purpose", "{"+asking(&state,
					c.anything("answer"))+"}")
			}),
	}
}

// askWith asks with a state.
func (c *call) askWith(state string, questions ...question) { c.ask(&state, questions...) }

// echo returns a scenario that asks for anything with a state.
func echo(name, what, deviation string, state func(mark string) string) scenario {
	return tool(name, "Echo of "+what, "Asks for anything and gives "+what+".", deviation,
		once(func(c *call) { c.askWith(state(c.mark(1)), c.anything("answer")) }))
}
