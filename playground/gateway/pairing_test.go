package gateway

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// message returns a request of a method with an id and params.
func message(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":{%s"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":%[1]q,`+
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, method, params)
}

// answered returns a response to an id with members of the result.
func answered(id, members string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"resultType":"complete",%s}}`, id, members)
}

// namedOf returns the ids of what is named.
func namedOf(r verdict.Report) []string {
	var list []string
	for _, l := range r.Group(GroupNamed).Lines {
		list = append(list, l.ID)
	}
	return list
}

// TestReport_CrossedArrivals: two equal calls at once that reach the upstream in the other order
// are told apart by their ids, which a plain proxy passes on.
func TestReport_CrossedArrivals(t *testing.T) {
	at := time.Unix(1000, 0)
	const params = `"name":"t","arguments":{"mark":"m"},`
	var rec Recording
	for i, id := range []string{"1-a", "1-b"} {
		sent, came := message(id, "tools/call", params), answered(id, `"content":[]`)
		rec.Calls = append(rec.Calls, Call{
			Exchange: id, Mark: "m", Method: playground.ToolsCall, Tool: "t", Name: "t",
			Log: exchange(1, at.Add(time.Duration(i)*time.Millisecond), sent, came),
		})
		rec.Upstream = append(exchange(2-i, at.Add(time.Duration(10-i)*time.Millisecond), sent, came),
			rec.Upstream...)
	}
	r := Report(rec)
	if failed, named := outcomes(r, verdict.Failed), namedOf(r); len(failed) > 0 || len(named) > 0 {
		t.Errorf("%v failed, %v named", failed, named)
	}
}

// TestReport_UnmarkedAmongLists: a request whose mark a gateway dropped with the _meta belongs to the
// call that is open, though lists have no mark either. Once that is over, it belongs to none.
func TestReport_UnmarkedAmongLists(t *testing.T) {
	at := time.Unix(1000, 0)
	list := Call{Method: playground.ToolsList, Tool: playground.ToolsList, Name: playground.ToolsList,
		Focus:   Definitions,
		Fetched: exchange(1, at, message("1-ask", "tools/list", ""), answered("1-ask", `"tools":[]`))}
	const result = `"contents":[]`
	marked := strings.Replace(message("1-a", "resources/read", `"uri":"t",`), `"_meta":{`,
		`"_meta":{"`+HopMeta+`":{"mark":"m"},`, 1)
	call := Call{Exchange: "x", Mark: "m", Method: playground.ResourcesRead, Tool: "t", Name: "t",
		Log: exchange(1, at.Add(10*time.Second), marked, answered("1-a", result))}
	came := func(after time.Duration) []playground.Event {
		log := exchange(1, at.Add(after), message("9", "resources/read", `"uri":"t",`), answered("9", result))
		log[0].Data = []byte(strings.Replace(string(log[0].Data), "tools/call", "resources/read", 1))
		return log
	}
	rec := Recording{Calls: []Call{list, call}, Upstream: came(10500 * time.Millisecond)}
	if got := outcomes(Report(rec), verdict.Failed); !slices.Equal(got, []string{"sent-meta"}) {
		t.Errorf("an open call: %v", got)
	}
	later := call
	later.Mark, later.Exchange = "n", "y"
	later.Log = exchange(1, at.Add(time.Minute), strings.Replace(marked, `"m"`, `"n"`, 1),
		answered("1-a", result))
	rec = Recording{Calls: []Call{list, call, later}, Upstream: came(30 * time.Second)}
	r := Report(rec)
	if named := namedOf(r); slices.Contains(outcomes(r, verdict.Failed), "sent-meta") ||
		!slices.Contains(named, "own-requests") {
		t.Errorf("between two calls: %v, %v", outcomes(r, verdict.Failed), named)
	}
}

// TestReport_ListsOfOneID: lists are fetched with one id each time, so that it says nothing.
func TestReport_ListsOfOneID(t *testing.T) {
	at := time.Unix(1000, 0)
	var rec Recording
	for i := range 2 {
		log := exchange(1, at.Add(time.Duration(i)*time.Minute), message("1-ask", "tools/list", ""),
			answered("1-ask", `"tools":[]`))
		rec.Calls = append(rec.Calls, Call{Method: playground.ToolsList, Focus: Definitions, Fetched: log})
		for _, e := range log {
			e.Conn = i + 1
			rec.Upstream = append(rec.Upstream, e)
		}
	}
	for _, q := range Requests(rec) {
		if len(q.Upstream) != 1 {
			t.Errorf("request %d: %d at the upstream", q.N, len(q.Upstream))
		}
	}
}

// tools returns the members of a list of tools; each has a description of its own.
func tools(names ...string) string {
	var list []string
	for _, name := range names {
		own := strings.TrimPrefix(name, "gh_")
		list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"title":%q}}`, name, own))
	}
	return `"tools":[` + strings.Join(list, ",") + `]`
}

