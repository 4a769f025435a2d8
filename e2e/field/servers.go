package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// tool is a tool to check a server with.
type tool struct {
	name      string
	arguments string // JSON; empty for those that are made up from its schema
}

// part is a program with tools of a server to measure.
type part struct {
	start string // its name in serve.mjs
	tools []tool
}

// example is a server to measure.
type example struct {
	field.Subject
	parts []part
	// decided are experiments whose result the code of the tool decides, where that code is ours,
	// with the reason: they say nothing about the library.
	decided map[string]string
}

// The packages of npm that are measured as servers.
const (
	typeScriptServer = "@modelcontextprotocol/server"
	typeScriptV1     = "@modelcontextprotocol/sdk"
	everything       = "@modelcontextprotocol/server-everything"
)

// serverSources returns the servers.
func serverSources(work string, versions map[string]string) []source {
	mrtr := func(names ...string) []tool {
		var list []tool
		for _, n := range names {
			list = append(list, tool{name: "test_input_required_result_" + n})
		}
		return list
	}
	const noSchema = "The tool decides this, and it is ours: it calls acceptedContent without a schema."
	examples := []example{{
		Subject: field.Subject{
			Slug: "go-sdk-server", Name: "go-sdk", Version: versions[goSDK],
			Condition: "conformance/everything-server, which leaves its state unprotected",
		},
		parts: []part{{"go-sdk", mrtr("elicitation", "request_state", "multiple_inputs",
			"multi_round")}},
	}, {
		Subject: field.Subject{
			Slug: "mcp-go-server", Name: "mcp-go", Version: versions[mcpGo],
			Condition: "examples/multi_round_trip, its server over Streamable HTTP",
		},
		parts: []part{{"mcp-go-example", []tool{{"deploy", `{"environment":"production"}`}}}},
	}, {
		Subject: field.Subject{
			Slug: "typescript-server", Name: "TypeScript SDK", Version: versions[typeScriptServer],
			Condition: "createMcpHandler and createRequestStateCodec, with tools of ours",
		},
		parts: []part{
			{"typescript", []tool{{"deploy", `{"env":"staging"}`}}},
			{"typescript-asks", []tool{{name: "link"}, {name: "all"}, {name: "state"}}},
		},
		decided: map[string]string{
			"wrong-type": noSchema, "out-of-range": noSchema,
			"drop-state": "The tool decides this, and it is ours: one goes on without a state.",
		},
	}, {
		Subject: field.Subject{
			Slug: "everything-server", Name: "server-everything", Version: versions[everything],
			Condition: "streamableHttp",
		},
		parts: []part{{"everything", []tool{{name: "trigger-elicitation-request"}}}},
	}, {
		Subject: field.Subject{
			Slug: "typescript-v1-server", Name: "TypeScript SDK", Version: versions[typeScriptV1],
			Condition: "its example elicitationFormExample",
		},
		parts: []part{{"typescript-v1", []tool{{name: "register_user"}}}},
	}}
	var list []source
	for _, e := range examples {
		e.Kind = field.Server
		list = append(
			list,
			source{e.Subject, func(ctx context.Context, s *field.Subject) (session.Session, error) {
				var all []checked
				for _, p := range e.parts {
					url, stop, err := serve(ctx, p.start, work)
					if err != nil {
						return session.Session{}, err
					}
					list, err := e.check(ctx, s, url, p.tools)
					stop()
					if err != nil {
						return session.Session{}, err
					}
					all = append(all, list...)
				}
				return e.read(s, all), nil
			}},
		)
	}
	return list
}

// serve starts a server of serve.mjs and returns its URL, and what ends it.
func serve(ctx context.Context, name, work string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, "e2e/node_modules/.bin/node", "e2e/field/serve.mjs", name, work)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe() // its end ends the server
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return url, stop, nil
		}
	}
	stop()
	return "", nil, errors.Join(lines.Err(), fmt.Errorf("%s does not listen", name))
}
