package capture

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

// isMessage reports whether the contact has a body, which is a message or should be one.
func (c *contact) isMessage() bool { return len(c.Request.Body) > 0 }

func jsonrpc(_ *observation, c *contact) finding {
	switch {
	case !c.isMessage() || !utf8.Valid(c.Request.Body):
		return finding{}
	case c.Sent == nil:
		return fault(c).says("The body is not JSON.")
	case c.Sent.Kind == jsontree.Array: // no-batch judges it
		return finding{}
	}
	return is(c.Sent.Kind == jsontree.Object && c.Sent.Get("jsonrpc").Str() == "2.0", c, "jsonrpc")
}

func idType(_ *observation, c *contact) finding {
	id := c.Sent.Get("id")
	if c.Method == "" || isNotification(c) || id != nil && id.Kind == jsontree.Null {
		return finding{}
	}
	return is(rules.IsID(id), c, "id")
}

func idNull(_ *observation, c *contact) finding {
	id := c.Sent.Get("id")
	if c.Method == "" || id == nil || isNotification(c) {
		return finding{}
	}
	return is(id.Kind != jsontree.Null, c, "id")
}

func isNotification(c *contact) bool { return strings.HasPrefix(c.Method, "notifications/") }

func requestMembers(_ *observation, c *contact) finding {
	return is(c.params == nil || c.params.Kind == jsontree.Object, c, "params")
}

func notificationMembers(_ *observation, c *contact) finding {
	if !isNotification(c) {
		return finding{}
	}
	return requestMembers(nil, c)
}

func notificationID(_ *observation, c *contact) finding {
	if !isNotification(c) {
		return finding{}
	}
	return is(!c.Sent.Has("id"), c, "id")
}

func noResponse(_ *observation, c *contact) finding {
	if c.Sent == nil || c.Sent.Kind != jsontree.Object {
		return finding{}
	}
	return is(c.Method != "" || !c.Sent.Has("result") && !c.Sent.Has("error"), c)
}

func noBatch(_ *observation, c *contact) finding {
	if c.Sent == nil {
		return finding{}
	}
	return is(c.Sent.Kind != jsontree.Array, c)
}

func post(_ *observation, c *contact) finding {
	if !c.isMessage() || c.Sent == nil {
		return finding{}
	}
	return is(strings.HasPrefix(string(c.Request.Head), "POST "), c)
}

func utf8Body(_ *observation, c *contact) finding {
	if !c.isMessage() {
		return finding{}
	}
	return is(utf8.Valid(c.Request.Body), c)
}

func headerVersion(_ *observation, c *contact) finding {
	return is(len(c.head.Values("MCP-Protocol-Version")) > 0, c).at("MCP-Protocol-Version")
}

func versionEqual(_ *observation, c *contact) finding {
	fault, needed := rules.HeaderFault(c.Trip, "MCP-Protocol-Version")
	if !needed || len(c.head.Values("MCP-Protocol-Version")) == 0 {
		return finding{}
	}
	return is(fault == "", c).at("MCP-Protocol-Version")
}

func headerMethod(_ *observation, c *contact) finding {
	if c.isTask() {
		return finding{}
	}
	return standardHeader(c, "Mcp-Method")
}

// standardHeader judges a header that repeats a part of the body.
func standardHeader(c *contact, name string) finding {
	text, needed := rules.HeaderFault(c.Trip, name)
	switch {
	case !needed:
		return finding{}
	case text != "":
		return fault(c).at(name).says("The header %s %s.", name, text)
	}
	return fine(c).at(name)
}

func headerName(_ *observation, c *contact) finding {
	if c.isTask() || !isPlainText(c.name()) {
		return finding{}
	}
	return standardHeader(c, "Mcp-Name")
}

// hasMeta judges whether requests whose method begins with a prefix have _meta; for "",
// those of all other methods. Retries have a check of their own.
func hasMeta(prefix string) func(*observation, *contact) finding {
	return func(_ *observation, c *contact) finding {
		of := ""
		for _, p := range []string{"tools/", "prompts/", "resources/"} {
			if strings.HasPrefix(c.Method, p) {
				of = p
			}
		}
		if of != prefix || c.isRetry() {
			return finding{}
		}
		return metaIsObject(c)
	}
}

