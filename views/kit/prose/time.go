package prose

import (
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Time returns a moment to the minute, in UTC.
func Time(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// Ago returns how long ago something was: "just now", "3 min ago".
func Ago(age time.Duration) string {
	if age < time.Minute {
		return "just now"
	}
	return Span(age) + " ago"
}

// Span returns a span of time in its largest unit: "30 s", "5 min", "2 h",
// "3 days".
func Span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute && d%time.Minute != 0:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour && d%time.Hour != 0 || d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return text.Plural(int(d.Hours()/24), "day")
}

// ISOTime returns a time for the attribute datetime.
func ISOTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }
