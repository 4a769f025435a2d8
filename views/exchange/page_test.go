package exchange

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views/kit/standing"
)

func shown(glyph, word, class string) standing.Standing {
	return standing.Standing{Glyph: glyph, Word: word, Class: class}
}

// TestExchange_ExperimentsStandingIsItsVerdict: an error that an experiment was
// to cause is a success, and a success that it was to prevent is a failure.
func TestExchange_ExperimentsStandingIsItsVerdict(t *testing.T) {
	for _, c := range []struct {
		name     string
		status   playground.Status
		tried    lab.Result
		standing standing.Standing
		mark     string // in the ribbon
	}{
		{"rejected", playground.StatusFailed, lab.Result{Reaction: lab.Rejected, Verdict: verdict.Passed},
			shown("✓", "rejected, as expected", "outcome-pass"), "✓"},
		{"tool error", playground.StatusComplete, lab.Result{Reaction: lab.Rejected, Verdict: verdict.Passed},
			shown("✓", "rejected, as expected", "outcome-pass"), "✓"},
		{"rejected wrongly", playground.StatusFailed,
			lab.Result{Reaction: lab.Rejected, Verdict: verdict.Failed},
			shown("✕", "failed", "outcome-fail"), "✕"},
		{"accepted", playground.StatusComplete, lab.Result{Reaction: lab.Accepted, Verdict: verdict.Failed},
			shown("✕", "failed", "outcome-fail"), "✕"},
		{"advisory", playground.StatusFailed, lab.Result{Reaction: lab.Rejected, Verdict: verdict.Advisory},
			shown("!", "advisory", "outcome-ink"), "!"},
		{"no response", playground.StatusFailed, lab.Result{Reaction: lab.NoAnswer, Verdict: verdict.Passed},
			shown("✓", "not accepted, as expected", "outcome-pass"), "✓"},
		{"asked again", playground.StatusWaiting,
			lab.Result{Reaction: lab.AskedAgain, Verdict: verdict.Passed},
			shown("◐", "waiting for you", "outcome-ink"), "✕"},
		{"not judged", playground.StatusFailed,
			lab.Result{Reaction: lab.Rejected, Verdict: verdict.NotApplicable},
			shown("✕", "failed", "outcome-fail"), "✕"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.tried.Round.N = 2
			x := Exchange{
				Status: c.status, Shown: 2, Standing: standing.OfStatus(c.status, false),
				Ribbon: []Step{{N: 1, Standing: standing.Standing{Word: "asked"}},
					{N: 2, Standing: standing.EndingAs(narrate.Bad, "error -32602")}},
				Now: Now{Failed: &Failed{}},
			}
			x.judge(BranchNote{Tried: &c.tried})
			if x.Standing != c.standing || !x.Now.Failed.Judged || x.Ribbon[1].Standing.Glyph != c.mark ||
				x.Ribbon[0].Standing.Glyph != "" {
				t.Errorf("standing %+v, ribbon %+v", x.Standing, x.Ribbon)
			}
			x.Shown, x.Now.Failed = 1, &Failed{}
			if x.judge(BranchNote{Tried: &c.tried}); x.Now.Failed.Judged {
				t.Error("the verdict is about another Round")
			}
		})
	}
}

