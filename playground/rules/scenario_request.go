package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// isMessage reports whether the contact has a body, which is a message or should be one.
func (c *Contact) isMessage() bool { return len(c.Request.Body) > 0 }

func jsonrpc(c *Contact) ruling {
	switch {
	case !c.isMessage() || !utf8.Valid(c.Request.Body):
		return na()
	case c.Sent == nil:
		return broken(c).says("The body is not JSON.")
	case c.Sent.Kind == jsontree.Array: // no-batch judges it
		return na()
	}
	return keeps(c.Sent.Kind == jsontree.Object && c.Sent.Get("jsonrpc").Str() == "2.0", c, "jsonrpc")
}

func idType(c *Contact) ruling {
	id := c.Sent.Get("id")
	if c.Method == "" || c.isNotification() || id != nil && id.Kind == jsontree.Null {
		return na()
	}
	return keeps(IsID(id), c, "id")
}

func idNull(c *Contact) ruling {
	id := c.Sent.Get("id")
	if c.Method == "" || id == nil || c.isNotification() {
		return na()
	}
	return keeps(id.Kind != jsontree.Null, c, "id")
}

func requestMembers(c *Contact) ruling {
	return keeps(c.params() == nil || c.params().Kind == jsontree.Object, c, "params")
}

func notificationMembers(c *Contact) ruling {
	if !c.isNotification() {
		return na()
	}
	return requestMembers(c)
}

func notificationID(c *Contact) ruling {
	if !c.isNotification() {
		return na()
	}
	return keeps(!c.Sent.Has("id"), c, "id")
}

func noResponse(c *Contact) ruling {
	if c.Sent == nil || c.Sent.Kind != jsontree.Object {
		return na()
	}
	return keeps(c.Method != "" || !c.Sent.Has("result") && !c.Sent.Has("error"), c)
}

func noBatch(c *Contact) ruling {
	if c.Sent == nil {
		return na()
	}
	return keeps(c.Sent.Kind != jsontree.Array, c)
}

func post(c *Contact) ruling {
	if !c.isMessage() || c.Sent == nil {
		return na()
	}
	return keeps(strings.HasPrefix(string(c.Request.Head), "POST "), c)
}

func utf8Body(c *Contact) ruling {
	if !c.isMessage() {
		return na()
	}
	return keeps(utf8.Valid(c.Request.Body), c)
}

func headerVersion(c *Contact) ruling {
	return keeps(len(c.head.Values("MCP-Protocol-Version")) > 0, c).inHeader("MCP-Protocol-Version")
}

func versionEqual(c *Contact) ruling {
	fault, needed := HeaderFault(c.Trip, "MCP-Protocol-Version")
	if !needed || len(c.head.Values("MCP-Protocol-Version")) == 0 {
		return na()
	}
	return keeps(fault == "", c).inHeader("MCP-Protocol-Version")
}

func headerMethod(c *Contact) ruling {
	if c.isTaskRequest() {
		return na()
	}
	return standardHeader(c, "Mcp-Method")
}

// standardHeader judges a header that repeats a part of the body.
func standardHeader(c *Contact, name string) ruling {
	text, needed := HeaderFault(c.Trip, name)
	switch {
	case !needed:
		return na()
	case text != "":
		return broken(c).inHeader(name).says("The header %s %s.", name, text)
	}
	return kept(c).inHeader(name)
}

func headerName(c *Contact) ruling {
	if c.isTaskRequest() || !isPlainText(c.Name()) {
		return na()
	}
	return standardHeader(c, "Mcp-Name")
}

// metaOf judges whether requests whose method begins with a prefix have _meta; for "",
// those of all other methods. Retries have a check of their own.
func metaOf(prefix string) func(*Contact) ruling {
	return func(c *Contact) ruling {
		of := ""
		for _, p := range []string{"tools/", "prompts/", "resources/"} {
			if strings.HasPrefix(c.Method, p) {
				of = p
			}
		}
		if of != prefix || c.isRetry() {
			return na()
		}
		return metaIsObject(c)
	}
}

func hasMetaRetry(c *Contact) ruling {
	if !c.isRetry() {
		return na()
	}
	return metaIsObject(c)
}

func metaIsObject(c *Contact) ruling {
	if c.params() != nil && c.params().Kind != jsontree.Object { // members judges it
		return na()
	}
	return keeps(c.meta() != nil && c.meta().Kind == jsontree.Object, c, "params", "_meta")
}

func metaVersion(c *Contact) ruling {
	const name = "io.modelcontextprotocol/protocolVersion"
	if c.meta() == nil {
		return na()
	}
	_, ok := c.meta().Get(name).Text()
	return keeps(ok, c, "params", "_meta", name)
}

func metaCapabilities(c *Contact) ruling {
	if c.meta() == nil {
		return na()
	}
	return keeps(c.clientCapabilities() != nil && c.clientCapabilities().Kind == jsontree.Object, c, "params", "_meta",
		"io.modelcontextprotocol/clientCapabilities")
}

func clientInfo(c *Contact) ruling {
	const name = "io.modelcontextprotocol/clientInfo"
	if c.meta() == nil {
		return na()
	}
	_, named := c.meta().At(name, "name").Text()
	_, versioned := c.meta().At(name, "version").Text()
	return keeps(named && versioned, c, "params", "_meta", name)
}

