package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/clients"
)

// row is a client, and the command that runs it.
type row struct {
	clients.Client
	command []string
}

// The packages in npm and in Go that are measured.
const (
	typeScript = "@modelcontextprotocol/client"
	inspector  = "@modelcontextprotocol/inspector"
	aiSDK      = "@ai-sdk/mcp"
	goSDK      = "github.com/modelcontextprotocol/go-sdk"
	mcpGo      = "github.com/mark3labs/mcp-go"
)

// rows returns the clients in the order of the table. Programs are built in a
// folder.
func rows(work string) ([]row, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	node, here := filepath.Join(root, "e2e/node_modules/.bin/node"), filepath.Join(root, "e2e/clients")
	built := filepath.Join(work, "go-clients")
	build := exec.Command("go", "build", "-o", built, ".")
	build.Dir = filepath.Join(here, "go")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the clients in Go: %w\n%s", err, out)
	}
	versions, err := versionsOf("e2e/package.json", "e2e/clients/package.json", "e2e/clients/go/go.mod")
	if err != nil {
		return nil, err
	}
	var list []row
	add := func(slug, name, version, mode string, command ...string) {
		c := clients.Client{Slug: slug, Name: name, Version: version, Mode: mode}
		list = append(list, row{c, command})
	}
	for _, m := range []struct{ slug, mode string }{
		{"typescript-pinned", "{ pin: '2026-07-28' }"}, {"typescript-auto", "'auto'"},
		{"typescript-legacy", "'legacy'"},
	} {
		script, err := listing(work, m.slug, m.mode)
		if err != nil {
			return nil, err
		}
		add(m.slug, "TypeScript SDK", versions[typeScript], "mode: "+m.mode, node, script)
	}
	add("go-sdk", "go-sdk", versions[goSDK], "ProtocolVersion: 2026-07-28", built, "-library", "go-sdk")
	add("mcp-go", "mcp-go", versions[mcpGo], "WithProtocolVersion(2026-07-28)", built, "-library", "mcp-go")
	add("ai-sdk", "AI SDK, @ai-sdk/mcp", versions[aiSDK], "default", node, here+"/ai-sdk.mjs")
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

var required = regexp.MustCompile(`(?m)^\s*(?:require )?(github\.com/\S+) (v\S+)$`)

// versionsOf returns the versions of packages in files of npm and of Go.
func versionsOf(files ...string) (map[string]string, error) {
	versions := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, m := range required.FindAllStringSubmatch(string(data), -1) {
			versions[m[1]] = m[2]
		}
		if filepath.Ext(name) != ".json" {
			continue
		}
		var p struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, list := range []map[string]string{p.Dependencies, p.DevDependencies} {
			for k, v := range list {
				versions[k] = v
			}
		}
	}
	return versions, nil
}
