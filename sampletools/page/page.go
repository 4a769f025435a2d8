// Package page is the look of the pages of samples: one style sheet, and the
// policy that allows it and nothing else. Style and Policy belong together: the
// policy has the digest of the style, and a browser ignores any other.
package page

import (
	"crypto/sha256"
	"encoding/base64"
)

// Style is the content of the one style element of a page.
const Style = `
:root { color-scheme: light dark }
body { margin: 0; background: Canvas; color: CanvasText;
font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem; overflow-wrap: anywhere }
h1 { font-size: 1.625rem; line-height: 1.2; margin: 0 0 1rem }
p { margin: 0.75rem 0 }
fieldset { border: 1px solid GrayText; border-radius: 4px; margin: 1rem 0; padding: 0.25rem 1rem 0.5rem }
legend { font-weight: 600; padding: 0 0.25rem }
label { display: block; padding: 0.25rem 0 }
button { font: inherit; font-weight: 600; padding: 0.5rem 1.25rem; border-radius: 4px;
border: 1px solid CanvasText; background: CanvasText; color: Canvas; cursor: pointer }
button + button { background: transparent; color: CanvasText; margin-left: 0.5rem }
:focus-visible { outline: 2px solid CanvasText; outline-offset: 2px }
small { display: block; margin-top: 2rem; padding-top: 1rem; border-top: 1px solid GrayText;
font-size: 0.875rem }
`

// Policy returns the Content-Security-Policy of a page. target is the
// destination of its forms: sources such as 'self'.
func Policy(target string) string {
	digest := sha256.Sum256([]byte(Style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) +
		"'; form-action " + target + "; base-uri 'none'; frame-ancestors 'none'"
}
