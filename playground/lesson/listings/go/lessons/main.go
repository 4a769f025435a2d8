// A server with one tool per lesson. The lines between // [slug] and // [/slug]
// are those that the lesson shows. Below them, it shows what they name.
//
//	go run . -addr 127.0.0.1:8080 -key "$(openssl rand -hex 32)"
package main

import (
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

type server struct {
	aead   cipher.AEAD
	shared string // a directory that all instances share
	url    string // of this server
	inputs mcp.InputRequestMap
	users  map[string]string // by token
	tasks  taskStore
}

// memory is what the server has to remember between two rounds.
type memory struct {
	Answers mcp.InputResponseMap `json:"answers,omitempty"`
	Done    int                  `json:"done,omitempty"`
	Sum     int                  `json:"sum,omitempty"`
	ID      string               `json:"id,omitempty"`
	Expires int64                `json:"expires"`
}

type none struct{}

type task struct {
	WorkItemID int `json:"workItemId"`
}

type primes struct {
	Below int `json:"below"`
}

type trip struct {
	City string `json:"city"`
}

type welcome struct {
	Name string `json:"name,omitempty"`
}

func (s *server) greet(_ context.Context, req *mcp.CallToolRequest,
	_ none) (*mcp.CallToolResult, any, error) {
	// [why]
	answer, ok := req.Params.InputResponses["name"].(*mcp.ElicitResult)
	if !ok {
		// The request ends with this result. No process waits for the answer.
		return ask("name", "What is your name?", field("name", "string"))
	}
	// The same call again, with the answer. Another instance may have asked.
	name, _ := answer.Content["name"].(string)
	if answer.Action != "accept" || name == "" {
		return say("Hello!")
	}
	return say("Hello, " + name + "!")
	// [/why]
}

func (s *server) closeTask(_ context.Context, req *mcp.CallToolRequest,
	args task) (*mcp.CallToolResult, any, error) {
	// [one-round]
	answer, ok := req.Params.InputResponses["completed_work"].(*mcp.ElicitResult)
	if !ok {
		question := &mcp.ElicitParams{
			Message:         fmt.Sprintf("Hours of work on task #%d?", args.WorkItemID),
			RequestedSchema: field("hours", "number"),
		}
		questions := mcp.InputRequestMap{"completed_work": question} // your key
		return &mcp.CallToolResult{InputRequests: questions}, nil, nil
	}
	hours, ok := answer.Content["hours"].(float64) // the SDK doesn't check answers
	if answer.Action != "accept" || !ok {
		return say("The task stays open.")
	}
	return say(fmt.Sprintf("Task #%d closed after %v hours.", args.WorkItemID, hours))
	// [/one-round]
}

func (s *server) resolveBug(_ context.Context, req *mcp.CallToolRequest,
	_ task) (*mcp.CallToolResult, any, error) {
	kept, err := s.kept(req)
	if err != nil {
		return nil, nil, err
	}
	answers := req.Params.InputResponses
	// [rounds]
	// kept is what the state remembers: nothing in rounds 1 and 2.
	resolution := cmp.Or(form(kept.Answers, "resolution"), form(answers, "resolution"))
	original := form(answers, "duplicate_of")
	switch {
	case resolution == nil:
		return ask("resolution", "Which resolution?", either)
	case resolution.Content["resolution"] == "Duplicate" && original == nil:
		// The client answers only the latest question, so the state has the first answer.
		kept.Answers = mcp.InputResponseMap{"resolution": resolution}
		return s.remember(req, kept)(ask("duplicate_of", "Of which bug?", number))
	}
	return say(resolved(resolution, original))
	// [/rounds]
}

var either = choice("resolution", "Fixed", "Duplicate")
var number = field("id", "integer")
var yes = field("redeem", "boolean")
var mood = field("mood", "string")

// resolved returns the outcome. Both questions can be declined, and the SDK
// doesn't check answers.
func resolved(resolution, original *mcp.ElicitResult) string {
	switch {
	case resolution.Content["resolution"] == "Fixed":
		return "Resolved as fixed."
	case original != nil && original.Content["id"] != nil:
		return fmt.Sprintf("Resolved as a duplicate of bug %v.", original.Content["id"])
	}
	return "The bug stays open."
}

var tripInputs = mcp.InputRequestMap{
	"wishes": &mcp.ElicitParams{Message: "What do you like?", RequestedSchema: mood},
	// [questions]
	"ideas": &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{
		{Role: "user", Content: &mcp.TextContent{Text: "One sight, please."}}}},
	// [/questions]
	"folders": &mcp.ListRootsParams{},
}

