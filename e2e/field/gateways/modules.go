package gateways

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// module is a program of a Go module, which "make gateways" builds into bin/gateways.
type module struct {
	name  string // of the program
	goToo bool   // the version is that of Go, of which it is a part
}

func (m module) find() (string, error) {
	here, err := folder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(here, "../../../bin/gateways", m.name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is not built: make gateways", m.name)
	}
	return path, nil
}

func (m module) version(_ context.Context, path string) (string, error) {
	info, err := buildinfo.ReadFile(path)
	switch {
	case err != nil:
		return "", err
	case m.goToo:
		return info.GoVersion, nil
	case info.Main.Version == "":
		return "", errors.New("the program does not say it")
	}
	return info.Main.Version, nil
}

// moduleGateways returns what Go modules have.
func moduleGateways() []Gateway {
	return []Gateway{
		{
			Slug: "httputil", Name: "net/http/httputil", Condition: "ReverseProxy with SetURL",
			Path: "/mcp", source: module{"reverseproxy", true},
			setup: started("{program}", "{address}", "{origin}"),
		},
		{
			Slug: "caddy-2", Name: "Caddy", Condition: "reverse_proxy",
			Path: "/mcp", source: module{name: "caddy"}, setup: caddySetup,
		},
		{
			Slug: "traefik", Name: "Traefik", Condition: "a router and a service of the file provider",
			Path: "/mcp", source: module{name: "traefik"},
			setup: func(s site) (command, error) {
				dynamic, err := s.file("dynamic.yaml", `http:
  routers:
    mcp:
      rule: PathPrefix("/")
      service: upstream
  services:
    upstream:
      loadBalancer:
        servers:
          - url: {origin}
`)
				if err != nil {
					return command{}, err
				}
				return s.command(dynamic, []string{
					"{program}", "--entrypoints.web.address={address}", "--providers.file.filename={file}",
					"--global.checknewversion=false", "--global.sendanonymoususage=false",
				}), nil
			},
		},
		{
			Slug: "oauth2-proxy", Name: "OAuth2 Proxy", Condition: "--skip-auth-route=^/",
			Path: "/mcp", source: module{name: "oauth2-proxy"},
			setup: started("{program}", "--http-address={address}", "--upstream={origin}",
				"--skip-auth-route=^/", "--email-domain=*", "--client-id=test", "--client-secret=test",
				"--cookie-secret=0123456789abcdef0123456789abcdef"),
		},
	}
}
