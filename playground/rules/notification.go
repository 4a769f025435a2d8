package rules

import (
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

const listenMethod = playground.Listen

// notes returns the notifications of the response, in order.
func (s *subject) notes() []*jsontree.Node {
	var list []*jsontree.Node
	for _, m := range s.Messages {
		if m.Method() != "" && !m.Node.Has("id") {
			list = append(list, m.Node)
		}
	}
	return list
}

// subscribed are the notifications that a client gets only on a stream of
// subscriptions/listen.
var subscribed = []string{
	"notifications/subscriptions/acknowledged", "notifications/tools/list_changed",
	"notifications/prompts/list_changed", "notifications/resources/list_changed",
	"notifications/resources/updated", playground.CancelledNotified,
}

// taskNotified is the notification that the status of a task has changed.
const taskNotified = "notifications/tasks"

// relatedNotifications is stream-notifications: what a server sends before the
// response belongs to that request.
func relatedNotifications(s *subject) ruling {
	list := s.notes()
	if len(list) == 0 || s.Method == listenMethod {
		return na()
	}
	found := pass()
	for _, n := range list {
		switch method := n.Get("method").Str(); {
		case method == taskNotified: // no page forbids it
			found = hint("The stream of a request has the notification %s, which clients expect from %s.",
				quoted(method), listenMethod)
		case slices.Contains(subscribed, method):
			return fail("The stream of a request has the notification %s, which belongs to %s only.",
				quoted(method), listenMethod)
		}
	}
	return found
}

// logLevels are the levels of log messages, from the least severe.
var logLevels = []string{
	"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency",
}

// completeNotifications is notification-params.
func completeNotifications(s *subject) ruling {
	found := na()
	for _, n := range s.notes() {
		method, params := n.Get("method").Str(), n.Get("params")
		switch method {
		case playground.MessageNotified:
			if !slices.Contains(logLevels, params.Get("level").Str()) || !params.Has("data") {
				return fail("A log message lacks a known level or data.")
			}
		case playground.ProgressNotified:
			if _, ok := params.Get("progress").Decimal(); !ok || !isID(params.Get("progressToken")) {
				return fail("A progress notification lacks a progressToken or a number as progress.")
			}
		case "notifications/resources/updated":
			if missingText(params, "uri") != "" {
				return fail("The notification that a resource changed has no uri.")
			}
		default:
			if params != nil && params.Kind != jsontree.Object {
				return fail("The params of the notification %s are %s, not an object.",
					quoted(method), article(params))
			}
		}
		found = pass()
	}
	return found
}

// logsOnRequest is log-level: log messages are sent only if the request asks
// for them, at its level or above.
func logsOnRequest(s *subject) ruling {
	wanted := s.meta().Get("io.modelcontextprotocol/logLevel")
	least := slices.Index(logLevels, wanted.Str())
	found := na()
	if s.isTaskRequest() {
		return found // listen-tasks judges those
	}
	for _, n := range s.notes() {
		if n.Get("method").Str() != playground.MessageNotified {
			continue
		}
		level := n.At("params", "level").Str()
		rank := slices.Index(logLevels, level)
		switch {
		case s.Method == listenMethod && s.params().At("notifications", "taskIds") != nil:
			return na() // listen-tasks reports it
		case s.Method == listenMethod:
			return fail("A log message was sent on a stream of %s.", listenMethod)
		case wanted == nil:
			return fail("The server sent a log message, but the request has no logLevel.")
		case rank >= 0 && rank < least:
			return fail("The server sent a log message of level %s; the request asks for %s and above.",
				quoted(level), quoted(wanted.Str()))
		}
		found = pass()
	}
	return found
}

// acknowledgesFirst is listen-acknowledged.
func acknowledgesFirst(s *subject) ruling {
	list := s.notes()
	switch {
	case s.Method != listenMethod || len(list) == 0:
		return na()
	case list[0].Get("method").Str() != "notifications/subscriptions/acknowledged":
		return fail("The first message of the stream is %s, not the acknowledgement.",
			quoted(list[0].Get("method").Str()))
	}
	agreed := list[0].At("params", "notifications")
	if agreed == nil || agreed.Kind != jsontree.Object {
		return fail("The acknowledgement does not list what the server will send.")
	}
	for _, m := range agreed.Members {
		if !s.params().Get("notifications").Has(m.Key) {
			return fail("The acknowledgement lists %s, which the client did not ask for.", quoted(m.Key))
		}
	}
	return pass()
}

// filters are the members of the filter of a subscription, by notification.
var filters = map[string]string{
	"notifications/tools/list_changed":     "toolsListChanged",
	"notifications/prompts/list_changed":   "promptsListChanged",
	"notifications/resources/list_changed": "resourcesListChanged",
	"notifications/resources/updated":      "resourceSubscriptions",
	taskNotified:                           "taskIds",
}

// sendsOnlyRequested is listen-requested.
func sendsOnlyRequested(s *subject) ruling {
	if s.Method != listenMethod || len(s.notes()) == 0 {
		return na()
	}
	filter := s.params().Get("notifications")
	for _, n := range s.notes() {
		method := n.Get("method").Str()
		member, known := filters[method]
		wanted := filter.Get(member)
		if known && (wanted == nil || wanted.Kind == jsontree.Bool && !wanted.True()) {
			return fail("The stream has the notification %s, which the client did not ask for.",
				quoted(method))
		}
	}
	return pass()
}

const subscriptionID = "io.modelcontextprotocol/subscriptionId"

// namesSubscription is listen-id.
func namesSubscription(s *subject) ruling {
	if s.Method != listenMethod || len(s.notes()) == 0 {
		return na()
	}
	if id := s.Result.At("_meta", subscriptionID); s.finalResult() != nil &&
		!jsontree.Equal(id, s.Sent.Get("id")) {
		return fail("The result does not have the subscriptionId of its stream.")
	}
	for _, n := range s.notes() {
		id := n.At("params", "_meta", subscriptionID)
		if !jsontree.Equal(id, s.Sent.Get("id")) {
			return fail("The notification %s does not have the subscriptionId of its stream.",
				quoted(n.Get("method").Str()))
		}
	}
	return pass()
}

// noProgressOfTasks is listen-tasks: tasks have no progress and no log
// messages.
func noProgressOfTasks(s *subject) ruling {
	if !s.isTaskRequest() && (s.Method != listenMethod || s.params().At("notifications", "taskIds") == nil) ||
		len(s.notes()) == 0 {
		return na()
	}
	for _, n := range s.notes() {
		method := n.Get("method").Str()
		if method == playground.ProgressNotified || method == playground.MessageNotified {
			return fail("%s was sent for a task; tasks have neither progress nor log messages.",
				quoted(method))
		}
	}
	return pass()
}

// wellFormedError is error-shape. A body without "jsonrpc", as gateways send
// it, is not JSON-RPC and is not judged.
func wellFormedError(s *subject) ruling {
	for _, m := range s.Messages {
		e := m.Node.Get("error")
		if e == nil || !m.Node.Has("jsonrpc") {
			continue
		}
		code, isNumber := e.Get("code").Decimal()
		_, hasMessage := e.Get("message").Text()
		switch {
		case e.Kind != jsontree.Object:
			return fail("The error is %s, not an object.", article(e))
		case !e.Has("code"):
			return fail("The error has no code.")
		case !isNumber || !code.IsInt():
			return fail("The error code %s is not an integer.", raw(e.Get("code")))
		case !hasMessage:
			return fail("The error has no message.")
		}
		return pass()
	}
	return na()
}

// metaKeys is meta-keys: the names in _meta have the form that the protocol
// defines.
func metaKeys(s *subject) ruling {
	found := na()
	check := func(owner *jsontree.Node) string {
		for _, m := range owner.Get("_meta").Entries() {
			found = pass()
			if !isMetaKey(m.Key) {
				return m.Key
			}
		}
		return ""
	}
	if key := check(s.Result); key != "" {
		return fail("The _meta of the result has the key %s, which is not a valid name.", quoted(key))
	}
	for _, n := range s.notes() {
		if key := check(n.Get("params")); key != "" {
			return fail("The _meta of a notification has the key %s, which is not a valid name.", quoted(key))
		}
	}
	return found
}

// isMetaKey reports whether a key of _meta is an optional prefix and a name
// (basic/index, "_meta").
func isMetaKey(key string) bool {
	return isMetaPrefix(key) && isMetaName(key)
}

// isMetaPrefix reports whether the prefix of a key of _meta is valid, or absent.
func isMetaPrefix(key string) bool {
	prefix, _, prefixed := strings.Cut(key, "/")
	for label := range strings.SplitSeq(prefix, ".") {
		if prefixed && (label == "" || !isLetter(label[0]) || !isAlphanumeric(label[len(label)-1]) ||
			strings.ContainsFunc(label, func(r rune) bool { return r != '-' && !isAlphanumericRune(r) })) {
			return false
		}
	}
	return true
}

// isMetaName reports whether a key of _meta is valid after its prefix.
func isMetaName(key string) bool {
	name := key
	if _, after, prefixed := strings.Cut(key, "/"); prefixed {
		name = after
	}
	if name == "" {
		return true
	}
	return isAlphanumeric(name[0]) && isAlphanumeric(name[len(name)-1]) &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return !strings.ContainsRune("-_.", r) && !isAlphanumericRune(r)
		})
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func isAlphanumericRune(r rune) bool { return r < 0x80 && isAlphanumeric(byte(r)) }
