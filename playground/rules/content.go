package rules

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// member is a required member of a result.
type member struct {
	name string
	kind jsontree.Kind
}

// requiredMembers are the required members of final results, by method.
var requiredMembers = map[string][]member{
	playground.Discover:      {{"supportedVersions", jsontree.Array}, {"capabilities", jsontree.Object}},
	playground.ToolsList:     {{"tools", jsontree.Array}},
	playground.PromptsList:   {{"prompts", jsontree.Array}},
	playground.ResourcesList: {{"resources", jsontree.Array}},
	playground.TemplatesList: {{"resourceTemplates", jsontree.Array}},
	playground.Complete:      {{"completion", jsontree.Object}},
	playground.ToolsCall:     {{"content", jsontree.Array}},
	playground.PromptsGet:    {{"messages", jsontree.Array}},
	playground.ResourcesRead: {{"contents", jsontree.Array}},
}

// resultIsObject is result-object.
func resultIsObject(s *subject) ruling {
	switch {
	case s.Result == nil:
		return na()
	case s.Result.Kind != jsontree.Object:
		return fail("The result is %s, not an object.", article(s.Result))
	}
	return pass()
}

// final returns the final result of a call, which may be inside a task, and the
// method that it is a result of. It returns nil if there is none.
func (s *subject) final() (*jsontree.Node, string) {
	if s.Method != playground.TasksGet {
		result := s.finalResult()
		if result != nil && !result.Has("resultType") &&
			(result.Has("inputRequests") || result.Has("requestState") || result.Has("taskId")) {
			return nil, "" // meant as another type; S0 reports it
		}
		return result, s.Method
	}
	if result := s.Result.Get("result"); s.Result.Get("status").Str() == "completed" && result != nil &&
		result.Kind == jsontree.Object {
		return result, s.taskMethod()
	}
	return nil, ""
}

// taskMethod returns the method of the call that created the task.
func (s *subject) taskMethod() string {
	for i := len(s.earlier) - 1; i >= 0; i-- {
		if s.earlier[i].Kind == playground.OutcomeTask {
			return s.earlier[i].Method
		}
	}
	return ""
}

// hasRequiredMembers is result-members.
func hasRequiredMembers(s *subject) ruling {
	result, method := s.final()
	required := requiredMembers[method]
	if result == nil || len(required) == 0 {
		return na()
	}
	for _, m := range required {
		n := result.Get(m.name)
		if n == nil || n.Kind != m.kind {
			return fail("The result of %s has no %s %s.", method, m.kind, quoted(m.name))
		}
		for _, item := range n.Elements() {
			if name := missingText(item, itemMembers[m.name]...); name != "" {
				return fail("An item of %s has no %s.", quoted(m.name), name)
			}
			for _, argument := range item.Get("arguments").Elements() {
				if missingText(argument, "name") != "" {
					return fail("An argument of the prompt %s has no name.", quoted(item.Get("name").Str()))
				}
			}
		}
	}
	return pass()
}

// itemMembers are the required text members of listed items. tool-name and
// tool-schema judge tools.
var itemMembers = map[string][]string{
	"prompts": {"name"}, "resources": {"uri", "name"}, "resourceTemplates": {"uriTemplate", "name"},
}

// missingText returns the first of the names that is not a text member of n, or
// "".
func missingText(n *jsontree.Node, names ...string) string {
	for _, name := range names {
		if _, ok := n.Get(name).Text(); !ok {
			return name
		}
	}
	return ""
}

// noQuestionsBeside is questions-beside.
func noQuestionsBeside(s *subject) ruling {
	result, _ := s.final()
	if result == nil || s.isTaskRequest() {
		return na()
	}
	for _, name := range []string{"inputRequests", "requestState"} {
		if result.Has(name) {
			return hint("The complete result has %s, which clients ignore.", quoted(name))
		}
	}
	return pass()
}

