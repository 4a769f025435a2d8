// Package gateways has real gateways and proxies between MCP clients and servers,
// and measures them with the command gateway of the program.
//
// Each is what its authors publish: a Debian package, a Go module or an npm
// package. A Gateway is one of them with one configuration, which is the condition
// of every fact about it. A version is read from the program that is measured.
//
// Nothing in the program needs this package. What a machine does not have installed
// is not measured: Missing says what to install.
package gateways

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Gateway is a gateway or proxy with one configuration.
type Gateway struct {
	Slug string // unique in the table
	Name string // of the software
	// Condition is the configuration in words, with the line that decides.
	Condition string
	// Path is the path of its address; empty for a command.
	Path string
	// Bridged says that the gateway starts its server as a command. That command then passes
	// everything to the upstream, and what it decides is not judged.
	Bridged bool

	source source
	setup  setup
}

// source is where the software comes from.
type source interface {
	// find returns the path of the program or script, or an error that says what to install.
	find() (string, error)
	// version returns the version that the program says it is.
	version(ctx context.Context, path string) (string, error)
}

// setup returns how a gateway is started, and writes the files for it.
type setup func(s site) (command, error)

// site is what a gateway is started with.
type site struct {
	program  string // see source.find
	dir      string // a temporary folder of its own
	upstream string // the address of the MCP server
	port     int    // where the gateway has to listen
}

// command is how a gateway is started.
type command struct {
	words []string
	env   []string
	dir   string // where it is started; empty for any
}

// Missing returns what to install before the gateway can be measured, or "".
func (g Gateway) Missing() string {
	_, err := g.source.find()
	if err == nil && g.Bridged {
		_, err = bridge.find()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Version returns the version of the software, as the program itself says it.
func (g Gateway) Version(ctx context.Context) (string, error) {
	path, err := g.source.find()
	if err != nil {
		return "", err
	}
	v, err := g.source.version(ctx, path)
	if err != nil {
		return "", fmt.Errorf("version of %s: %w", g.Name, err)
	}
	return v, nil
}

// prepare makes the temporary folder of a gateway and returns how it is started.
func (g Gateway) prepare(dir, upstream string, port int) (command, error) {
	path, err := g.source.find()
	if err != nil {
		return command{}, err
	}
	return g.setup(site{program: path, dir: dir, upstream: upstream, port: port})
}

// origin returns the address of the upstream without its path.
func (s site) origin() string { return strings.TrimSuffix(s.upstream, "/mcp") }

// host returns the host and port of the upstream.
func (s site) host() string { return strings.TrimPrefix(s.origin(), "http://") }

// address returns the host and port of the gateway.
func (s site) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// file writes a file into the folder and returns its path. In its text, {dir}, {port},
// {address}, {host}, {origin} and {upstream} stand for what the gateway is started with.
func (s site) file(name, text string) (string, error) {
	path := filepath.Join(s.dir, name)
	return path, os.WriteFile(path, []byte(s.fill(text)), 0o644)
}

// fill returns a text with the values of the site in place of their names.
func (s site) fill(text string) string {
	host, port, _ := net.SplitHostPort(s.host())
	return strings.NewReplacer(
		"{dir}", s.dir, "{port}", strconv.Itoa(s.port), "{address}", s.address(), "{host}", s.host(),
		"{upstream host}", host, "{upstream port}", port, "{origin}", s.origin(), "{upstream}", s.upstream,
		"{program}", s.program,
	).Replace(text)
}

// configured returns a setup that writes one file of configuration and starts a command. In the
// text and the words, names in braces are filled in; {file} is the path of the file.
func configured(name, text string, words ...string) setup {
	return func(s site) (command, error) {
		path, err := s.file(name, text)
		if err != nil {
			return command{}, err
		}
		return s.command(path, words), nil
	}
}

// started returns a setup that starts a command without a file.
func started(words ...string) setup {
	return func(s site) (command, error) { return s.command("", words), nil }
}

// command fills in the words of a command. Its home is the folder, so that a program neither
// reads nor writes settings of the user.
func (s site) command(file string, words []string) command {
	c := command{dir: s.dir}
	for _, name := range []string{
		"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
	} {
		c.env = append(c.env, name+"="+s.dir)
	}
	for _, w := range words {
		c.words = append(c.words, strings.ReplaceAll(s.fill(w), "{file}", file))
	}
	return c
}

// freePort returns a port of the loopback address that is free now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// folder returns the folder of this package in the repository.
func folder() (string, error) {
	const name = "e2e/field/gateways"
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, name, "gateways.go")); err == nil {
			return filepath.Join(dir, name), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("run it in the repository")
		}
		dir = parent
	}
}

// last returns the end of what a program printed.
func last(r io.Reader) string {
	b, _ := io.ReadAll(r)
	return strings.TrimSpace(string(b[max(0, len(b)-2000):]))
}
