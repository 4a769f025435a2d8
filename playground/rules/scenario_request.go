package rules

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// eachBody judges every request that has a body, which is a message or should be one.
func eachBody(judge func(*Contact) ruling) check {
	return each(func(c *Contact) ruling {
		if len(c.Request.Body) == 0 {
			return na()
		}
		return judge(c)
	})
}

func isJSONRPC2(c *Contact) ruling {
	found := inWords(bodyIsMessage, "jsonrpc")(c)
	if c.Sent == nil && found.verdict == verdict.Failed {
		return broken(c).says("The body is not JSON.")
	}
	return found
}

func isPosted(c *Contact) ruling {
	if c.Sent == nil {
		return na()
	}
	return keeps(c.isPost(), c)
}

func notificationParams(c *Contact) ruling {
	if !c.isNotification() {
		return na()
	}
	return inWords(paramsAreObject, "params")(c)
}

func headerVersion(c *Contact) ruling {
	return keeps(len(c.head.Values("MCP-Protocol-Version")) > 0, c).inHeader("MCP-Protocol-Version")
}

func versionEqual(c *Contact) ruling {
	if len(c.head.Values("MCP-Protocol-Version")) == 0 {
		return na()
	}
	found := repeatsIn("MCP-Protocol-Version")(c)
	found.text = ""
	return found
}

// repeatsIn judges a standard header, which repeats a part of the body.
func repeatsIn(name string) func(*Contact) ruling {
	return func(c *Contact) ruling {
		fault, needed := c.headerRepeats(name)
		switch {
		case !needed:
			return na()
		case fault != "":
			return broken(c).inHeader(name).says("%s.", fault)
		}
		return kept(c).inHeader(name)
	}
}

// ofCalls leaves out the requests about tasks, whose headers have checks of their own.
func ofCalls(judge func(*Contact) ruling) func(*Contact) ruling {
	return func(c *Contact) ruling {
		if c.isTaskRequest() {
			return na()
		}
		return judge(c)
	}
}

// headerName judges names that need no encoding.
func headerName(c *Contact) ruling {
	if !isPlainText(c.Name()) {
		return na()
	}
	return repeatsIn("Mcp-Name")(c)
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
		return metaThere(c)
	}
}

func metaOfRetry(c *Contact) ruling {
	if !c.isRetry() {
		return na()
	}
	return metaThere(c)
}

func metaThere(c *Contact) ruling {
	if paramsAreObject(&c.subject).verdict == verdict.Failed { // members judges it
		return na()
	}
	return inWords(metaIsObject, "params", "_meta")(c)
}

// keyPrefixes judges the keys of _meta that have a prefix.
func keyPrefixes(c *Contact) ruling {
	prefixed := slices.DeleteFunc(slices.Clone(c.meta().Entries()), func(m jsontree.Member) bool {
		return !strings.Contains(m.Key, "/")
	})
	return judgeKeys(c, prefixed, isMetaPrefix, "The key %s of _meta has no valid prefix.")
}

func keyNames(c *Contact) ruling {
	return judgeKeys(c, c.meta().Entries(), isMetaName, "The key %s of _meta has no valid name.")
}

func judgeKeys(c *Contact, keys []jsontree.Member, right func(string) bool, words string) ruling {
	key, found := lastRight(keys, right)
	switch found.verdict {
	case verdict.NotApplicable:
		return na()
	case verdict.Failed:
		return broken(c, "params", "_meta", key).says(words, quoted(key))
	}
	return kept(c, "params", "_meta", key)
}

// The places of the version, the declared capabilities, the task and the filter
// in a request.
var (
	versionPath      = []string{"params", "_meta", metaPrefix + "protocolVersion"}
	capabilitiesPath = []string{"params", "_meta", metaPrefix + "clientCapabilities"}
	taskPath         = []string{"params", "taskId"}
	filterPath       = []string{"params", "notifications"}
)

func extensionNames(c *Contact) ruling {
	path := append(slices.Clip(capabilitiesPath), "extensions")
	name, found := lastRight(c.clientCapabilities().Get("extensions").Entries(), isExtensionName)
	switch found.verdict {
	case verdict.NotApplicable:
		return na()
	case verdict.Failed:
		return broken(c, path...).says("The extension %s has no valid prefix.", quoted(name))
	}
	return kept(c, path...)
}

func elicitationMode(c *Contact) ruling {
	declared := c.clientCapabilities().Get("elicitation")
	if declared == nil {
		return na()
	}
	return keeps(declared.Len() == 0 || declared.Has("form") || declared.Has("url"), c,
		append(slices.Clip(capabilitiesPath), "elicitation")...)
}

// keepsAuthorization judges a retry of a request that had a token.
func keepsAuthorization(c *Contact) ruling {
	if len(c.Source.head.Values("Authorization")) == 0 {
		return na()
	}
	return keeps(len(c.head.Values("Authorization")) > 0, c).inHeader("Authorization")
}

// declaredMethods are the methods of the features that the test server
// declares.
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

// declaredAgain judges whether a retry declares the capabilities that the
// request before it declared and those of its answers.
func declaredAgain(c *Contact) ruling {
	capability := map[string]string{playground.Elicit: "elicitation", playground.CreateMessage: "sampling",
		playground.RootsList: "roots"}
	found := na()
	for _, a := range c.inputResponses() {
		name := capability[c.Source.asked().At("inputRequests", a.Key, "method").Str()]
		if name == "" || c.meta() == nil || c.clientCapabilities() == nil ||
			!c.Source.clientCapabilities().Has(name) {
			continue
		}
		path := capabilitiesPath
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

// ofMethod judges the requests of a method.
func ofMethod(method string, judge func(*Contact) ruling) func(*Contact) ruling {
	return func(c *Contact) ruling {
		if c.Method != method {
			return na()
		}
		return judge(c)
	}
}

// cancelsRunning judges which request a notification cancels. One that became a task has a
// check of its own.
func cancelsRunning(c *Contact) ruling {
	for _, x := range c.record.contacts {
		if x.CreatedTask() != "" && jsontree.Equal(x.Sent.Get("id"), c.params().Get("requestId")) {
			return na()
		}
	}
	running := func(x *Contact) bool { return c.record.cancels(c, x) }
	return keeps(slices.ContainsFunc(c.record.contacts, running), c, "params", "requestId")
}

// cancels reports whether a notification cancels a request that is in progress.
func (r *record) cancels(c, x *Contact) bool {
	return x.isModern() && x.Started.Before(c.Started) && x.overlaps(c) &&
		jsontree.Equal(x.Sent.Get("id"), c.params().Get("requestId"))
}
