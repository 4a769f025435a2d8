package sampletools

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// The parts of a task. Naughty stores nothing: the id of a task names its
// fault.
const (
	taskTimes = `"createdAt":"2026-07-28T00:00:00Z","lastUpdatedAt":"2026-07-28T00:00:00Z",`
	taskRest  = taskTimes + `"ttlMs":null,"pollIntervalMs":200`
	toolDone  = `"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}`
)

// newTask returns a CreateTaskResult with further members.
func newTask(tool, members string) string {
	return `{"resultType":"task","taskId":"` + taskIDOf(tool) + `","status":"working",` + taskRest + members +
		`}`
}

func taskIDOf(tool string) string { return tool + "-7b0f3c1d9a5e4286" }

// polled returns the answer to tasks/get with the members of a status.
func polled(members string) func(*naughtyCall, http.ResponseWriter) {
	return func(c *naughtyCall, w http.ResponseWriter) {
		if c.acknowledge(w) {
			return
		}
		c.result(w, `{"resultType":"complete","taskId":`+serve.Quote(c.taskID)+`,`+taskRest+`,`+members+`}`)
	}
}

// acknowledge answers tasks/update and tasks/cancel well.
func (c *naughtyCall) acknowledge(w http.ResponseWriter) bool {
	if c.Method == "tasks/get" {
		return false
	}
	c.result(w, `{"resultType":"complete"}`)
	return true
}

// wellDone is the end of a task without a fault.
var wellDone = polled(`"status":"completed",` + toolDone)

// startsTask returns a fault whose call starts a task. A client that did not
// declare tasks gets a right error.
func startsTask(f fault) fault {
	if f.answer == nil {
		f.answer = func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
			c.result(w, newTask(f.tool, ""))
		}
	}
	start := f.answer
	f.answer = func(c *naughtyCall, w http.ResponseWriter, r *http.Request) {
		if !c.DeclaresExtension("io.modelcontextprotocol/tasks") {
			missing := serve.Refuse(c.ID, -32021, "the tasks extension is required")
			missing.Data = map[string]any{"requiredCapabilities": map[string]any{
				"extensions": map[string]any{"io.modelcontextprotocol/tasks": map[string]any{}}}}
			missing.Write(w)
			return
		}
		start(c, w, r)
	}
	if f.poll == nil {
		f.poll = wellDone
	}
	return f
}

// revivedAfter is how long the task of task_revived is over.
const revivedAfter = 2 * time.Second

// faultsOfTasks break the start of a task and its identity (ext-tasks, "Task
// Creation").
func faultsOfTasks() []fault {
	started := func(members string) reply {
		return func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
			c.result(w, `{"resultType":"task",`+strings.ReplaceAll(members, "$TASK", taskIDOf(c.name))+`}`)
		}
	}
	return []fault{
		{
			tool: "task_undeclared",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				c.result(w, newTask("task_undeclared", ""))
			},
			poll: wellDone,
		},
		startsTask(fault{
			tool:   "task_without_id",
			answer: started(`"status":"working",` + taskRest),
		}),
		startsTask(fault{
			tool: "task_without_ttl",
			answer: started(`"taskId":"$TASK","status":"working","lastUpdatedAt":"2026-07-28T00:00:00Z",` +
				`"pollIntervalMs":200`),
		}),
		startsTask(fault{
			tool: "task_seconds",
			answer: started(`"taskId":"$TASK","status":"working","createdAt":1785196800,` +
				`"lastUpdatedAt":1785196800,"ttlMs":null,"pollIntervalMs":200`),
			poll: func(c *naughtyCall, w http.ResponseWriter) {
				if !c.acknowledge(w) {
					c.result(w, `{"resultType":"complete","taskId":`+serve.Quote(c.taskID)+`,`+
						`"createdAt":1785196800,"lastUpdatedAt":1785196800,"ttlMs":null,`+
						`"pollIntervalMs":200,"status":"completed",`+toolDone+`}`)
				}
			},
		}),
		startsTask(fault{
			tool:   "task_nested",
			answer: started(`"task":{"taskId":"$TASK","status":"working",` + taskRest + `}`),
		}),
		startsTask(fault{
			tool:   "task_with_state",
			answer: started(`"taskId":"$TASK","status":"working",` + taskRest + `,"requestState":"s"`),
		}),
		startsTask(fault{
			tool: "task_other_id", poll: func(c *naughtyCall, w http.ResponseWriter) {
				if !c.acknowledge(w) {
					c.result(w, `{"resultType":"complete","taskId":"another-task",`+taskRest+
						`,"status":"completed",`+toolDone+`}`)
				}
			},
		}),
		startsTask(fault{
			tool: "task_born_later", poll: func(c *naughtyCall, w http.ResponseWriter) {
				if !c.acknowledge(w) {
					c.result(w, `{"resultType":"complete","taskId":`+serve.Quote(c.taskID)+`,`+
						`"createdAt":"2026-07-29T00:00:00Z","lastUpdatedAt":"2026-07-29T00:00:00Z",`+
						`"ttlMs":null,"pollIntervalMs":200,"status":"completed",`+toolDone+`}`)
				}
			},
		}),
		startsTask(fault{
			tool: "task_revived",
			answer: func(c *naughtyCall, w http.ResponseWriter, _ *http.Request) {
				// Naughty stores nothing, so the id of the task has the time.
				id := "task_revived-" + strconv.FormatInt(time.Now().UnixMilli(), 10)
				c.result(w, strings.ReplaceAll(newTask("task_revived", ""), taskIDOf("task_revived"), id))
			},
			poll: func(c *naughtyCall, w http.ResponseWriter) {
				_, text, _ := strings.Cut(c.taskID, "-")
				started, err := strconv.ParseInt(text, 10, 64)
				if err != nil || time.Since(time.UnixMilli(started)) < revivedAfter {
					wellDone(c, w)
					return
				}
				polled(`"status":"working"`)(c, w)
			},
		}),
		startsTask(fault{
			tool: "task_lost", poll: func(c *naughtyCall, w http.ResponseWriter) {
				serve.Refuse(c.ID, -32602, "no such task").Write(w)
			},
		}),
	}
}

