package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

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
		var p struct {
			Name, Version                 string
			Dependencies, DevDependencies map[string]string
		}
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if p.Version != "" { // the file of an installed package
			versions[p.Name] = p.Version
			continue
		}
		for _, list := range []map[string]string{p.Dependencies, p.DevDependencies} {
			for k, v := range list {
				versions[k] = v
			}
		}
	}
	return versions, nil
}