func metaPrefixes(c *Contact) ruling {
	found := na()
	for _, m := range c.meta().Entries() {
		prefix, _, prefixed := strings.Cut(m.Key, "/")
		if !prefixed {
			continue
		}
		if !IsMetaKey(prefix + "/") {
			return broken(c, "params", "_meta", m.Key).says("The key %s of _meta has no valid prefix.",
				quoted(m.Key))
		}
		found = kept(c, "params", "_meta", m.Key)
	}
	return found
}

func metaName(c *Contact) ruling {
	found := na()
	for _, m := range c.meta().Entries() {
		name := m.Key
		if _, after, prefixed := strings.Cut(m.Key, "/"); prefixed {
			name = after
		}
		if !IsMetaKey(name) {
			return broken(c, "params", "_meta", m.Key).says("The key %s of _meta has no valid name.",
				quoted(m.Key))
		}
		found = kept(c, "params", "_meta", m.Key)
	}
	return found
}

func extensionNames(c *Contact) ruling {
	found := na()
	path := []string{"params", "_meta", "io.modelcontextprotocol/clientCapabilities", "extensions"}
	for _, m := range c.clientCapabilities().Get("extensions").Entries() {
		if !IsExtensionName(m.Key) {
			return broken(c, path...).says("The extension %s has no valid prefix.", quoted(m.Key))
		}
		found = kept(c, path...)
	}
	return found
}

func elicitationMode(c *Contact) ruling {
	declared := c.clientCapabilities().Get("elicitation")
	if declared == nil {
		return na()
	}
	return keeps(declared.Len() == 0 || declared.Has("form") || declared.Has("url"), c, "params", "_meta",
		"io.modelcontextprotocol/clientCapabilities", "elicitation")
}

// keepsAuthorization judges a retry of a request that had a token.
func keepsAuthorization(c *Contact) ruling {
	if len(c.Source.head.Values("Authorization")) == 0 {
		return na()
	}
	return keeps(len(c.head.Values("Authorization")) > 0, c).inHeader("Authorization")
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

func knownMethods(c *Contact) ruling {
	switch {
	case slices.Contains(coreMethods, c.Method):
		return broken(c, "method")
	case slices.Contains(declaredMethods, c.Method):
		return kept(c, "method")
	}
	return na()
}

// extensionMethods judges whether a client uses an extension that the server does not declare.
func extensionMethods(c *Contact) ruling {
	switch {
	case c.isNotification() || slices.Contains(coreMethods, c.Method):
		return na()
	case !slices.Contains(declaredMethods, c.Method):
		return broken(c, "method")
	case c.clientCapabilities().Get("extensions").Len() > 0:
		return kept(c, "method")
	}
	return na()
}

// declaredAgain judges whether a retry declares what the request before it declared and what its
// answers are of.
func declaredAgain(c *Contact) ruling {
	capability := map[string]string{playground.Elicit: "elicitation", playground.CreateMessage: "sampling",
		playground.RootsList: "roots"}
	found := na()
	for _, a := range c.inputResponses() {
		name := capability[c.Source.asked().At("inputRequests", a.Key, "method").Str()]
		if name == "" || c.meta() == nil || c.clientCapabilities() == nil || !c.Source.clientCapabilities().Has(name) {
			continue
		}
		path := []string{"params", "_meta", "io.modelcontextprotocol/clientCapabilities"}
		if !c.clientCapabilities().Has(name) {
			return broken(c, path...).says("The retry has an answer to %s and does not declare %s.",
				quoted(a.Key), name)
		}
		found = kept(c, path...)
	}
	return found
}

// eraKept judges whether a client that got a result of this revision goes back to an earlier
// one. After an error other checks judge it.
func eraKept(r *record, _ *Scenario) []ruling {
	var list []ruling
	found := na()
	for _, c := range r.contacts {
		before := r.before(c)
		switch {
		case before == nil || !before.Result.Has("resultType"):
		case c.Method == playground.Initialize:
			list = append(list, broken(c, "method"))
		case c.isModern():
			found = kept(c)
		}
	}
	return append(list, found)
}

// namesText judges whether requests of a method have a text in their params.
func namesText(method, member string) func(*Contact) ruling {
	return func(c *Contact) ruling {
		if c.Method != method {
			return na()
		}
		_, ok := c.params().Get(member).Text()
		return keeps(ok, c, "params", member)
	}
}

func updateMembers(c *Contact) ruling {
	if c.Method != playground.TasksUpdate {
		return na()
	}
	_, ok := c.params().Get("taskId").Text()
	responses := c.params().Get("inputResponses")
	return keeps(ok && responses != nil && responses.Kind == jsontree.Object, c, "params")
}

// cancelsRunning judges which request a notification cancels. One that became a task has a
// check of its own.
func cancelsRunning(c *Contact) ruling {
	if c.Method != playground.CancelledNotified {
		return na()
	}
	for _, x := range c.record.contacts {
		if x.CreatedTask() != "" && jsontree.Equal(x.Sent.Get("id"), c.params().Get("requestId")) {
			return na()
		}
	}
	return keeps(slices.ContainsFunc(c.record.contacts, func(x *Contact) bool { return c.record.cancels(c, x) }), c,
		"params", "requestId")
}

// cancels reports whether a notification cancels a request that is in progress.
func (r *record) cancels(c, x *Contact) bool {
	return x.isModern() && x.Started.Before(c.Started) && x.overlaps(c) &&
		jsontree.Equal(x.Sent.Get("id"), c.params().Get("requestId"))
}

func listenFilter(c *Contact) ruling {
	if c.Method != playground.Listen {
		return na()
	}
	filter := c.params().Get("notifications")
	return keeps(filter != nil && filter.Kind == jsontree.Object, c, "params", "notifications")
}