// faultsOfTaskAnswers break the answers to tasks/get, tasks/update and
// tasks/cancel (ext-tasks, "Task Polling" and "Task Update Requests").
func faultsOfTaskAnswers() []fault {
	list := []fault{
		{
			tool: "poll_type_task", title: "Poll with resultType task", rule: "task-result-type",
			description: "tasks/get answers with resultType task; it must be complete.",
			poll: func(c *naughtyCall, w http.ResponseWriter) {
				if !c.acknowledge(w) {
					c.result(w, `{"resultType":"task","taskId":`+serve.Quote(c.taskID)+`,`+taskRest+
						`,"status":"completed",`+toolDone+`}`)
				}
			},
		},
		{
			tool: "poll_input_required", title: "Poll with resultType input_required", rule: "S1",
			description: "tasks/get answers with resultType input_required, which only three methods may.",
			poll: func(c *naughtyCall, w http.ResponseWriter) {
				if !c.acknowledge(w) {
					c.result(w, `{"resultType":"input_required","taskId":`+serve.Quote(c.taskID)+`,`+taskRest+
						`,"status":"input_required","inputRequests":{"color":`+colorQuestion+`}}`)
				}
			},
		},
		{
			tool: "task_unknown_status", title: "Unknown status", rule: "task-status",
			description: "The task is paused, which is no status.", poll: polled(`"status":"paused"`),
		},
		{
			tool: "task_without_result", title: "Completed without a result", rule: "task-members",
			description: "The task is completed but has no result.", poll: polled(`"status":"completed"`),
		},
		{
			tool: "task_without_error", title: "Failed without an error", rule: "task-members",
			description: "The task failed but has no error.", poll: polled(`"status":"failed"`),
		},
		{
			tool: "task_without_questions", title: "Input required without questions", rule: "task-members",
			description: "The task needs input but has no inputRequests.",
			poll:        polled(`"status":"input_required"`),
		},
		{
			tool: "task_tool_error", title: "Tool error as a failure", rule: "task-members",
			description: "The task failed with the result of a tool, which is a completed task.",
			poll: polled(`"status":"failed","result":{"resultType":"complete","isError":true,` +
				`"content":[{"type":"text","text":"the build broke"}]}`),
		},
		{
			tool: "task_same_key", title: "Answered key again", rule: "task-keys",
			description: "The task uses the key of an answered question for another question.",
			poll: func(c *naughtyCall, w http.ResponseWriter) {
				// Naughty stores nothing, so the id of the request makes the question another one.
				asks := strings.Replace(colorQuestion, "Which color?",
					"Which color for the next part? (poll "+
						strings.Trim(string(c.ID), `"`)+")", 1)
				polled(`"status":"input_required","inputRequests":{"color":`+asks+`}`)(c, w)
			},
		},
		{
			tool: "task_poll_state", title: "State in a poll", rule: "task-no-state",
			description: "tasks/get answers with a requestState.",
			poll:        polled(`"status":"completed","requestState":"s",` + toolDone),
		},
		{
			tool: "task_progress", title: "Progress of a task", rule: "listen-tasks",
			description: "tasks/get sends progress, which tasks do not have.",
			poll: func(c *naughtyCall, w http.ResponseWriter) {
				if c.acknowledge(w) {
					return
				}
				w.Header().Set("X-Accel-Buffering", "no")
				c.stream(w, progress("$TOKEN", 50), c.message(`{"resultType":"complete","taskId":`+
					serve.Quote(c.taskID)+`,`+taskRest+`,"status":"completed",`+toolDone+`}`))
			},
		},
		{
			tool: "task_bad_ack", title: "Acknowledgment with a task", rule: "task-ack",
			description: "tasks/update answers with the task, not with an empty result.",
			poll: func(c *naughtyCall, w http.ResponseWriter) {
				if c.Method != "tasks/update" {
					polled(`"status":"input_required","inputRequests":{"color":`+colorQuestion+`}`)(c, w)
					return
				}
				c.result(w, `{"resultType":"complete","taskId":`+serve.Quote(c.taskID)+`,`+taskRest+
					`,"status":"working"}`)
			},
		},
	}
	for i := range list {
		list[i] = startsTask(list[i])
	}
	return list
}
