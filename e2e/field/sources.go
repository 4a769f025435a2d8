package main

import "slices"

// sources returns all subjects. Programs are built in a folder, when they are measured.
func sources(work string) ([]source, error) {
	versions, err := versionsOf("e2e/package.json", "e2e/clients/package.json", "e2e/clients/go/go.mod",
		"e2e/servers/mcp-go/go.mod", "e2e/node_modules/"+typeScriptV1+"/package.json")
	if err != nil {
		return nil, err
	}
	clients, err := clientSources(work, versions)
	if err != nil {
		return nil, err
	}
	return slices.Concat(serverSources(work, versions), clients, gatewaySources()), nil
}