// wellFormedContent is content-shape.
func wellFormedContent(s *subject) ruling {
	result, method := s.final()
	found := na()
	judge := func(fault string) bool {
		found = pass()
		if fault != "" {
			found = fail("The result has %s.", fault)
		}
		return fault != ""
	}
	switch method {
	case playground.ToolsCall:
		for _, block := range result.Get("content").Elements() {
			if judge(blockFault(block)) {
				return found
			}
		}
	case playground.PromptsGet:
		for _, m := range result.Get("messages").Elements() {
			if judge(messageFault(m)) {
				return found
			}
		}
	case playground.ResourcesRead:
		for _, c := range result.Get("contents").Elements() {
			if judge(resourceFault(c)) {
				return found
			}
		}
	}
	return found
}

// messageFault returns the fault of a message of a prompt, or "".
func messageFault(m *jsontree.Node) string {
	if role := m.Get("role").Str(); role != "user" && role != "assistant" {
		return "a message with the role " + quoted(role)
	}
	block := m.Get("content")
	if block.Get("type").Str() == "resource" && missingText(block.Get("resource"), "mimeType") != "" {
		return "an embedded resource without mimeType"
	}
	return blockFault(block)
}

// described returns the parts of a result that can have a URI and annotations:
// content blocks, embedded resources and listed resources.
func (s *subject) described() []*jsontree.Node {
	result, _ := s.final()
	var list []*jsontree.Node
	add := func(n *jsontree.Node) {
		if n != nil {
			list = append(list, n)
		}
	}
	for _, name := range []string{"content", "contents", "resources", "resourceTemplates"} {
		for _, n := range result.Get(name).Elements() {
			add(n)
			add(n.Get("resource"))
		}
	}
	for _, m := range result.Get("messages").Elements() {
		add(m.Get("content"))
		add(m.At("content", "resource"))
	}
	return list
}

// wellFormedAnnotations is annotations.
func wellFormedAnnotations(s *subject) ruling {
	found := na()
	for _, n := range s.described() {
		a := n.Get("annotations")
		if a == nil {
			continue
		}
		found = pass()
		for _, who := range a.Get("audience").Elements() {
			if !slices.Contains(roles, who.Str()) {
				return fail("An annotation has the audience %s; it must be user or assistant.", raw(who))
			}
		}
		if p := a.Get("priority"); p != nil && !isPriority(p) {
			return fail("An annotation has the priority %s; it must be from 0 to 1.", raw(p))
		}
		if at := a.Get("lastModified"); at != nil && !isISO8601(at.Str()) {
			return fail("An annotation has lastModified %s, which is not an ISO 8601 time.", raw(at))
		}
	}
	return found
}

// isPriority reports whether a node is a number from 0 to 1.
func isPriority(n *jsontree.Node) bool {
	value, ok := n.Decimal()
	one, _ := parse(json.RawMessage("1")).Decimal()
	return ok && value.Sign() >= 0 && value.Cmp(one) <= 0
}

// validResourceURIs is resource-uri.
func validResourceURIs(s *subject) ruling {
	found := na()
	for _, n := range s.described() {
		uri, ok := n.Get("uri").Text()
		if !ok {
			continue
		}
		found = pass()
		if !validURL(uri) {
			return fail("The resource %s has no valid URI.", quoted(uri))
		}
	}
	return found
}

// textMembers are the required text members of content blocks, by type.
var textMembers = map[string][]string{
	"text":          {"text"},
	"image":         {"data", "mimeType"},
	"audio":         {"data", "mimeType"},
	"resource_link": {"uri", "name"},
	"tool_use":      {"id", "name"},
	"tool_result":   {"toolUseId"},
}

