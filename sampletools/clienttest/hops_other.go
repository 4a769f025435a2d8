package clienttest

import (
	"encoding/base64"
	"strings"
)

// rich are further members of a definition. Annotations say what a tool does, and outputSchema
// what structuredContent has.
const rich = `"outputSchema":{"type":"object","properties":{"big":{"type":"integer"},"text":` +
	`{"type":"string","title":"\u00dc"}},"required":["big","text"]},"annotations":{"readOnlyHint":true,` +
	`"destructiveHint":false,"openWorldHint":false}`

// blob is Base64 with the characters + and /, padding, and more letters than a line of mail has.
var blob = base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xfb\xff\xbe mcp", 20) + "\x00"))

// otherHops are the tools of hops about errors and lists, and what is no tool.
func otherHops() []scenario {
	paged := tool(page2, "A tool on the second page", "Is on the second page of the list.", "",
		func(c *call) { c.done(received) })
	paged.schema = `{"type":"object","properties":{"mark":{"type":"string"},"amount":{"type":"integer",` +
		`"minimum":-9007199254740993,"maximum":9007199254740993,"default":0},"city":{"type":"string",` +
		`"title":"\u4e16\u754c","enum":["K\u00f6ln","Z\u00fcrich"]}},"additionalProperties":true,` +
		`"anyOf":[{"required":["mark"]},{"required":["city"]}]}`
	paged.more = rich
	return []scenario{
		tool("hop_link", "A link with a query", "Asks to open a link.", "", once(func(c *call) {
			c.askWith("state-"+c.mark(1), c.link("https://example.com/a%2Fb/?q=%C3%BC&x=1&x=2#top"))
		})),
		tool("hop_pair", "Two equal calls", "Waits for a second call with the same arguments.", "",
			func(c *call) {
				c.meet()
				c.done(received)
			}),
		tool("hop_error", "An error with data", "Is refused with error -32602.", "Every call is refused.",
			func(c *call) {
				c.fail(200, -32602, "Refused on Purpose: the Value is too large",
					`{"field":"Value","most":9007199254740993}`)
			}),
		{
			Scenario: Scenario{"prompt", "hop_prompt", "A prompt that asks",
				"Asks once with a state, then returns a text and an image.", ""},
			more: `"arguments":[{"name":"mark","description":"The mark of the call."},{"name":"text",` +
				`"title":"Text","description":"Any text.","required":true}]`,
			answer: inTwoRounds(`"description":"Gr\u00fc\u00dfe","messages":[{"role":"user","content":` +
				`{"type":"text","text":"Gr\u00fc\u00dfe \ud83d\ude42"}},{"role":"assistant","content":` +
				`{"type":"image","data":"` + blob + `","mimeType":"image/png"}}]`),
		},
		{
			Scenario: Scenario{"resource", "hop_resource", "A resource that asks",
				"Asks once with a state, then returns a text and bytes.", ""},
			more: `"mimeType":"text/plain","size":9007199254740993`,
			answer: inTwoRounds(`"contents":[{"uri":"` + uriPrefix + `hop_resource",` +
				`"mimeType":"text/plain","text":"Gr\u00fc\u00dfe \ud83d\ude42"},{"uri":"` +
				uriPrefix + `hop_resource","mimeType":"application/octet-stream","blob":"` + blob +
				`"}],"ttlMs":0,"cacheScope":"private"`),
		},
		paged,
	}
}

// inTwoRounds returns an answer that asks a question with a state, and then has these members.
func inTwoRounds(members string) func(*call) {
	return func(c *call) {
		if c.round > 1 {
			c.result(`"resultType":"complete",` + members)
			return
		}
		c.askWith("state-"+c.mark(1), c.anything("answer"))
	}
}
