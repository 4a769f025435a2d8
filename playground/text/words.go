package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Plural returns a count with its noun: "1 round", "2 rounds", "2 advisories",
// "2 branches".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "ry"); ok {
		noun = stem + "rie"
	} else if strings.HasSuffix(noun, "ch") {
		noun += "e"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Size returns a number of bytes in words: "1 byte", "999 bytes", "1.5 KiB",
// "2 MiB", "5 GiB".
func Size(n int) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch {
	case n < kib:
		return Plural(n, "byte")
	case n < mib-kib/20: // what would round to 1024.0 KiB is a MiB
		return tenths(n, kib) + " KiB"
	case n >= gib-mib/20: // and so on
		return tenths(n, gib) + " GiB"
	}
	return tenths(n, mib) + " MiB"
}

// tenths returns n/unit with at most one decimal place.
func tenths(n, unit int) string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/float64(unit), 'f', 1, 64), ".0")
}

// Duration returns a measured time in words: "25 µs", "1.3 ms", "250 ms",
// "2.0 s", "16 min 40 s", "2 h 46 min", "11 days 13 h".
func Duration(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d >= 2*day:
		return fmt.Sprintf("%d days %d h", d/day, d%day/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
