package drawing

import (
	"strings"
	"testing"
)

// The mark stands below the quiet zone, not in it.
func TestQR_HasTheMarkBelowTheCode(t *testing.T) {
	svg, err := QR("https://example.com/s/abc")
	if err != nil {
		t.Fatal(err)
	}
	const modules = 25 + 2*4 // version 2 with its quiet zone
	for _, part := range []string{`viewBox="0 0 33 40"`, `translate(13.500 33)`, `fill="#6636c4"`} {
		if !strings.Contains(svg, part) {
			t.Errorf("the code of %d modules lacks %s", modules, part)
		}
	}
}
