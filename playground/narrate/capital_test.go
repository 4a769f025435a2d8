package narrate

import "testing"

// TestSentence_KeepsTheServersName: a name is neither changed nor broken.
func TestSentence_KeepsTheServersName(t *testing.T) {
	for _, c := range [][3]string{
		{"mcp.example.com needs one more thing.", "mcp.example.com", "mcp.example.com needs one more thing."},
		{"écho needs one more thing.", "écho", "écho needs one more thing."},
		{"the request was sent.", "mcp.example.com", "The request was sent."},
		{"état inconnu.", "", "État inconnu."},
	} {
		if got := capital(c[0], c[1]); got != c[2] {
			t.Errorf("capital(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
