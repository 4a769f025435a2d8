package app

import "testing"

func TestApp_OwnPath(t *testing.T) {
	public := &App{Config: Config{Mode: Public, BaseURL: "https://play.example"}}
	local := &App{Config: Config{BaseURL: "http://127.0.0.1:2322"}}
	for _, test := range []struct {
		app     *App
		address string
		own     bool
	}{
		{public, "https://play.example/a", true},
		{public, "https://PLAY.example:443/a", true},
		{public, "https://play.example./a", true},
		{public, "https://play.example:8443/a", false},
		{public, "http://play.example/a", false},
		{public, "https://127.0.0.1/a", false},
		{public, "https://play.example.org/a", false},
		{local, "http://localhost:2322/a", true},
		{local, "http://[::1]:2322/a", true},
		{local, "http://localhost/a", false},
		{local, "http://192.0.2.1:2322/a", false},
	} {
		if path, own := test.app.OwnPath(test.address); own != test.own || own && path != "/a" {
			t.Errorf("%s: %s, %v", test.address, path, own)
		}
	}
}