func (s *server) planTrip(_ context.Context, req *mcp.CallToolRequest,
	args trip) (*mcp.CallToolResult, any, error) {
	got, missing, err := s.collect(req, tripInputs)
	if err != nil || missing != nil {
		return missing, nil, err
	}
	// An answer doesn't say its kind. The key does, so check that they agree.
	wishes, ok1 := got["wishes"].(*mcp.ElicitResult)
	folders, ok2 := got["folders"].(*mcp.ListRootsResult)
	// [questions]
	// The SDK reads every answer of a model as this type, also without tools.
	ideas, ok3 := got["ideas"].(*mcp.CreateMessageWithToolsResult)
	idea := firstText(ideas)
	// [/questions]
	if !ok1 || !ok2 || !ok3 {
		return nil, nil, invalid("an answer is of another kind than its question")
	}
	if wishes.Action != "accept" {
		return say("No trip.")
	}
	return say(fmt.Sprintf("%v in %s, %d folders. %s", wishes.Content["mood"], args.City,
		len(folders.Roots), idea))
}

// firstText returns the first text that a model wrote, or "".
func firstText(answer *mcp.CreateMessageWithToolsResult) string {
	if answer == nil {
		return ""
	}
	for _, c := range answer.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			return text.Text
		}
	}
	return ""
}

func (s *server) deleteRecords(_ context.Context, req *mcp.CallToolRequest,
	_ none) (*mcp.CallToolResult, any, error) {
	// [saying-no]
	switch answer := form(req.Params.InputResponses, "confirm"); {
	case answer == nil:
		return ask("confirm", "Delete old orders?", field("confirm", "boolean"))
	case answer.Action == "decline":
		return say("Nothing was deleted: the person said no. Do not try again.")
	case answer.Action == "cancel":
		return say("Nothing was deleted: the form was closed. It may be asked again.")
	case answer.Action != "accept" || answer.Content["confirm"] != true:
		// accept means submitted, not yes.
		return say("Nothing was deleted: the box was not ticked.")
	}
	return say("Deleted.")
	// [/saying-no]
}

func (s *server) connect(_ context.Context, req *mcp.CallToolRequest,
	_ none) (*mcp.CallToolResult, any, error) {
	kept, err := s.kept(req)
	if err != nil {
		return nil, nil, err
	}
	answer := form(req.Params.InputResponses, "connect")
	kept.ID = cmp.Or(kept.ID, rand.Text())
	// [url-mode]
	// kept.ID names this visit. It is in the link, and comes back in the state.
	page := s.url + "/connect?visit=" + kept.ID
	switch {
	case answer != nil && answer.Action != "accept":
		return say("Not connected.")
	case s.isFinished(kept.ID): // in a record of the server: the page has the key
		return say("Connected.")
	}
	// accept means "I agree to open it", so ask until the page is finished.
	return s.remember(req, kept)(&mcp.CallToolResult{InputRequests: mcp.InputRequestMap{
		"connect": &mcp.ElicitParams{Mode: "url", Message: "Enter your key.", URL: page},
	}}, nil, nil)
	// [/url-mode]
}

// isFinished reports whether the user has finished the page of a visit.
func (s *server) isFinished(visit string) bool {
	_, err := os.Stat(filepath.Join(s.shared, "visit-"+filepath.Base(visit)))
	return err == nil
}

// finish is the page that a visit opens. A real one shows a form for the key, and
// checks that its user is the one who made the call.
func (s *server) finish(w http.ResponseWriter, r *http.Request) {
	visit := filepath.Base(r.URL.Query().Get("visit"))
	if err := os.WriteFile(filepath.Join(s.shared, "visit-"+visit), nil, 0o600); err != nil {
		http.Error(w, "not recorded", http.StatusInternalServerError)
	}
}