// ofTool returns the recording of a list at both ends, and of a call of issue without a mark, for
// which the upstream was asked for another tool.
func ofTool(upstream, listed []string, asked string) Recording {
	at := time.Unix(1000, 0)
	sent := message("1-ask", "tools/list", "")
	call := message("1-a", "tools/call", `"name":"issue","arguments":{},`)
	rec := Recording{
		Calls: []Call{
			{Method: playground.ToolsList, Focus: Definitions,
				Fetched: exchange(1, at, sent, answered("1-ask", tools(listed...)))},
			{Exchange: "x", Method: playground.ToolsCall, Tool: "issue", Name: "issue",
				Log: exchange(1, at.Add(time.Minute), call, answered("1-a", `"content":[]`))},
		},
	}
	if upstream != nil {
		rec.Upstream = exchange(1, at, sent, answered("1-ask", tools(upstream...)))
	}
	rec.Upstream = append(rec.Upstream, exchange(2, at.Add(time.Minute),
		strings.Replace(call, `"name":"issue"`, `"name":"`+asked+`"`, 1), answered("1-a", `"content":[]`))...)
	for i := range rec.Upstream {
		rec.Upstream[i].Data = []byte(strings.Replace(string(rec.Upstream[i].Data), "Mcp-Name: t\r\n",
			"Mcp-Name: "+asked+"\r\n", 1))
	}
	return rec
}

// TestReport_Names: a filter is no change of a definition, and a tool is not called if another one is
// whose name ends with it.
func TestReport_Names(t *testing.T) {
	both := []string{"issue", "create_issue"}
	for name, c := range map[string]struct {
		upstream, listed []string
		asked            string
		failed, named    []string
		passed           bool // the line about names
	}{
		"the same":        {both, both, "issue", nil, nil, true},
		"a filter":        {both, []string{"create_issue"}, "issue", nil, []string{"filtered"}, true},
		"a sorted prefix": {both, []string{"gh_create_issue", "gh_issue"}, "issue", nil, nil, true},
		"a longer name":   {both, both, "create_issue", []string{"called"}, nil, false},
		"that of gateways": {[]string{"my_issue"}, []string{"issue"}, "my_issue", nil,
			[]string{"filtered", "aggregated"}, true},
		"no list": {nil, both, "create_issue", nil, nil, false},
	} {
		r := Report(ofTool(c.upstream, c.listed, c.asked))
		if got := outcomes(r, verdict.Failed); !slices.Equal(got, c.failed) {
			t.Errorf("%s: %v failed, want %v", name, got, c.failed)
		}
		if got := slices.DeleteFunc(namedOf(r), func(id string) bool {
			return id != "filtered" && id != "aggregated"
		}); !slices.Equal(got, c.named) {
			t.Errorf("%s: %v named, want %v", name, got, c.named)
		}
		if passed := slices.Contains(outcomes(r, verdict.Passed), "called"); passed != c.passed {
			t.Errorf("%s: the name passed: %v", name, passed)
		}
	}
	marked := recording(callText, strings.Replace(callText, `"name":"t"`, `"name":"hop_t"`, 1), resultText,
		resultText)
	if got := outcomes(Report(marked), verdict.Failed); !slices.Equal(got, []string{"called"}) {
		t.Errorf("a call of the test: %v", got)
	}
}

