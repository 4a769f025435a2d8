package drawing

import (
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"

	"github.com/mrtr-playground/mrtr-playground/static"
)

// QR returns a text as a QR code in SVG, with the mark below it. It is dark on
// white in every theme and has the quiet zone that readers need.
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
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" `+
		`height="%d" role="img" aria-label="QR code">`+
		`<rect width="100%%" height="100%%" fill="#fff"/><path d="%s" fill="#000" `+
		`shape-rendering="crispEdges"/>%s</svg>`, all, all+qrFoot, all*6, (all+qrFoot)*6, path.String(),
		qrMark(all)), nil
}

// qrFoot is the height of the strip below a QR code that has the mark, in
// modules of the code.
const qrFoot = 7

// qrMark returns the mark, centred in the strip below a code so wide. Its shape
// is that of static/icon.svg, in the colours of the light theme, because the
// sheet is white.
func qrMark(width int) string {
	const units, height = 32, 6
	colour := static.Light.Value
	return fmt.Sprintf(`<g transform="translate(%.3f %d) scale(%.4f)" fill="none" stroke-width="2.5">`+
		`<path d="M6 16h20" stroke="%s" stroke-width="1.5"/><path d="M6 3v26" stroke="%s"/>`+
		`<path d="M26 3v26" stroke="%s"/><path d="M16 9l7 7-7 7-7-7z" fill="%s"/></g>`,
		float64(width-height)/2, width, float64(height)/units,
		colour("muted"), colour("client"), colour("server"), colour("state"))
}
