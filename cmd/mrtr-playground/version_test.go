package main

import (
	"encoding/json"
	"runtime"
	"testing"
)

// TestVersion_Served: /version names the running build, as version does.
func TestVersion_Served(t *testing.T) {
	p := startProgram(t, t.TempDir())
	var got map[string]string
	if err := json.Unmarshal([]byte(p.get("/version")), &got); err != nil {
		t.Fatal(err)
	}
	if got["name"] != "mrtr-playground" || got["version"] != version || got["go"] != runtime.Version() {
		t.Errorf("got %v", got)
	}
	if _, named := got["revision"]; !named {
		t.Errorf("no revision: %v", got)
	}
}
