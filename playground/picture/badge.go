package picture

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/static"
)

// Badge returns an SVG for a README: how many rounds a recorded call took and
// how it ended, and whether the recording was imported. It carries its own
// colours and no text of a server.
func Badge(rounds int, status playground.Status, imported bool) []byte {
	const height, pad, letter = 20, 7, 6.6
	left, right := "MRTR", text.Plural(rounds, "round")+" · "+string(status)
	if imported {
		right += " · imported"
	}
	leftWidth := int(float64(len(left))*letter) + 2*pad + 2
	rightWidth := int(float64(len([]rune(right)))*letter) + 2*pad
	width := leftWidth + rightWidth
	b := fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img"`,
		width, height)
	b = fmt.Appendf(b, ` aria-label="%s: %s">`, left, right)
	b = fmt.Appendf(b, `<title>%s: %s</title><rect width="%d" height="%d" rx="3" fill="%s"/>`,
		left, right, width, height, static.Light.Value("ink"))
	b = fmt.Appendf(b, `<path d="M%d 0h%[2]dq3 0 3 3v14q0 3 -3 3h-%[2]dz" fill="%[3]s"/>`,
		leftWidth, rightWidth-3, static.Light.Value(badgeColour(status)))
	b = fmt.Appendf(b, `<g fill="%s" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"`,
		static.Light.Value("on-ink"))
	return fmt.Appendf(b, ` text-anchor="middle"><text x="%d" y="14">%s</text>`+
		`<text x="%d" y="14">%s</text></g></svg>`,
		leftWidth/2, left, leftWidth+rightWidth/2, right)
}

// badgeColour names the colour of a badge's right half.
func badgeColour(status playground.Status) string {
	switch status {
	case playground.StatusComplete:
		return "pass"
	case playground.StatusFailed, playground.StatusInterrupted, playground.StatusCapped:
		return "fail"
	case playground.StatusDeclined, playground.StatusCancelled:
		return "muted"
	}
	return "server"
}
