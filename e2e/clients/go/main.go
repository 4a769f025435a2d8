// Command go runs the clients of two Go libraries against the server in
// MRTR_SERVER_URL. It calls everything that the server offers, or only the tool,
// prompt or resource that MRTR_SCENARIO names. It is a module of its own, so that
// nothing else depends on mcp-go.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// session is a connection of a client.
type session interface {
	tools(context.Context) ([]tool, error)
	prompts(context.Context) ([]string, error)
	resources(context.Context) ([]string, error) // URIs
	templates(context.Context) error
	call(ctx context.Context, name string, arguments map[string]any) error
	get(ctx context.Context, prompt string) error
	read(ctx context.Context, uri string) error
	close()
}

type tool struct {
	name   string
	schema schema
}

// libraries connect a client, whose user answers by itself.
var libraries = map[string]func(ctx context.Context, url string, u *user) (session, error){
	"go-sdk": goSDK, "mcp-go": mcpGo,
}

const patience = 10 * time.Second

func main() {
	library := flag.String("library", "go-sdk", "go-sdk or mcp-go")
	flag.Parse()
	connect := libraries[*library]
	if connect == nil {
		fmt.Fprintln(os.Stderr, "unknown library")
		os.Exit(2)
	}
	r := runner{connect: connect, url: os.Getenv("MRTR_SERVER_URL"), only: os.Getenv("MRTR_SCENARIO")}
	if err := r.run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type runner struct {
	connect   func(ctx context.Context, url string, u *user) (session, error)
	url, only string
}

// thing is a tool, prompt or resource.
type thing struct {
	name string
	do   func(context.Context, session) error
}

// run reads all lists and calls everything that they name.
func (r runner) run() error {
	list, err := r.things()
	if err != nil {
		return err
	}
	for _, t := range list {
		if r.only == "" || t.name == r.only || strings.HasSuffix(t.name, "/"+r.only) {
			fmt.Printf("%s: %.200v\n", t.name, cmp.Or(r.do(t), errComplete))
		}
	}
	return nil
}

// things returns the offers of the server. Only tools need to be there.
func (r runner) things() ([]thing, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := r.connect(ctx, r.url, &user{})
	if err != nil {
		return nil, err
	}
	defer s.close()
	tools, err := s.tools(ctx)
	if err != nil {
		return nil, err
	}
	var list []thing
	for _, t := range tools {
		list = append(list, thing{t.name, func(ctx context.Context, s session) error {
			return s.call(ctx, t.name, arguments(t))
		}})
	}
	prompts, _ := s.prompts(ctx)
	for _, name := range prompts {
		get := func(ctx context.Context, s session) error { return s.get(ctx, name) }
		list = append(list, thing{name, get})
	}
	uris, _ := s.resources(ctx)
	for _, uri := range uris {
		read := func(ctx context.Context, s session) error { return s.read(ctx, uri) }
		list = append(list, thing{uri, read})
	}
	if s.templates(ctx) != nil { // a cursor can expire between two pages
		_ = s.templates(ctx)
	}
	return list, nil
}

// do does one thing on a connection of its own, because some errors end it.
func (r runner) do(t thing) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := r.connect(ctx, r.url, &user{called: t.name})
	if err != nil {
		return err
	}
	defer s.close()
	if _, err := s.tools(ctx); err != nil {
		return err
	}
	if t.name != "parallel_calls" {
		return t.do(ctx, s)
	}
	var calls sync.WaitGroup
	var errs [2]error
	for i := range errs {
		calls.Go(func() { errs[i] = t.do(ctx, s) })
	}
	calls.Wait()
	return errors.Join(errs[:]...)
}

var errComplete = errors.New("complete")

// user answers questions as the clients of the lesson do.
type user struct {
	called string // the tool
	asked  int    // questions so far
}

var refusal = regexp.MustCompile(`decline|cancel`)

// elicit returns the answer to a form, or to a link.
func (u *user) elicit(link string, form any) (action string, content map[string]any) {
	u.asked++
	action = refusal.FindString(u.called)
	switch {
	case action != "" && (u.asked == 2 || !strings.HasSuffix(u.called, "_one")):
		return action, nil
	case link == "":
		return "accept", fill(schemaOf(form))
	case !strings.HasPrefix(link, "http"):
		return "decline", nil
	}
	if res, err := http.Get(link); err == nil {
		res.Body.Close()
	}
	return "accept", nil
}

// schema is the part of a JSON Schema that is read.
type schema struct {
	Type, Format string
	Default      any
	Minimum      float64
	Enum         []any
	OneOf, AnyOf []struct{ Const any }
	Items        *schema
	Properties   map[string]schema
}

func schemaOf(v any) (s schema) {
	raw, _ := json.Marshal(v)
	_ = json.Unmarshal(raw, &s)
	return s
}

// arguments returns the values that the client test asks for, or values that
// fit the schema.
func arguments(t tool) map[string]any {
	switch t.name {
	case "mirror_unicode":
		return map[string]any{"text": "Größe"}
	case "mirror_sentinel":
		return map[string]any{"text": "=?base64?YQ==?="}
	case "mirror_nothing":
		return map[string]any{"text": nil}
	}
	return fill(t.schema)
}

// fill returns values that fit the properties of a schema.
func fill(s schema) map[string]any {
	values := map[string]any{}
	for name, p := range s.Properties {
		values[name] = value(name, p)
	}
	return values
}

func value(name string, s schema) any {
	choices := append(s.OneOf, s.AnyOf...)
	switch {
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(choices) > 0:
		return choices[0].Const
	}
	switch s.Type {
	case "object":
		return fill(s)
	case "array":
		if s.Items == nil {
			return []any{name}
		}
		return []any{value(name, *s.Items)}
	case "boolean":
		return true
	case "integer", "number":
		return max(s.Minimum, 1)
	}
	return cmp.Or(map[string]string{"email": "ada@example.com", "date": "2026-07-28"}[s.Format], name)
}
