package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// The packages in npm and in Go that are measured.
const (
	typeScript = "@modelcontextprotocol/client"
	inspector  = "@modelcontextprotocol/inspector"
	aiSDK      = "@ai-sdk/mcp"
	goSDK      = "github.com/modelcontextprotocol/go-sdk"
	mcpGo      = "github.com/mark3labs/mcp-go"
)

// clientSources returns the clients. Programs are built in a folder.
func clientSources(work string, versions map[string]string) ([]source, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	node, here := filepath.Join(root, "e2e/node_modules/.bin/node"), filepath.Join(root, "e2e/clients")
	built := filepath.Join(work, "go-clients")
	build := func(ctx context.Context) error {
		if _, err := os.Stat(built); err == nil {
			return nil
		}
		c := exec.CommandContext(ctx, "go", "build", "-o", built, ".")
		c.Dir = filepath.Join(here, "go")
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("build the clients in Go: %w\n%s", err, out)
		}
		return nil
	}
	var list []source
	add := func(slug, name, version, mode string, command ...string) {
		list = append(list, source{
			field.Subject{Slug: slug, Kind: field.Client, Name: name, Version: version, Condition: mode},
			func(ctx context.Context, s *field.Subject) (session.Session, error) {
				if command[0] == built {
					if err := build(ctx); err != nil {
						return session.Session{}, err
					}
				}
				d, err := testClient(ctx, command)
				if err != nil {
					return session.Session{}, err
				}
				return readClient(s, d)
			},
		})
	}
	for _, m := range []struct{ slug, mode string }{
		{"typescript-client-pinned", "{ pin: '2026-07-28' }"}, {"typescript-client-auto", "'auto'"},
		{"typescript-client-legacy", "'legacy'"},
	} {
		script, err := listing(work, m.slug, m.mode)
		if err != nil {
			return nil, err
		}
		add(m.slug, "TypeScript SDK", versions[typeScript], "mode: "+m.mode, node, script)
	}
	add(
		"go-sdk-client",
		"go-sdk",
		versions[goSDK],
		"ProtocolVersion: 2026-07-28",
		built,
		"-library",
		"go-sdk",
	)
	add("mcp-go-client", "mcp-go", versions[mcpGo], "WithProtocolVersion(2026-07-28)",
		built, "-library", "mcp-go")
	add("ai-sdk-client", "AI SDK, @ai-sdk/mcp", versions[aiSDK], "default", node, here+"/ai-sdk.mjs")
	lines := here + "/commands.mjs"
	launcher := here + "/node_modules/" + inspector + "/clients/launcher/build/index.js"
	add("inspector-modern", "Inspector", versions[inspector], "--cli --protocol-era modern",
		node, lines, "inspector", node, launcher, "--protocol-era", "modern")
	add("inspector", "Inspector", versions[inspector], "--cli", node, lines, "inspector", node, launcher)
	add("call", "mrtr-playground", "built that day", "call", node, lines, "call", os.Getenv("MRTR_PROGRAM"))
	return list, nil
}

// listing copies the TypeScript client of the lesson "Build a client" with another
// mode of its SDK.
func listing(work, slug, mode string) (string, error) {
	dir := filepath.Join(work, slug)
	text, err := os.ReadFile("playground/lesson/listings/typescript/client.ts")
	if err != nil {
		return "", err
	}
	const pinned = "mode: { pin: '2026-07-28' }"
	if !strings.Contains(string(text), pinned) {
		return "", fmt.Errorf("the listing has no %s", pinned)
	}
	changed := strings.Replace(string(text), pinned, "mode: "+mode, 1)
	modules, err := filepath.Abs("e2e/node_modules")
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err == nil {
		err = os.Symlink(modules, filepath.Join(dir, "node_modules"))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o600)
	}
	script := filepath.Join(dir, "client.ts")
	if err == nil {
		err = os.WriteFile(script, []byte(changed), 0o600)
	}
	return script, err
}