func TestBranchNote_OpensWithItsVerdict(t *testing.T) {
	rejected := playground.Round{N: 2}
	rejected.Kind, rejected.Error = playground.OutcomeRPCError, &playground.RPCError{Code: -32602}
	rejected.Head.Status = 400
	accepted := playground.Round{N: 2}
	accepted.Kind = playground.OutcomeComplete
	asked := playground.Round{N: 2}
	asked.Kind = playground.OutcomeInputRequired
	must, should := lab.Experiment{Level: lab.Must}, lab.Experiment{Level: lab.Should}
	for _, c := range []struct {
		note   BranchNote
		want   standing.Standing
		result string
	}{
		{BranchNote{Tried: &lab.Result{Experiment: must, Round: rejected, Reaction: lab.Rejected,
			Verdict: verdict.Passed, Text: "The server answered with HTTP status 400 and error -32602."}},
			shown("✓", "Passed: the server rejected the changed request (HTTP 400, error -32602), as it "+
				"must.", "outcome-pass"), "The server rejected it (HTTP 400, error -32602)."},
		{BranchNote{Tried: &lab.Result{Experiment: should, Round: asked, Reaction: lab.AskedAgain,
			Verdict: verdict.Passed}},
			shown("✓", "Passed: the server asked again, as it should.", "outcome-pass"),
			"The server asked again (input_required: )."},
		{BranchNote{Tried: &lab.Result{Experiment: must, Round: accepted, Reaction: lab.Accepted,
			Verdict: verdict.Failed, Text: "The server did not reject the request. " +
				"The server continued the call."}},
			shown("✕", "Failed: the server did not reject the request. The server continued the call.",
				"outcome-fail"), "The server accepted it (complete)."},
		{BranchNote{Tried: &lab.Result{Experiment: must, Round: accepted, Reaction: lab.Accepted,
			Verdict: verdict.Failed,
			Text:    "The server used the changed requestState. " + strings.Repeat("More. ", 20)}},
			shown("✕", "Failed: the server used the changed requestState.", "outcome-fail"),
			"The server accepted it (complete). " + strings.TrimSpace(strings.Repeat("More. ", 20))},
		{BranchNote{Tried: &lab.Result{Experiment: should, Round: rejected, Reaction: lab.Rejected,
			Verdict: verdict.Advisory, Text: "The tool reported an error instead of asking again."}},
			shown("!", "Advisory: the tool reported an error instead of asking again.", "outcome-ink"),
			"The server rejected it (HTTP 400, error -32602)."},
		{BranchNote{Tried: &lab.Result{Experiment: must, Round: accepted, Reaction: lab.Accepted,
			Verdict: verdict.NotJudged, Text: "Not judged, because the tool fails in any case."}},
			shown("–", "Not judged, because the tool fails in any case.", "outcome-muted"),
			"The server accepted it (complete)."},
		{BranchNote{Unsent: true, Tried: &lab.Result{Experiment: must, Verdict: verdict.NotApplicable,
			Text: "The server did not reach the same point again, so the changed request was not sent."}},
			shown("–", "Not judged: the server did not reach the same point again, so the changed "+
				"request was not sent.", "outcome-muted"), "The changed request was not sent."},
		{BranchNote{Tried: &lab.Result{Experiment: must, Verdict: verdict.NotApplicable,
			Text: "There is no response yet."}},
			shown("◌", "No response yet", "outcome-ink"), "No response yet."},
	} {
		if got := c.note.Standing(); got != c.want {
			t.Errorf("%+v\nwant %+v", got, c.want)
		}
		if got := c.note.Result(); got != c.result {
			t.Errorf("%q, want %q", got, c.result)
		}
	}
}