func hasMetaRetry(_ *observation, c *contact) finding {
	if !c.isRetry() {
		return finding{}
	}
	return metaIsObject(c)
}

func metaIsObject(c *contact) finding {
	if c.params != nil && c.params.Kind != jsontree.Object { // members judges it
		return finding{}
	}
	return is(c.meta() != nil && c.meta().Kind == jsontree.Object, c, "params", "_meta")
}

func metaVersion(_ *observation, c *contact) finding {
	const name = "io.modelcontextprotocol/protocolVersion"
	if c.meta() == nil {
		return finding{}
	}
	_, ok := c.meta().Get(name).Text()
	return is(ok, c, "params", "_meta", name)
}

func metaCapabilities(_ *observation, c *contact) finding {
	if c.meta() == nil {
		return finding{}
	}
	return is(c.capabilities() != nil && c.capabilities().Kind == jsontree.Object, c, "params", "_meta",
		"io.modelcontextprotocol/clientCapabilities")
}

func clientInfo(_ *observation, c *contact) finding {
	const name = "io.modelcontextprotocol/clientInfo"
	if c.meta() == nil {
		return finding{}
	}
	_, named := c.meta().At(name, "name").Text()
	_, versioned := c.meta().At(name, "version").Text()
	return is(named && versioned, c, "params", "_meta", name)
}

func metaPrefix(_ *observation, c *contact) finding {
	found := finding{}
	for _, m := range c.meta().Entries() {
		prefix, _, prefixed := strings.Cut(m.Key, "/")
		if !prefixed {
			continue
		}
		if !rules.IsMetaKey(prefix + "/") {
			return fault(c, "params", "_meta", m.Key).says("The key %s of _meta has no valid prefix.",
				quoted(m.Key))
		}
		found = fine(c, "params", "_meta", m.Key)
	}
	return found
}

func metaName(_ *observation, c *contact) finding {
	found := finding{}
	for _, m := range c.meta().Entries() {
		name := m.Key
		if _, after, prefixed := strings.Cut(m.Key, "/"); prefixed {
			name = after
		}
		if !rules.IsMetaKey(name) {
			return fault(c, "params", "_meta", m.Key).says("The key %s of _meta has no valid name.",
				quoted(m.Key))
		}
		found = fine(c, "params", "_meta", m.Key)
	}
	return found
}

func extensionNames(_ *observation, c *contact) finding {
	found := finding{}
	path := []string{"params", "_meta", "io.modelcontextprotocol/clientCapabilities", "extensions"}
	for _, m := range c.capabilities().Get("extensions").Entries() {
		if !rules.IsExtensionName(m.Key) {
			return fault(c, path...).says("The extension %s has no valid prefix.", quoted(m.Key))
		}
		found = fine(c, path...)
	}
	return found
}

func elicitationMode(_ *observation, c *contact) finding {
	declared := c.capabilities().Get("elicitation")
	if declared == nil {
		return finding{}
	}
	return is(declared.Len() == 0 || declared.Has("form") || declared.Has("url"), c, "params", "_meta",
		"io.modelcontextprotocol/clientCapabilities", "elicitation")
}

// keepsAuthorization judges a retry of a request that had a token.
func keepsAuthorization(_ *observation, c *contact) finding {
	if len(c.source.head.Values("Authorization")) == 0 {
		return finding{}
	}
	return is(len(c.head.Values("Authorization")) > 0, c).at("Authorization")
}

// declaredMethods are the methods of what the test server declares.
var declaredMethods = []string{
	playground.Discover, playground.ToolsList, playground.ToolsCall, playground.PromptsList,
	playground.PromptsGet, playground.ResourcesList, playground.ResourcesRead, playground.TemplatesList,
	playground.Complete, playground.Listen, playground.TasksGet, playground.TasksUpdate,
	playground.TasksCancel,
}