// blockFault returns the fault of a content block, or "".
func blockFault(b *jsontree.Node) string {
	if b == nil || b.Kind != jsontree.Object {
		return "a content block that is not an object"
	}
	kind := b.Get("type").Str()
	if kind == "resource" {
		return resourceFault(b.Get("resource"))
	}
	required, known := textMembers[kind]
	if !known {
		return "a content block of the unknown type " + quoted(kind)
	}
	for _, name := range required {
		if _, ok := b.Get(name).Text(); !ok {
			return "a block of type " + kind + " without " + name
		}
	}
	if data, ok := b.Get("data").Text(); ok && (kind == "image" || kind == "audio") && !isBase64(data) {
		return "a block of type " + kind + " whose data is not Base64"
	}
	return ""
}

// resourceFault returns the fault of the contents of a resource, or "".
func resourceFault(r *jsontree.Node) string {
	_, hasURI := r.Get("uri").Text()
	_, hasText := r.Get("text").Text()
	blob, hasBlob := r.Get("blob").Text()
	switch {
	case !hasURI:
		return "a resource without a uri"
	case !hasText && !hasBlob:
		return "a resource without text or blob"
	case hasBlob && !isBase64(blob):
		return "a resource whose blob is not Base64"
	}
	return ""
}

func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}

// structuredFits is structured-content. It needs the definition of the tool.
func structuredFits(s *subject) ruling {
	result, method := s.final()
	schema := s.tool.Get("outputSchema")
	if result == nil || method != playground.ToolsCall || schema == nil || result.Get("isError").True() {
		return na()
	}
	content := result.Get("structuredContent")
	if content == nil {
		return fail("The tool has an outputSchema, but its result has no structuredContent.")
	}
	fit, err := form.Conforms(schema.Raw(), content.Raw())
	switch {
	case err != nil:
		why := strings.TrimPrefix(err.Error(), form.ErrUnchecked.Error()+": ")
		return unjudged("structuredContent cannot be checked against the outputSchema of the tool: %s.",
			text.Visible(why, 200))
	case len(fit.Faults) > 0:
		return fail("structuredContent does not fit the outputSchema of the tool: %s.", fit.Faults[0])
	case len(fit.Formats) > 0:
		return hint("structuredContent fits the outputSchema of the tool apart from formats, "+
			"which its dialect does not require: %s.", fit.Formats[0])
	}
	return pass()
}

// structuredHasText is structured-text.
func structuredHasText(s *subject) ruling {
	result, method := s.final()
	switch {
	case method != playground.ToolsCall || !result.Has("structuredContent"), !result.Has("content"):
		return na()
	case !hasText(result):
		return hint("The result has structuredContent, but no text block with the same for older clients.")
	}
	return pass()
}

// hasText reports whether the content of a result has a text block.
func hasText(result *jsontree.Node) bool {
	return slices.ContainsFunc(result.Get("content").Elements(),
		func(b *jsontree.Node) bool { return b.Get("type").Str() == "text" })
}

// wireNames are the members that the protocol spells in camelCase and that
// servers are known to misspell.
var wireNames = func() map[string]string {
	byPlain := map[string]string{}
	for _, name := range []string{
		"resultType", "inputRequests", "requestState", "isError", "structuredContent", "requestedSchema",
		"maxTokens", "systemPrompt", "taskId", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs",
		"statusMessage", "cacheScope", "nextCursor", "mimeType",
	} {
		byPlain[playground.PlainName(name)] = name
	}
	return byPlain
}()

// noLookAlikes is look-alike: a member that only differs from one of the
// protocol in its spelling.
func noLookAlikes(s *subject) ruling {
	if s.Result == nil || s.Result.Kind != jsontree.Object {
		return na()
	}
	owners := []*jsontree.Node{s.Result}
	for _, q := range s.inputRequests() {
		owners = append(owners, q.Value, q.Value.Get("params"))
	}
	for _, owner := range owners {
		for _, m := range owner.Entries() {
			if want, ok := wireNames[playground.PlainName(m.Key)]; ok && want != m.Key {
				return hint("The member %s is unknown. Did you mean %s?", quoted(m.Key), want)
			}
		}
	}
	return pass()
}
