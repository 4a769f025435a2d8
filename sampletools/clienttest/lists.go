package clienttest

import (
	"slices"
	"strings"
	"time"
)

// discover answers server/discover.
func (c *call) discover() {
	lists := `"prompts":{},"resources":{}`
	if c.gateway {
		lists = `"prompts":{"listChanged":true},"resources":{"subscribe":true}`
	}
	c.result(`"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{` +
		`"tools":{"listChanged":true},` + lists + `,"completions":{},` +
		`"extensions":{"io.modelcontextprotocol/tasks":{}}},` +
		`"instructions":"A test of clients. Each tool tests one requirement and works without arguments.",` +
		`"ttlMs":0,"cacheScope":"private"`)
}

// noArguments is the schema of a tool without arguments.
const noArguments = `{"type":"object"}`

// entries returns the JSON of the scenarios of a kind; with ?only=, of those that
// it names.
func (c *call) entries(kind string) string {
	var list []string
	all := table()
	if c.gateway {
		all = forGateways()
	}
	only := strings.Split(c.r.URL.Query().Get("only"), ",")
	for _, s := range all {
		if s.Kind != kind || only[0] != "" && !slices.Contains(only, s.Name) {
			continue
		}
		described := `"title":` + quote(s.Title) + `,"description":` + quote(s.Description)
		if s.more != "" {
			described += "," + s.more
		}
		switch kind {
		case "tool":
			schema := s.schema
			if schema == "" {
				schema = noArguments
			}
			schema = strings.ReplaceAll(schema, "$CANARY", c.canary("schema"))
			list = append(list, `{"name":`+quote(s.Name)+`,`+described+`,"inputSchema":`+schema+`}`)
		case "prompt":
			arguments := ""
			if s.Name == completed {
				arguments = `,"arguments":[{"name":"color","required":false}]`
			}
			list = append(list, `{"name":`+quote(s.Name)+`,`+described+arguments+`}`)
		case "resource":
			list = append(list, `{"uri":`+quote(uriPrefix+s.Name)+`,"name":`+quote(s.Name)+`,`+described+`}`)
		}
	}
	return `[` + strings.Join(list, ",") + `]`
}

// page2 is the tool that the test of a gateway has on the second page of the list.
const page2 = "hop_paged"

// listTools answers in one page; in the test of a gateway in two.
func (c *call) listTools() {
	entries := c.entries("tool")
	if !c.gateway {
		c.result(page("tools", entries, ""))
		return
	}
	at := strings.Index(entries, `,{"name":`+quote(page2))
	switch {
	case at < 0:
		c.result(page("tools", entries, ""))
	case strings.HasPrefix(c.text("cursor"), oddCursor):
		c.result(page("tools", "["+entries[at+1:], ""))
	default:
		c.result(page("tools", entries[:at]+"]", `,"nextCursor":`+quote(oddCursor+c.mark(1))))
	}
}

// page returns the members of a list.
func page(name, entries, cursor string) string {
	return `"resultType":"complete",` + quote(name) + `:` + entries + cursor +
		`,"ttlMs":0,"cacheScope":"private"`
}

// The cursors: the first of the prompts is odd; the second of the templates is empty, and
// the one after it is no longer valid when it is used.
const (
	oddCursor   = "page 2 \u00e4\"\\ "
	lastCursor  = "page 3 "
	plainCursor = "page 2 "
	goneCursor  = "gone "
)

// listPrompts answers in three pages, the second of which has no entries.
func (c *call) listPrompts() {
	first := c.entries("prompt")
	switch cursor := c.text("cursor"); {
	case strings.HasPrefix(cursor, lastCursor):
		c.result(page("prompts", "[]", ""))
	case strings.HasPrefix(cursor, oddCursor):
		c.result(page("prompts", "[]", `,"nextCursor":`+quote(lastCursor+c.mark(2))))
	default:
		c.result(page("prompts", first, `,"nextCursor":`+quote(oddCursor+c.mark(1))))
	}
}

func (c *call) listResources() { c.result(page("resources", c.entries("resource"), "")) }

// restart is the time within which a list that begins again, after a cursor that is no
// longer valid, has one page.
const restart = 30 * time.Second

// listTemplates answers with a cursor, then with an empty one, then with one that is no
// longer valid when it comes back. A list that begins again has one page.
func (c *call) listTemplates() {
	const template = `[{"uriTemplate":"test://client-test/{name}","name":"any"}]`
	const more = `[{"uriTemplate":"test://client-test/{name}/{part}","name":"part"}]`
	_, paged := c.params["cursor"]
	cursor, notes := c.text("cursor"), c.s.config.Notes
	again := false
	for _, at := range notes.Of("gone") {
		t, err := time.Parse(time.RFC3339Nano, at)
		again = again || err == nil && c.s.config.Now().Sub(t) < restart
	}
	switch {
	case strings.HasPrefix(cursor, goneCursor):
		notes.Add(c.r.RemoteAddr, "gone", c.s.config.Now().Format(time.RFC3339Nano))
		c.fail(200, -32602, "the cursor is no longer valid", "")
	case paged && cursor == "":
		c.result(page("resourceTemplates", "[]", `,"nextCursor":`+quote(goneCursor+c.mark(3))))
	case paged:
		c.result(page("resourceTemplates", more, `,"nextCursor":""`))
	case again:
		c.result(page("resourceTemplates", template, ""))
	default:
		c.result(page("resourceTemplates", template, `,"nextCursor":`+quote(plainCursor+c.mark(1))))
	}
}

