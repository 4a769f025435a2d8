package playground

// Methods of requests of the client. The first three are the calls that a server may
// answer with input_required (basic/patterns/mrtr, "Supported Requests").
const (
	ToolsCall     = "tools/call"
	PromptsGet    = "prompts/get"
	ResourcesRead = "resources/read"

	Discover      = "server/discover"
	ToolsList     = "tools/list"
	PromptsList   = "prompts/list"
	ResourcesList = "resources/list"
	TemplatesList = "resources/templates/list"

	Complete = "completion/complete"
	Listen   = "subscriptions/listen"

	// Of the tasks extension (SEP-2663).
	TasksGet    = "tasks/get"
	TasksUpdate = "tasks/update"
	TasksCancel = "tasks/cancel"

	// Of revisions before 2026-07-28. Initialize opens a session. TasksResult returns the
	// result of a task of 2025-11-25: the request stays open until the task ends, and the
	// server asks its questions meanwhile.
	Initialize  = "initialize"
	Ping        = "ping"
	TasksResult = "tasks/result"
)

// Methods of the questions of a server: their kinds.
const (
	Elicit        = "elicitation/create"
	CreateMessage = "sampling/createMessage"
	RootsList     = "roots/list"
)

// Methods of notifications.
const (
	ProgressNotified  = "notifications/progress"
	MessageNotified   = "notifications/message"
	CancelledNotified = "notifications/cancelled" // withdraws a question of a legacy server
)
