package code_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// behaviors returns the flows of ../testdata/behavior.txt: refusals, missing values and
// every operation of expressions. As versions of a few flows they are few programs.
func behaviors(t *testing.T) []example {
	t.Helper()
	text, err := os.ReadFile("../testdata/behavior.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n== ")
	beginning := sections[0] + "\n"
	var list []example
	var versions []map[string]any
	answers := map[string]map[string]flow.Answer{}
	add := func(withTask bool) {
		for _, section := range sections[1:] {
			_, rest, _ := strings.Cut(section, "\n")
			given := map[string]flow.Answer{}
			if first, more, _ := strings.Cut(rest, "\n"); strings.HasPrefix(first, "answers: ") {
				rest = more
				if err := json.Unmarshal([]byte(strings.TrimPrefix(first, "answers: ")), &given); err != nil {
					t.Fatal(err)
				}
			}
			root, problems := document.Parse([]byte(beginning + rest))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if root.Has("task") != withTask {
				continue
			}
			name := fmt.Sprintf("v%d", len(versions)+1)
			version := map[string]any{"version": name}
			for _, member := range []string{"steps", "task", "result"} {
				if root.Has(member) {
					version[member] = root.Get(member).JSON()
				}
			}
			versions, answers[name] = append(versions, version), given
			if len(versions) == 20 {
				list = append(list, behavior(t, len(list), beginning, versions, answers))
				versions, answers = nil, map[string]map[string]flow.Answer{}
			}
		}
	}
	add(false)
	add(true) // a version has the task of the one before it
	return append(list, behavior(t, len(list), beginning, versions, answers))
}

// behavior returns a flow with these versions.
func behavior(
	t *testing.T, n int, beginning string, versions []map[string]any,
	answers map[string]map[string]flow.Answer,
) example {
	t.Helper()
	root, problems := document.Parse([]byte(beginning))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	first := map[string]any{"flow": 1, "name": "x", "arguments": root.Get("arguments").JSON()}
	for _, member := range []string{"steps", "task", "result"} {
		if value, ok := versions[0][member]; ok {
			first[member] = value
		}
	}
	first["versions"] = versions[1:]
	return example{fmt.Sprint("behavior", n+1), quick(t, string(encoded(first))), false, answers}
}

// startServer serves all flows as this program does. Each instance of a version has an
// address of its own, as those of the other columns have.
func startServer(t *testing.T, examples []example) served {
	t.Helper()
	sources := map[string]string{}
	token := func(e example) string { return strings.ReplaceAll(e.name, ".", "-") }
	for _, e := range examples {
		sources[token(e)] = e.Source()
	}
	var catalog *sampletools.Catalog
	listen := func(query string) string {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if query != "" {
				r.URL.RawQuery = query
			}
			catalog.ServeHTTP(w, r)
		}))
		t.Cleanup(web.Close)
		return web.URL
	}
	var err error
	catalog, err = sampletools.New(sampletools.Config{
		Keys: seal.Generate(), BaseURL: listen(""),
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Flows: func(_ context.Context, token string) (sampletools.FlowText, error) {
			return sampletools.FlowText{Digest: token, Source: sources[token]}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(catalog.Close)
	urls, hosts := served{}, map[string]string{}
	for _, e := range examples {
		for _, v := range e.Versions {
			for _, name := range instances {
				query := fmt.Sprintf("instances=a:%s,b:%[1]s&next=%s", v.Name, name)
				if hosts[query] == "" {
					hosts[query] = listen(query)
				}
				urls[e.name+" "+v.Name+" "+name] = hosts[query] + "/mcp/flow/" + token(e)
			}
		}
	}
	return urls
}