func (s *server) welcome(_ context.Context, req *mcp.CallToolRequest,
	args welcome) (*mcp.CallToolResult, any, error) {
	name := args.Name
	// [legacy]
	if answer := form(req.Params.InputResponses, "name"); answer != nil {
		name, _ = answer.Content["name"].(string)
	}
	if name != "" {
		return say("Welcome, " + name + "!")
	}
	if !isModern(req) { // Without a session, an older client can't be asked.
		return nil, nil, errors.New("welcome needs the argument name from this client")
	}
	return ask("name", "What is your name?", field("name", "string"))
	// [/legacy]
}

// isModern reports whether a request is of 2026-07-28 or later: it states its
// version, as every such request does.
func isModern(req *mcp.CallToolRequest) bool {
	version, _ := req.Params.Meta["io.modelcontextprotocol/protocolVersion"].(string)
	return version >= "2026-07-28"
}

func (s *server) countPrimes(_ context.Context, req *mcp.CallToolRequest,
	args primes) (*mcp.CallToolResult, any, error) {
	kept, err := s.kept(req)
	if err != nil {
		return nil, nil, err
	}
	args.Below = min(args.Below, 1_000_000)
	// [nothing-to-ask]
	for worked := 0; kept.Done < 10; worked++ {
		if worked == 6 { // Six stages are enough for one request.
			// Only a state. go-sdk v1.8.0 can't send that: see layer.
			return s.remember(req, kept)(&mcp.CallToolResult{}, nil, nil)
		}
		kept.Sum += primesIn(args.Below*kept.Done/10, args.Below*(kept.Done+1)/10)
		kept.Done++
	}
	return say(fmt.Sprintf("%d primes below %d", kept.Sum, args.Below))
	// [/nothing-to-ask]
}

func primesIn(from, to int) int {
	count := 0
next:
	for n := max(from, 2); n < to; n++ {
		for d := 2; d*d <= n; d++ {
			if n%d == 0 {
				continue next
			}
		}
		count++
	}
	return count
}

// collect returns the answers to all inputs, or a result that asks for those
// that are missing.
func (s *server) collect(req *mcp.CallToolRequest,
	inputs mcp.InputRequestMap) (mcp.InputResponseMap, *mcp.CallToolResult, error) {
	kept, err := s.kept(req)
	if err != nil {
		return nil, nil, err
	}
	// [rolling-upgrade]
	have, missing := mcp.InputResponseMap{}, mcp.InputRequestMap{}
	for key, question := range inputs { // This version's. Other keys are ignored.
		if answer, ok := kept.Answers[key]; ok {
			have[key] = answer // maybe of another version; a late answer changes nothing
		} else if answer, ok := req.Params.InputResponses[key]; ok {
			have[key] = answer
		} else {
			missing[key] = question
		}
	}
	if len(missing) == 0 {
		return have, nil, nil
	}
	// [/rolling-upgrade]
	res := &mcp.CallToolResult{InputRequests: missing}
	if len(have) > 0 {
		res.RequestState = s.seal(about(req), memory{Answers: have})
	}
	return nil, res, nil
}

func (s *server) linkAccounts(_ context.Context, req *mcp.CallToolRequest,
	_ none) (*mcp.CallToolResult, any, error) {
	have, missing, err := s.collect(req, s.inputs)
	if err != nil || missing != nil {
		return missing, nil, err
	}
	names := ""
	for _, key := range []string{"github", "google", "microsoft"} {
		if a := form(have, key); a != nil {
			names += fmt.Sprintf(" %s=%v", key, a.Content["name"])
		}
	}
	return say("Linked" + names)
}

// [sealed-state]
func (s *server) seal(about []byte, m memory) string {
	m.Expires = time.Now().Add(10 * time.Minute).Unix()
	claims, _ := json.Marshal(m)
	return b64.EncodeToString(s.aead.Seal(nil, nil, claims, about)) // see newAEAD
}