// TestNewFailed_SaysEachThingOnce: the headline of a failure is not repeated
// below it.
func TestNewFailed_SaysEachThingOnce(t *testing.T) {
	round := func(k playground.OutcomeKind, class playground.Class, detail string) playground.Round {
		r := playground.Round{N: 1}
		r.Kind, r.Class, r.Detail = k, class, detail
		r.Error, r.Head.Status = &playground.RPCError{Code: -32602}, 404
		return r
	}
	for _, c := range []struct {
		r                 playground.Round
		what, detail, try string
	}{
		{round(playground.OutcomeRPCError, "rpc", "The server returned error -32602: Unknown tool"),
			"The server returned error -32602.", "Unknown tool", ""},
		{round(playground.OutcomeHTTPError, playground.HTTP404, "HTTP status 404 (Not Found)."),
			"The server returned HTTP 404 (Not Found).", "", "Check the path of the URL."},
		{round(playground.OutcomeTransportError, playground.NoResponse,
			"the stream ended without a response"),
			"The stream ended without a response.", "",
			"The server closed the connection early. Check its log."},
		{round(playground.OutcomeInterrupted, "", ""),
			"The playground stopped while the request was running.", "",
			"Whether the server received the request is unknown. Retry only if running the call twice is " +
				"safe."},
		{round(playground.OutcomeCancelled, "", ""),
			"You closed the connection before the response arrived.", "",
			"The server may have finished anyway."},
	} {
		f := playground.Transcript{Rounds: []playground.Round{c.r}, Status: playground.StatusFailed}
		got := newFailed(Input{}, f, 0)
		if got.Sentence.What != c.what || got.Detail != c.detail || got.Sentence.Try != c.try {
			t.Errorf("%s\n%q\n%q\n%q", c.r.Kind, got.Sentence.What, got.Detail, got.Sentence.Try)
		}
	}
}

// TestNewFailed_NotFoundAfterAnAnswer: a URL that answered before is not
// misspelt.
func TestNewFailed_NotFoundAfterAnAnswer(t *testing.T) {
	for action, want := range map[playground.Action]string{
		playground.ActionStart:  "Check the path of the URL.",
		playground.ActionResend: "Check the path of the URL.",
		playground.ActionAnswer: "The same URL answered the request before.",
	} {
		r := playground.Round{N: 2, Decision: playground.Decision{Action: action}}
		r.Kind, r.Class = playground.OutcomeHTTPError, playground.HTTP404
		f := playground.Transcript{Rounds: []playground.Round{r}, Status: playground.StatusFailed}
		if got := newFailed(Input{}, f, 0); !strings.HasPrefix(got.Sentence.Try, want) {
			t.Errorf("%s: %q", action, got.Sentence.Try)
		}
	}
}

// TestNewExchange_RejectedHeaders: after error -32020 for a request that was right, the page
// does not look for the mistake in the tool or in the headers.
func TestNewExchange_RejectedHeaders(t *testing.T) {
	const body = `{"jsonrpc":"2.0","id":1,"method":"%[1]s","params":{"name":"sum","_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	const head = "POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n" +
		"Mcp-Method: %[1]s\r\nMcp-Name: %[2]s\r\n\r\n"
	const usual, right = "The server may have changed the tool's definition", "The request was right: "
	for name, c := range map[string]struct{ method, header, status, try string }{
		"right":                           {playground.PromptsGet, "sum", "400 Bad Request", right},
		"wrong":                           {playground.PromptsGet, "total", "400 Bad Request", usual},
		"wrong, and so is the status":     {playground.PromptsGet, "total", "200 OK", usual},
		"of a tool that may have changed": {playground.ToolsCall, "sum", "400 Bad Request", usual},
	} {
		x := playground.Exchange{ID: "x", Reading: new(playground.Reading), Call: playground.Call{
			Method: c.method, Params: []byte(`{"name":"sum"}`),
			Tool: []byte(`{"name":"sum","inputSchema":{"type":"object"}}`),
		}}
		x.Log = []playground.Event{
			playground.Decision{Action: playground.ActionStart, Round: 1}.Event(time.Unix(0, 0)),
			{Seq: 2, Conn: 1, Kind: playground.Sent, Data: fmt.Appendf(nil, head+body, c.method, c.header)},
			{Seq: 3, Conn: 1, Kind: playground.Received, Data: []byte("HTTP/1.1 " + c.status +
				"\r\nContent-Type: application/json\r\n\r\n" +
				`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}`)},
		}
		out, shown := New(Input{Exchange: x, Transcript: x.Fold()})
		if !shown || out.Now.Failed == nil || !strings.HasPrefix(out.Now.Failed.Sentence.Try, c.try) {
			t.Errorf("%s: %+v", name, out.Now.Failed)
		}
	}
}
