package views

import (
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// QR returns a text as a QR code in SVG. It is dark on white in every theme and
// has the quiet zone that readers need.
func QR(text string) (string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("encode QR code: %w", err)
	}
	const quiet = 4
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	all := size + 2*quiet
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d" width="%d" `+
		`height="%[2]d" role="img" aria-label="QR code">`+
		`<rect width="100%%" height="100%%" fill="#fff"/><path d="%s" fill="#000" `+
		`shape-rendering="crispEdges"/></svg>`, all, all*6, path.String()), nil
}