func (s *server) open(about []byte, state string) (m memory, ok bool) {
	data, err := b64.DecodeString(state) // b64 is base64.RawURLEncoding.Strict()
	if err == nil {
		data, err = s.aead.Open(nil, nil, data, about)
	}
	ok = err == nil && json.Unmarshal(data, &m) == nil && time.Now().Unix() < m.Expires
	return m, ok
}

// [/sealed-state]

var b64 = base64.RawURLEncoding.Strict()

// kept returns what the state of a request remembers: nothing in round 1.
func (s *server) kept(req *mcp.CallToolRequest) (memory, error) {
	if req.Params.RequestState == "" {
		return memory{}, nil
	}
	m, ok := s.open(about(req), req.Params.RequestState)
	if !ok { // for every reason the same words
		return m, invalid("requestState was not accepted; start the call again without it")
	}
	return m, nil
}

// remember adds a state to a result.
func (s *server) remember(req *mcp.CallToolRequest, m memory) func(*mcp.CallToolResult, any,
	error) (*mcp.CallToolResult, any, error) {
	return func(res *mcp.CallToolResult, out any, err error) (*mcp.CallToolResult, any, error) {
		res.RequestState = s.seal(about(req), m)
		return res, out, err
	}
}

func (s *server) redeem(_ context.Context, req *mcp.CallToolRequest,
	_ none) (*mcp.CallToolResult, any, error) {
	kept, err := s.kept(req)
	if err != nil {
		return nil, nil, err
	}
	answer := form(req.Params.InputResponses, "redeem")
	// [attacks]
	if kept.ID == "" || answer == nil {
		kept.ID = rand.Text() // of this one voucher; the state carries it
		return s.remember(req, kept)(ask("redeem", "Redeem it?", yes))
	}
	if answer.Action != "accept" || answer.Content["redeem"] != true {
		return say("The voucher was not redeemed.")
	}
	// The same retry can come twice. One of the two creates the record, as with a
	// unique key in a database. All instances share the records.
	file, err := os.OpenFile(filepath.Join(s.shared, kept.ID), os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil, errors.New("this voucher was redeemed before; it counts once")
	}
	// [/attacks]
	if err != nil {
		return nil, nil, err
	}
	return s.paid(file.Close())
}

func (s *server) paid(err error) (*mcp.CallToolResult, any, error) {
	if err != nil {
		return nil, nil, err
	}
	return say("The voucher was redeemed for 25 euro.")
}

// [who-are-you]

// about is what a state is bound to: the user and the call. The token is not in
// it, because a new token of the same user must be able to continue.
func about(req *mcp.CallToolRequest) []byte {
	user := "" // anonymous
	if token := req.Extra.TokenInfo; token != nil {
		user = token.UserID // verified by RequireBearerToken
	}
	var args any
	_ = json.Unmarshal(req.Params.Arguments, &args)
	about, _ := json.Marshal([]any{user, req.Params.Name, args})
	return about
}

// [/who-are-you]

// protect lets only requests with a token through to the endpoint.
func (s *server) protect(mux *http.ServeMux, endpoint http.Handler) {
	// [signing-in]
	const metadata = "/.well-known/oauth-protected-resource" // and the path of the endpoint
	gate := auth.RequireBearerToken(s.verify, &auth.RequireBearerTokenOptions{
		// The challenge of a 401 or 403: where the metadata is, and what to ask for.
		ResourceMetadataURL: s.url + metadata,
		Scopes:              []string{"bugs:write"}, // a token without it gets 403
	})
	mux.Handle("/", gate(endpoint))
	about := &oauthex.ProtectedResourceMetadata{
		Resource:             s.url, // tokens name it as their audience: see verify
		AuthorizationServers: []string{"https://login.example.com"},
		ScopesSupported:      []string{"bugs:write"},
	}
	mux.Handle(metadata, auth.ProtectedResourceMetadataHandler(about))
	// [/signing-in]
}

// verify stands for your authorization server. It knows the tokens of -users, and a
// guest may not write. Yours checks the signature, the expiry and the audience.
func (s *server) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	name, ok := s.users[token]
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	info := &auth.TokenInfo{UserID: name, Expiration: time.Now().Add(time.Minute)}
	if name != "guest" {
		info.Scopes = []string{"bugs:write"}
	}
	return info, nil
}

