package playground

import "testing"

func TestSetQuery(t *testing.T) {
	tests := []struct{ url, name, value, want string }{
		{"http://h.example/mcp/wizard", "ttl", "1s", "http://h.example/mcp/wizard?ttl=1s"},
		{"http://h.example/mcp/wizard?instances=a:v1,b:v2&next=a", "next", "b",
			"http://h.example/mcp/wizard?instances=a:v1,b:v2&next=b"},
		{"http://h.example/mcp/wizard?instances=a:v1,b:v2&next=a", "next", "",
			"http://h.example/mcp/wizard?instances=a:v1,b:v2"},
		{"http://h.example/%zz", "next", "b", "http://h.example/%zz"},
	}
	for _, tt := range tests {
		if got := SetQuery(tt.url, tt.name, tt.value); got != tt.want {
			t.Errorf("%s with %s=%s: %s, want %s", tt.url, tt.name, tt.value, got, tt.want)
		}
	}
}