// complete answers completion/complete with questions, which it may not.
func (c *call) complete() {
	if c.isRetry() {
		c.result(`"resultType":"complete","completion":{"values":[]}`)
		return
	}
	state := "state-" + c.mark(1)
	c.result(asking(&state, c.anything("answer")))
}

// lists are the scenarios of lists.
func lists() []scenario {
	list := func(name, title, description, deviation string) scenario {
		return scenario{Scenario: Scenario{"list", name, title, description, deviation}}
	}
	return []scenario{
		list("prompts/list", "A list with pages", "The list of prompts has three pages.",
			"The second page has no entries. "+
				"The first cursor has spaces, quotes, a backslash and letters outside ASCII."),
		list("resources/templates/list", "A cursor that is no longer valid",
			"The second page has an empty cursor, and the fourth cannot be read.",
			"The second cursor is the empty string; the third is refused with error -32602."),
		list("completion/complete", "Questions where none may be",
			"Completion returns a question, which this method may not.",
			"The result of completion/complete is input_required."),
		list("subscriptions/listen", "A list that changes",
			"A subscription says that the tools have changed.", ""),
	}
}

// completed is the prompt whose argument is completed.
const completed = "complete_me"

// others are scenarios of names and schemas.
func others() []scenario {
	greet := func(c *call) { c.done(received) }
	prompt := func(name, title, description, deviation string, answer func(*call)) scenario {
		return scenario{Scenario: Scenario{"prompt", name, title, description, deviation}, answer: answer}
	}
	remote := tool("remote_ref", "A schema elsewhere", "Has a schema with a reference to a network address.",
		"A $ref leads to this server, which notes every visit.", func(c *call) {
			c.send(200, c.messageWith(c.final(received), c.visits(c.s.config.Notes.Of("schemas")...)))
		})
	remote.schema = `{"type":"object","properties":{"value":{"$ref":"$CANARY"}}}`
	return []scenario{
		remote,
		tool("Case_Matters", "A name with capitals", "Has a name with capital letters.",
			"The name of the tool has capital letters.", greet),
		prompt("Gr\u00f6\u00dfe", "A name outside ASCII", "Has a name that a header cannot hold.",
			"The name of the prompt has letters outside ASCII.", greet),
		prompt("=?base64?cHJvbXB0?=", "A name like Base64", "Has a name that looks like an encoded one.",
			"The name of the prompt has the form of an encoded header.", greet),
		prompt(completed, "An argument to complete", "Has an argument that can be completed.", "", greet),
		prompt("task_prompt", "A task where none may be", "Returns a task, which a prompt may not.",
			"The result of prompts/get is a task.", func(c *call) {
				c.result(c.newTask(taskKinds["task_prompt"]))
			}),
	}
}

// parameters are tools whose arguments are repeated in headers.
func parameters() []scenario {
	mirror := func(name, title, description, property, schema string) scenario {
		s := tool(name, title, description, "", func(c *call) { c.done(received) })
		s.schema = `{"type":"object","properties":{"` + property + `":` + schema + `}}`
		return s
	}
	bad := tool("bad_annotation", "An invalid annotation", "Has an annotation that is not a header name.",
		"x-mcp-header has a space.", func(c *call) { c.done(received) })
	bad.schema = `{"type":"object","properties":{"text":{"type":"string","x-mcp-header":"Bad Name"}}}`
	return []scenario{
		mirror("mirror_text", "A text in a header", "Repeats a text in a header.", "text",
			`{"type":"string","x-mcp-header":"Text"}`),
		mirror("mirror_unicode", "A text that is encoded", "Repeats a text outside ASCII in a header.",
			"text",
			`{"type":"string","x-mcp-header":"Text"}`),
		mirror("mirror_sentinel", "A text that looks encoded", "Repeats a text in a header.", "text",
			`{"type":"string","x-mcp-header":"Text"}`),
		mirror("mirror_integer", "An integer in a header", "Repeats an integer in a header.", "count",
			`{"type":"integer","x-mcp-header":"Count"}`),
		mirror("mirror_boolean", "A boolean in a header", "Repeats a boolean in a header.", "flag",
			`{"type":"boolean","x-mcp-header":"Flag"}`),
		mirror("mirror_nested", "A nested parameter in a header", "Repeats a nested text in a header.",
			"place",
			`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`),
		mirror("mirror_nothing", "A parameter without a value", "Has a parameter that may be absent.", "text",
			`{"type":"string","x-mcp-header":"Absent"}`),
		bad,
	}
}