// mayAsk returns an error if this request didn't declare what a question needs.
// It runs for every result that asks: see layer.
func mayAsk(req *mcp.CallToolRequest, questions mcp.InputRequestMap) error {
	// [questions]
	can := cmp.Or(req.ClientCapabilities(), &mcp.ClientCapabilities{}) // of this request
	need := map[string]any{}
	for _, question := range questions {
		switch question := question.(type) {
		case *mcp.ElicitParams:
			require(need, "elicitation", mode(question), shows(can.Elicitation, question))
		case *mcp.CreateMessageParams:
			require(need, "sampling", none{}, can.Sampling != nil)
		case *mcp.ListRootsParams:
			require(need, "roots", none{}, can.RootsV2 != nil)
		}
	}
	return undeclared(need) // nil, or error -32021 with requiredCapabilities
	// [/questions]
}

// shows reports whether a client shows a question: a page to open, or a form. An
// empty capability means forms only.
func shows(can *mcp.ElicitationCapabilities, question *mcp.ElicitParams) bool {
	if question.Mode == "url" {
		return can != nil && can.URL != nil
	}
	return can != nil && (can.Form != nil || can.URL == nil)
}

// mode is what a client has to declare for a question.
func mode(question *mcp.ElicitParams) map[string]any {
	return map[string]any{cmp.Or(question.Mode, "form"): none{}}
}

func undeclared(need map[string]any) error {
	if len(need) == 0 {
		return nil
	}
	data, _ := json.Marshal(map[string]any{"requiredCapabilities": need})
	return &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities,
		Message: "this call asks for what the request did not declare", Data: data}
}

func require(need map[string]any, name string, what any, declared bool) {
	if !declared {
		need[name] = what
	}
}

// asked is a result that asks, as the specification has it.
type asked struct {
	mcp.ResultBase
	ResultType    string              `json:"resultType"` // input_required
	InputRequests mcp.InputRequestMap `json:"inputRequests,omitempty"`
	RequestState  string              `json:"requestState,omitempty"`
}

// layer is a middleware, which AddReceivingMiddleware puts around the handlers of
// the SDK: it calls next, which runs the tool, and can change the result. go-sdk
// v1.8.0 sends a state without a question as "complete". So layer sends asked in
// place of each result that has a question or a state.
func layer(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		call, isCall := req.(*mcp.CallToolRequest)
		r, ok := res.(*mcp.CallToolResult)
		if err != nil || !isCall || !ok || r.InputRequests == nil && r.RequestState == "" {
			return res, err
		}
		if err := mayAsk(call, r.InputRequests); err != nil {
			return nil, err
		}
		return &asked{ResultType: "input_required", InputRequests: r.InputRequests,
			RequestState: r.RequestState}, nil
	}
}

// order is the checkout without MCP: a JSON API of one's own.
func (s *server) order(w http.ResponseWriter, r *http.Request) {
	var o struct{ Item, State, Answer string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&o); err != nil {
		reply(w, http.StatusBadRequest, "malformed", "", "")
		return
	}
	// [without-mcp]
	about, _ := json.Marshal([]string{"order", o.Item}) // the order, not the answer
	if o.State == "" {
		code := rand.Text()[:6]
		state := s.seal(about, memory{ID: code}) // sealed: it has the right code
		reply(w, http.StatusOK, "input_required", "Your banking app shows "+code, state)
		return
	}
	kept, ok := s.open(about, o.State)
	if !ok || kept.ID != o.Answer { // of another order, too old, or a wrong code
		reply(w, http.StatusBadRequest, "refused", "Order again.", "")
		return
	}
	reply(w, http.StatusOK, "complete", "Ordered "+o.Item+".", "")
	// [/without-mcp]
}

func reply(w http.ResponseWriter, code int, status, message, state string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]string{"status": status, "message": message, "state": state})
}

