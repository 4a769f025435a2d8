package export

import "strings"

// FileName is a name for a download: letters, digits and dashes of the title
// and the suffix, so that it is no path, no option, no device and no header on
// any system.
func FileName(title, suffix string) string {
	var b strings.Builder
	b.WriteString("mrtr")
	dash := true
	for _, r := range strings.ToLower(title) {
		switch {
		case b.Len() >= 60:
			return b.String() + suffix
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if dash {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
		default:
			dash = true
		}
	}
	return b.String() + suffix
}