// TestReport_ClocksOfStreams: a stream that comes in its own time passes and one that is held back
// fails, but where the clocks differ, nothing is judged by less than a second.
func TestReport_ClocksOfStreams(t *testing.T) {
	at := time.Unix(1000, 0)
	call := strings.Replace(callText, `"name":"t"`, `"name":"hop_stream"`, 1)
	stream := func(first, last time.Duration) []playground.Event {
		log := exchange(1, at, call, "")
		log[1].At = at
		log[1].Data = []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
		for _, m := range []struct {
			after time.Duration
			text  string
		}{{first, `{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`}, {last, resultText}} {
			log = append(log, playground.Event{At: at.Add(m.after), Conn: 1, Kind: playground.Message,
				Data: []byte("data: " + m.text + "\n\n")})
		}
		return log
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		clocks bool
		first  time.Duration // at the client; the upstream ends after 5 seconds
		want   verdict.Outcome
	}{
		{false, 4900 * ms, verdict.Passed}, {false, 5100 * ms, verdict.Failed},
		{true, 4900 * ms, verdict.NotReached}, {true, 5100 * ms, verdict.NotReached},
		{true, 3000 * ms, verdict.Passed}, {true, 7000 * ms, verdict.Failed},
	} {
		rec := Recording{Clocks: c.clocks, Upstream: stream(ms, 5000*ms), Calls: []Call{{
			Exchange: "x", Mark: "m", Method: playground.ToolsCall, Tool: "hop_stream", Name: "hop_stream",
			Log: stream(c.first, 8000*ms),
		}}}
		if r := Report(rec); !slices.Contains(outcomes(r, c.want), "streams") {
			t.Errorf("two clocks: %v, after %v: not %v", c.clocks, c.first, c.want)
		}
	}
}

// TestReport_Clocks: where the clocks differ a little, each round is paired with its own by the order.
func TestReport_Clocks(t *testing.T) {
	at := time.Unix(1000, 0)
	ask := strings.Replace(resultText, `"complete"`,
		`"input_required","requestState":"s","inputRequests":{"k":{"method":"roots/list"}}`, 1)
	retry := strings.Replace(strings.Replace(callText, `"id":1`, `"id":2`, 1), `"_meta"`,
		`"requestState":"s","inputResponses":{"k":{"roots":[]}},"_meta"`, 1)
	other := func(s, id string) string { // ids of the gateway's own
		return strings.Replace(strings.Replace(s, `"id":1`, id, 1), `"id":2`, id, 1)
	}
	answer := strings.Replace(resultText, `"id":1`, `"id":2`, 1)
	for _, ms := range []time.Duration{-1500, -5, 0, 1500} {
		skew := ms * time.Millisecond
		rec := Recording{Clocks: true, Calls: []Call{{
			Exchange: "x", Mark: "m", Method: playground.ToolsCall, Tool: "t", Name: "t",
			Log: append(exchange(1, at, callText, ask),
				exchange(2, at.Add(1100*time.Millisecond), retry, answer)...),
		}}}
		up := at.Add(time.Millisecond + skew)
		rec.Upstream = append(exchange(1, up, other(callText, `"id":71`), other(ask, `"id":71`)),
			exchange(2, up.Add(1100*time.Millisecond), other(retry, `"id":72`), other(answer, `"id":72`))...)
		r := Report(rec)
		if got := outcomes(r, verdict.Failed); len(got) > 0 ||
			!slices.Contains(outcomes(r, verdict.Passed), "retry-reaches") {
			t.Errorf("%v: %v failed", skew, got)
		}
		rec.Upstream = rec.Upstream[:2]
		if got := outcomes(Report(rec), verdict.Failed); !slices.Equal(got, []string{"retry-reaches"}) {
			t.Errorf("%v, without the retry: %v", skew, got)
		}
	}
}

// TestReport_LargeLists: the work on lists and arrays does not grow with the square of their length.
// With such work this test takes minutes.
func TestReport_LargeLists(t *testing.T) {
	const n = 30_000
	var up, listed, numbers, turned []string
	for i := range n {
		up = append(up, fmt.Sprintf("tool-%d", i))
		listed = append(listed, fmt.Sprintf("gh_tool-%d", n-1-i))
		numbers, turned = append(numbers, fmt.Sprint(i)), append(turned, fmt.Sprint(n-1-i))
	}
	rec := ofTool(up, listed, "issue")
	result := func(items []string) string {
		return answered("1-a", `"content":[],"structuredContent":[`+strings.Join(items, ",")+`]`)
	}
	rec.Calls[1].Log = exchange(1, time.Unix(1060, 0), callText, result(numbers))
	rec.Upstream = append(rec.Upstream[:2],
		exchange(2, time.Unix(1060, 0), callText, result(turned))...)
	got := outcomes(Report(rec), verdict.Failed)
	if !slices.Contains(got, "result") || slices.Contains(got, Definitions) {
		t.Error(got)
	}
}