// coreMethods are the methods of features that the test server does not declare, and those of
// earlier revisions.
var coreMethods = []string{
	"resources/subscribe", "resources/unsubscribe", "logging/setLevel", playground.Ping,
	"roots/list", "sampling/createMessage", "elicitation/create", "tasks/list", "tasks/result",
}

func knownMethods(_ *observation, c *contact) finding {
	switch {
	case slices.Contains(coreMethods, c.Method):
		return fault(c, "method")
	case slices.Contains(declaredMethods, c.Method):
		return fine(c, "method")
	}
	return finding{}
}

// extensionMethods judges whether a client uses an extension that the server does not declare.
func extensionMethods(_ *observation, c *contact) finding {
	switch {
	case isNotification(c) || slices.Contains(coreMethods, c.Method):
		return finding{}
	case !slices.Contains(declaredMethods, c.Method):
		return fault(c, "method")
	case c.capabilities().Get("extensions").Len() > 0:
		return fine(c, "method")
	}
	return finding{}
}

// declaredAgain judges whether a retry declares what the request before it declared and what its
// answers are of.
func declaredAgain(_ *observation, c *contact) finding {
	capability := map[string]string{playground.Elicit: "elicitation", playground.CreateMessage: "sampling",
		playground.RootsList: "roots"}
	found := finding{}
	for _, a := range c.answers() {
		name := capability[c.source.asked().At("inputRequests", a.Key, "method").Str()]
		if name == "" || c.meta() == nil || c.capabilities() == nil || !c.source.capabilities().Has(name) {
			continue
		}
		path := []string{"params", "_meta", "io.modelcontextprotocol/clientCapabilities"}
		if !c.capabilities().Has(name) {
			return fault(c, path...).says("The retry has an answer to %s and does not declare %s.",
				quoted(a.Key), name)
		}
		found = fine(c, path...)
	}
	return found
}

// eraKept judges whether a client that got a result of this revision goes back to an earlier
// one. After an error other checks judge it.
func eraKept(o *observation, _ *Scenario) finding {
	found := finding{}
	for _, c := range o.contacts {
		before := o.before(c)
		switch {
		case before == nil || !before.result.Has("resultType"):
		case c.Method == playground.Initialize:
			return fault(c, "method")
		case c.isRequest():
			found = fine(c)
		}
	}
	return found
}

// hasText judges whether requests of a method have a text in their params.
func hasText(method, member string) func(*observation, *contact) finding {
	return func(_ *observation, c *contact) finding {
		if c.Method != method {
			return finding{}
		}
		_, ok := c.params.Get(member).Text()
		return is(ok, c, "params", member)
	}
}

func updateMembers(_ *observation, c *contact) finding {
	if c.Method != playground.TasksUpdate {
		return finding{}
	}
	_, ok := c.params.Get("taskId").Text()
	responses := c.params.Get("inputResponses")
	return is(ok && responses != nil && responses.Kind == jsontree.Object, c, "params")
}

// cancelsOwn judges which request a notification cancels. One that became a task has a
// check of its own.
func cancelsOwn(o *observation, c *contact) finding {
	if c.Method != playground.CancelledNotified {
		return finding{}
	}
	for _, x := range o.contacts {
		if x.createdTask() != "" && jsontree.Equal(x.Sent.Get("id"), c.params.Get("requestId")) {
			return finding{}
		}
	}
	return is(slices.ContainsFunc(o.contacts, func(x *contact) bool { return o.cancels(c, x) }), c,
		"params", "requestId")
}

// cancels reports whether a notification cancels a request that is in progress.
func (o *observation) cancels(c, x *contact) bool {
	return x.isRequest() && x.Started.Before(c.Started) && x.overlaps(c) &&
		jsontree.Equal(x.Sent.Get("id"), c.params.Get("requestId"))
}

func listenFilter(_ *observation, c *contact) finding {
	if c.Method != playground.Listen {
		return finding{}
	}
	filter := c.params.Get("notifications")
	return is(filter != nil && filter.Kind == jsontree.Object, c, "params", "notifications")
}
