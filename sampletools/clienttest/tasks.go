package clienttest

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// tasksExtension is the extension for tasks.
const tasksExtension = "io.modelcontextprotocol/tasks"

// taskKind is how the tasks of a scenario go on.
type taskKind struct {
	name     string
	ttl      time.Duration
	interval time.Duration
	asks     int // how many questions it asks, one after the other
	polls    int // how many polls find it working before it completes; -1 for all
}

// taskKinds are the kinds by name.
var taskKinds = func() map[string]taskKind {
	list := map[string]taskKind{}
	for _, k := range []taskKind{
		{name: "task_input", ttl: taskLife, interval: 200 * time.Millisecond, asks: 1, polls: 1},
		{name: "task_twice", ttl: taskLife, interval: 200 * time.Millisecond, asks: 2},
		{name: "task_polls", ttl: taskLife, interval: time.Second, polls: 3},
		{name: "task_cancel", ttl: taskLife, interval: 200 * time.Millisecond, polls: -1},
		{name: "task_ttl", ttl: 3 * time.Second, interval: 500 * time.Millisecond, polls: -1},
		{name: "task_prompt", ttl: taskLife, interval: 200 * time.Millisecond, polls: -1},
	} {
		list[k.name] = k
	}
	return list
}()

// taskLife is how long a task is known.
const taskLife = 10 * time.Minute

// taskScenarios test the tasks extension.
func taskScenarios() []scenario {
	task := func(name, title, description, deviation string) scenario {
		return tool(name, title, description, deviation, func(c *call) {
			if !c.declares("extensions", tasksExtension) {
				c.lacks(`{"extensions":{"` + tasksExtension + `":{}}}`)
				return
			}
			c.result(c.newTask(taskKinds[name]))
		})
	}
	return []scenario{
		task("task_input", "A task that asks", "Becomes a task with a question in the middle.", ""),
		task("task_twice", "A task that asks twice",
			"Becomes a task with two questions, one after the other.", ""),
		task("task_polls", "A task to poll", "Becomes a task that completes after four polls.", ""),
		task("task_cancel", "A task to cancel", "Becomes a task that ends only when it is cancelled.",
			"The task never completes."),
		task("task_ttl", "A task that is forgotten", "Becomes a task that is unknown after three seconds.",
			"The task ends with its ttlMs, without a result."),
	}
}

// newTask returns the members of a result that is a task. Its id has all that the server
// needs to know: the kind, the time and the mark.
func (c *call) newTask(k taskKind) string {
	now := c.s.config.Now()
	t := task{c: c, kind: k, created: now.UTC(),
		id: k.name + "." + strconv.FormatInt(now.UnixMilli(), 10) + "." + c.mark(1)}
	return `"resultType":"task",` + t.members("working")
}

// task is a task as its id and the notes describe it.
type task struct {
	c       *call
	kind    taskKind
	created time.Time
	id      string
	notes   []string
}

// findTask returns the task that the request names, and whether it is known.
func (c *call) findTask() (task, bool) {
	id := c.text("taskId")
	parts := strings.Split(id, ".")
	if len(parts) != 3 || marks.FindString(parts[2]) != parts[2] || parts[2] == "" {
		return task{}, false
	}
	kind, known := taskKinds[parts[0]]
	ms, err := strconv.ParseInt(parts[1], 10, 64)
	created := time.UnixMilli(ms).UTC()
	age := c.s.config.Now().Sub(created)
	return task{c, kind, created, id, c.s.config.Notes.Of(id)}, known && err == nil && age < kind.ttl &&
		age > -time.Minute
}

// members returns the members of a task with a status.
func (t task) members(status string) string {
	const layout = "2006-01-02T15:04:05.000Z"
	return `"taskId":` + quote(t.id) + `,"status":"` + status + `","createdAt":"` + t.created.Format(layout) +
		`","lastUpdatedAt":"` + t.c.s.config.Now().UTC().Format(layout) + `","ttlMs":` +
		strconv.FormatInt(t.kind.ttl.Milliseconds(), 10) + `,"pollIntervalMs":` +
		strconv.FormatInt(t.kind.interval.Milliseconds(), 10)
}

// key returns the key of the nth question, from 1.
func (t task) key(n int) string { return "answer-" + t.c.mark(n) }

// task answers the methods of the extension.
func (c *call) task() {
	t, known := c.findTask()
	if !known {
		c.fail(200, -32602, "unknown task", "")
		return
	}
	notes := c.s.config.Notes
	switch c.method {
	case "tasks/get":
		c.result(`"resultType":"complete",` + t.status())
		if n := len(t.notes); n < maxNotes/2 {
			notes.Add(c.r.RemoteAddr, t.id, "poll")
		}
	case "tasks/update":
		for n := 1; n <= t.kind.asks; n++ {
			if _, ok := c.answers()[t.key(n)]; ok && !slices.Contains(t.notes, "answer "+strconv.Itoa(n)) {
				notes.Add(c.r.RemoteAddr, t.id, "answer "+strconv.Itoa(n))
			}
		}
		c.result(`"resultType":"complete"`)
	case "tasks/cancel":
		if !slices.Contains(t.notes, "cancel") {
			notes.Add(c.r.RemoteAddr, t.id, "cancel")
		}
		c.result(`"resultType":"complete"`)
	}
}

// status returns the members of the task as it is now.
func (t task) status() string {
	polls := 0
	for _, note := range t.notes {
		if note == "poll" {
			polls++
		}
	}
	if slices.Contains(t.notes, "cancel") {
		return t.members("cancelled")
	}
	if t.kind.polls < 0 || polls < t.kind.polls {
		return t.members("working")
	}
	for n := 1; n <= t.kind.asks; n++ {
		if !slices.Contains(t.notes, "answer "+strconv.Itoa(n)) {
			return t.members("input_required") + `,"inputRequests":{` +
				form(t.key(n), "Answer with anything.", anyText).json() + `}`
		}
	}
	return t.members("completed") + `,"result":{"resultType":"complete","content":[{"type":"text","text":` +
		quote(received) + `}]}`
}
