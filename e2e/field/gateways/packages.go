package gateways

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// npm is a script of an npm package, which "make gateways" installs beside this package.
type npm struct {
	name   string // of the package
	script string // its path: in the package, or beside it if it begins with "../"
}

func (n npm) find() (string, error) {
	here, err := folder()
	if err != nil {
		return "", err
	}
	script := filepath.Join(here, "npm/node_modules", n.name, n.script)
	if n.script == "" {
		script = filepath.Join(here, "npm/proxy.mjs")
	}
	if _, err := os.Stat(filepath.Join(here, "npm/node_modules", n.name)); err != nil {
		return "", fmt.Errorf("%s is not installed: make gateways", n.name)
	}
	if _, err := node(); err != nil {
		return "", err
	}
	return script, nil
}

// version reads the version of the package that is installed.
func (n npm) version(context.Context, string) (string, error) {
	here, err := folder()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(here, "npm/node_modules", n.name, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(data, &p); err != nil || p.Version == "" {
		return "", errors.Join(err, fmt.Errorf("no version in package.json of %s", n.name))
	}
	return p.Version, nil
}

// node returns the path of the Node.js that the tests use, or else of any.
func node() (string, error) {
	here, err := folder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(here, "../../node_modules/.bin/node")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if path, err = exec.LookPath("node"); err != nil {
		return "", errors.New("node is not installed: on Debian, apt-get install nodejs")
	}
	return path, nil
}

// scripted returns a setup that starts the script with words.
func scripted(words ...string) setup {
	return func(s site) (command, error) {
		path, err := node()
		if err != nil {
			return command{}, err
		}
		return s.command("", append([]string{path, "{program}"}, words...)), nil
	}
}

// bridge is the command that a bridged gateway starts.
var bridge = module{name: "bridge"}

// bridged returns a setup that starts the script with words. {bridge} stands for the command of a
// server on standard input that passes everything to the upstream.
func bridged(words ...string) setup {
	return func(s site) (command, error) {
		path, err := bridge.find()
		if err != nil {
			return command{}, err
		}
		var filled []string
		for _, w := range words {
			switch w {
			case "{bridge}":
				filled = append(filled, path+" {upstream}")
			case "{bridge} {words}":
				filled = append(filled, path, "{upstream}")
			default:
				filled = append(filled, w)
			}
		}
		return scripted(filled...)(s)
	}
}

// packageGateways returns what npm packages have. What speaks older revisions of MCP alone is not
// among them, because nothing can be judged: mcp-remote and supergateway in their defaults for an
// upstream with an address, and mcp-hub.
func packageGateways() []Gateway {
	library := func(slug, name, condition string) Gateway {
		return Gateway{
			Slug: slug, Name: name, Condition: condition, Path: "/mcp", source: npm{name: name},
			setup: scripted(name, "{port}", "{origin}"),
		}
	}
	remote := npm{"mcp-remote", "dist/proxy.js"}
	super := npm{"supergateway", "dist/index.js"}
	proxy := npm{"mcp-proxy", "dist/bin/mcp-proxy.mjs"}
	return []Gateway{
		library("http-proxy", "http-proxy", "createProxyServer({ target })"),
		library("http-proxy-3", "http-proxy-3", "createProxyServer({ target })"),
		library("http-proxy-middleware", "http-proxy-middleware",
			"createProxyMiddleware({ target, changeOrigin: true })"),
		library("fastify-http-proxy", "@fastify/http-proxy", "register(proxy, { upstream })"),
		{
			Slug: "mcp-remote", Name: "mcp-remote", Condition: "--protocol auto",
			source: remote, setup: scripted("{upstream}", "--protocol", "auto"),
		},
		{
			Slug: "supergateway", Name: "supergateway",
			Condition: "--stdio COMMAND --outputTransport streamableHttp",
			Path:      "/mcp", Bridged: true, source: super,
			setup: bridged("--stdio", "{bridge}", "--outputTransport", "streamableHttp", "--port", "{port}"),
		},
		{
			Slug: "mcp-proxy", Name: "mcp-proxy", Condition: "--upstreamProtocol auto",
			Path: "/mcp", Bridged: true, source: proxy,
			setup: bridged("--host", "127.0.0.1", "--port", "{port}", "--upstreamProtocol", "auto", "--",
				"{bridge} {words}"),
		},
	}
}