func ask(key, message string, schema *jsonschema.Schema) (*mcp.CallToolResult, any, error) {
	question := &mcp.ElicitParams{Message: message, RequestedSchema: schema}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{key: question}}, nil, nil
}

func say(text string) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}

func invalid(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// form returns the answer to a form, or nil.
func form(answers mcp.InputResponseMap, key string) *mcp.ElicitResult {
	answer, _ := answers[key].(*mcp.ElicitResult)
	return answer
}

func field(name, kind string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Required: []string{name},
		Properties: map[string]*jsonschema.Schema{name: {Type: kind}}}
}

func choice(name string, values ...any) *jsonschema.Schema {
	schema := field(name, "string")
	schema.Properties[name].Enum = values
	return schema
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	key := flag.String("key", "", "secret of 32 characters or more, the same for all instances")
	shared := flag.String("shared", os.TempDir(), "directory of the records, the same for all instances")
	version := flag.Int("version", 2, "1 links GitHub and Google, 2 GitHub and Microsoft")
	users := flag.String("users", "", "token=user,token=user; empty: callers are anonymous")
	call := flag.String("call", "", "URL of a server to call, instead of being one")
	flag.Parse()
	if *call != "" {
		runClient(*call)
		return
	}
	if len(*key) < 32 {
		log.Fatal("-key: 32 characters or more")
	}
	s := newServer(*key, *shared, *users, *version)
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	s.url = "http://" + listener.Addr().String()
	fmt.Printf("listening on %s\n", s.url)
	log.Fatal(http.Serve(listener, s.handler()))
}

func newServer(key, shared, users string, version int) *server {
	s := &server{aead: newAEAD(key), shared: shared, inputs: mcp.InputRequestMap{},
		users: map[string]string{}}
	for pair := range strings.SplitSeq(users, ",") {
		if token, user, ok := strings.Cut(pair, "="); ok {
			s.users[token] = user
		}
	}
	services := []string{"github", "google"}
	if version == 2 {
		services = []string{"github", "microsoft"}
	}
	for _, name := range services {
		s.inputs[name] = &mcp.ElicitParams{Message: "Your name at " + name + "?",
			RequestedSchema: field("name", "string")}
	}
	return s
}

// newAEAD returns AES-256-GCM with a random nonce, which Seal puts in front.
func newAEAD(key string) cipher.AEAD {
	sum := sha256.Sum256([]byte(key)) // 32 bytes
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		log.Fatal(err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		log.Fatal(err)
	}
	return aead
}

func (s *server) handler() http.Handler {
	m := mcp.NewServer(&mcp.Implementation{Name: "lessons", Version: "1.0.0"}, taskOptions())
	mcp.AddTool(m, &mcp.Tool{Name: "greet"}, s.greet)
	mcp.AddTool(m, &mcp.Tool{Name: "close_task"}, s.closeTask)
	mcp.AddTool(m, &mcp.Tool{Name: "resolve_bug"}, s.resolveBug)
	mcp.AddTool(m, &mcp.Tool{Name: "plan_trip"}, s.planTrip)
	mcp.AddTool(m, &mcp.Tool{Name: "delete_records"}, s.deleteRecords)
	mcp.AddTool(m, &mcp.Tool{Name: "count_primes"}, s.countPrimes)
	mcp.AddTool(m, &mcp.Tool{Name: "link_accounts"}, s.linkAccounts)
	mcp.AddTool(m, &mcp.Tool{Name: "redeem"}, s.redeem)
	mcp.AddTool(m, &mcp.Tool{Name: "connect"}, s.connect)
	mcp.AddTool(m, &mcp.Tool{Name: "welcome"}, s.welcome)
	s.addTasks(m)
	m.AddReceivingMiddleware(layer) // for every request
	one := func(*http.Request) *mcp.Server { return m }
	var endpoint http.Handler = mcp.NewStreamableHTTPHandler(one, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true})
	mux := http.NewServeMux()
	if len(s.users) > 0 {
		s.protect(mux, endpoint)
	} else {
		mux.Handle("/", endpoint)
	}
	mux.HandleFunc("POST /orders", s.order)
	mux.HandleFunc("POST /connect", s.finish)
	return mux
}
