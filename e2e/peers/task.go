package peers

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

const tasksExtension = "io.modelcontextprotocol/tasks"

// maxTasks bounds the tasks in memory.
const maxTasks = 10000

const taskLife = 10 * time.Minute

// board keeps the tasks of one server.
type board struct {
	interval time.Duration // between two polls

	mu    sync.Mutex
	tasks map[string]*badgeTask
}

// badgeTask prints badges once it knows their color.
type badgeTask struct {
	user             string
	created, changed time.Time
	status           string
	result           object
	asked            int // questions so far; each has a key of its own
}

// Task answers its call with a task that asks for a color.
func Task() http.Handler { return newTasks(50 * time.Millisecond) }

func newTasks(interval time.Duration) http.Handler {
	b := &board{interval: interval, tasks: map[string]*badgeTask{}}
	return &peer{name: "task", capabilities: `{"tools":{},"extensions":{"` + tasksExtension + `":{}}}`,
		lists: map[string]string{"tools/list": `{"tools":[{"name":"print_badges","inputSchema":{` +
			`"type":"object","additionalProperties":false}}]}`},
		methods: map[string]func(*request) (any, error){
			"tools/call": b.start, "tasks/get": b.get, "tasks/update": b.update, "tasks/cancel": b.cancel,
		}}
}

// declared returns the error for a client without tasks.
func declared(r *request) error {
	if _, ok := r.capabilities.Extensions[tasksExtension]; ok {
		return nil
	}
	return needs(object{"extensions": object{tasksExtension: object{}}})
}

// start creates the task. It waits for a color from the beginning.
func (b *board) start(r *request) (any, error) {
	if r.name != "print_badges" {
		return nil, refuse(-32602, "unknown tool")
	}
	if r.hasState {
		return nil, refuse(-32602, "this server gives no requestState")
	}
	if err := declared(r); err != nil {
		return nil, err
	}
	if e := r.capabilities.Elicitation; e == nil || e.Form == nil && e.URL != nil {
		return nil, needs(object{"elicitation": object{"form": object{}}})
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.tasks) >= maxTasks {
		clear(b.tasks)
	}
	now := time.Now()
	t := &badgeTask{user: r.user, created: now, changed: now, status: "input_required"}
	id := strict.EncodeToString(newKey()[:18])
	b.tasks[id] = t
	seed := b.members(id, t)
	seed["resultType"], seed["status"] = "task", "working"
	delete(seed, "inputRequests")
	return seed, nil
}

// members returns the task as tasks/get shows it.
func (b *board) members(id string, t *badgeTask) object {
	m := object{
		"resultType": "complete", "taskId": id, "status": t.status,
		"createdAt":     t.created.UTC().Format(time.RFC3339Nano),
		"lastUpdatedAt": t.changed.UTC().Format(time.RFC3339Nano),
		"ttlMs":         taskLife.Milliseconds(), "pollIntervalMs": b.interval.Milliseconds(),
	}
	switch t.status {
	case "input_required":
		m["inputRequests"] = object{t.key(): formRequest("Which color do the badges have?",
			`{"type":"object","properties":{"color":{"type":"string","enum":["blue","red"]}},`+
				`"required":["color"]}`)}
	case "completed":
		m["result"] = t.result
	}
	return m
}

// key is new for every question.
func (t *badgeTask) key() string {
	if t.asked == 0 {
		return "color"
	}
	return fmt.Sprintf("color-%d", t.asked+1)
}

// find returns a task to its user.
func (b *board) find(r *request) (*badgeTask, error) {
	if err := declared(r); err != nil {
		return nil, err
	}
	t := b.tasks[r.name]
	if t == nil || t.user != r.user || time.Since(t.created) > taskLife {
		return nil, refuse(-32602, "unknown taskId")
	}
	return t, nil
}

func (b *board) get(r *request) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, err := b.find(r)
	if err != nil {
		return nil, err
	}
	return b.members(r.name, t), nil
}

// update takes the answer. Other keys are ignored.
func (b *board) update(r *request) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, err := b.find(r)
	if err != nil {
		return nil, err
	}
	a, ok := r.responses[t.key()]
	if !ok || t.status != "input_required" {
		return object{"resultType": "complete"}, nil
	}
	color := a.text("color")
	done := text("No badges were printed.")
	switch {
	case a.Action == "decline" || a.Action == "cancel":
	case a.Action != "accept":
		return nil, refuse(-32602, "the answer is malformed")
	case color != "blue" && color != "red":
		t.asked++ // ask again, with a new key
		t.changed = time.Now()
		return object{"resultType": "complete"}, nil
	default:
		done = text("Printed 12 %s badges.", color)
	}
	t.status, t.result, t.changed = "completed", done, time.Now()
	return object{"resultType": "complete"}, nil
}

// cancel ends a task that is not over.
func (b *board) cancel(r *request) (any, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, err := b.find(r)
	if err != nil {
		return nil, err
	}
	if t.status == "input_required" {
		t.status, t.changed = "cancelled", time.Now()
	}
	return object{"resultType": "complete"}, nil
}
