package text_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"printable ASCII", "create_issue <b>&</b>", "create_issue <b>&</b>"},
		{"other scripts", "état 中文 עברית", "état 中文 עברית"},
		{"wide spaces are seen", "a\u00a0b\u3000c", "a\u00a0b\u3000c"},
		{"a real replacement character", "a\ufffdb", "a\ufffdb"},
		{"terminal escape", "\x1b[31mred", "⟨U+001B⟩[31mred"},
		{"NUL and DEL", "\x00\x7f", "⟨U+0000⟩⟨U+007F⟩"},
		{"C1 control", "\u009b1m", "⟨U+009B⟩1m"},
		{"bidirectional override", "a\u202eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"},
		{"zero width", "a\u200bb\u200dc", "a⟨U+200B⟩b⟨U+200D⟩c"},
		{"soft hyphen", "a\u00adb", "a⟨U+00AD⟩b"},
		{"byte order mark", "\ufeffa", "⟨U+FEFF⟩a"},
		{"line and paragraph separator", "a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"},
		{"tag characters", "a\U000e0041b", "a⟨U+E0041⟩b"},
		{"unassigned tag", "\U000e0080", "⟨U+E0080⟩"},
		{"private use", "\ue000\U000f0000", "⟨U+E000⟩⟨U+F0000⟩"},
		{"noncharacter", "\ufdd0\ufffe\U0010ffff", "⟨U+FDD0⟩⟨U+FFFE⟩⟨U+10FFFF⟩"},
		{"blank letters", "\u3164\u115f\u034f", "⟨U+3164⟩⟨U+115F⟩⟨U+034F⟩"},
		{"variation selector of an emoji", "❤\ufe0f", "❤\ufe0f"},
		{"second variation selector", "❤\ufe0f\ufe0f", "❤\ufe0f⟨U+FE0F⟩"},
		{"variation selector after a letter", "a\ufe0f", "a⟨U+FE0F⟩"},
		{"supplementary variation selector", "❤\U000e0100", "❤⟨U+E0100⟩"},
		{"invalid UTF-8", "a\xff\xc3", "a⟨0xFF⟩⟨0xC3⟩"},
		{"surrogate as UTF-8", "\xed\xa0\x80", "⟨0xED⟩⟨0xA0⟩⟨0x80⟩"},
		{"line feed, CR LF and tab", "a\nb\r\nc\td", "a↵b↵c⇥d"},
		{"lone carriage return", "a\rb", "a⟨U+000D⟩b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := text.Visible(tt.in, 100); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestVisible_Limit(t *testing.T) {
	for _, tt := range []struct {
		in    string
		limit int
		want  string
	}{
		{"0123456789", 10, "0123456789"},
		{"0123456789a", 10, "0123456789…"},
		{"éééé", 4, "éééé"},
		{"ééééé", 4, "éééé…"},
		{"ab\u202e", 10, "ab⟨U+202E⟩"},
		{"ab\u202e", 9, "ab…"}, // a notation is not split
		{"ab\u202ec", 10, "ab⟨U+202E⟩…"},
		{"👩\u200d💻", 3, "👩\u200d💻"},
		{"👩\u200d💻", 2, "👩…"}, // nor is a joined pair
		{"1\ufe0f\u20e3", 2, "1…"},
		{"a\n\nb", 3, "a↵↵…"},
		{"\xff\xff", 7, "⟨0xFF⟩…"},
		{"a", 0, "…"},
		{"", 0, ""},
		{"a", -1, "…"},
	} {
		if got := text.Visible(tt.in, tt.limit); got != tt.want {
			t.Errorf("Visible(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
		}
	}
}

// A description that was written in several lines is one line without signs for breaks;
// hidden characters are still shown.
func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"Adds a note.\n\n    Args:\r\n\tname: its name\n": "Adds a note. Args: name: its name",
		"a\u2028b\rc\u200b":      "a⟨U+2028⟩b⟨U+000D⟩c⟨U+200B⟩",
		"two  spaces\tand a tab": "two  spaces⇥and a tab",
		"":                       "", "\n \n": "",
	} {
		if got := text.Prose(in, 100); got != want {
			t.Errorf("Prose(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\tb\r\nc\x1b\r": "a\n\tb\nc⟨U+001B⟩⟨U+000D⟩",
		"a\u2028b":          "a⟨U+2028⟩b",
		"plain":             "plain",
	} {
		if got := text.Lines(in, 100); got != want {
			t.Errorf("Lines(%q) = %q, want %q", in, got, want)
		}
	}
	if got := text.Lines("a\nb\nc", 4); got != "a\nb\n…" {
		t.Errorf("cut: %q", got)
	}
}

func TestHidden(t *testing.T) {
	for in, want := range map[string][]rune{
		"plain\r\n\ttext ❤\ufe0f": nil,
		"a\u200bb\u202e\u200b":    {0x200b, 0x202e},
		"\xff\xfe":                {utf8.RuneError},
		"a\rb":                    {'\r'},

		"👩\u200d💻 👩🏽\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 ℹ\ufe0f": nil,
		"می\u200cخواهم क्\u200dष ශ්\u200dරී র\u200d্য":            nil, // Persian, Hindi, Sinhala, Bengali

		"👩\u200d\u200d💻":          {0x200d},
		"👩\u200cx":                {0x200c},
		"\u200d💻 💻\u200d":         {0x200d},
		"a\u200cb a\u200db":       {0x200c, 0x200d},
		"ی\u200ck क\u200cख\u200d": {0x200c, 0x200d},
		"ی\u200c\u061c":           {0x200c, 0x061c},
		"+\ufe0f 1\ufe0f2":        {0xfe0f},
		"❤\ufe0f\ufe0f":           {0xfe0f},
		"\u200bcd\u200f":          {0x200b, 0x200f},
	} {
		if got := text.Hidden(in); !slices.Equal(got, want) {
			t.Errorf("Hidden(%q) = %U, want %U", in, got, want)
		}
	}
}

func TestVisible_DoesNotAllocateForHarmlessText(t *testing.T) {
	for _, s := range []string{strings.Repeat("harmless ", 10), "état 中文"} {
		if n := testing.AllocsPerRun(100, func() { text.Visible(s, 200) }); n != 0 {
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a\u202eb", "❤\ufe0f\ufe0f", "\r\n\r", "\xff", "a\U000e0041b", "⟨U+202E⟩",
		"👩🏽\u200d💻", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3", "می\u200cخ", "ی\u200c\u061c",
	} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = min(max(limit, 0), 1<<16)
		for _, got := range []string{text.Visible(s, limit), text.Lines(s, limit)} {
			if !utf8.ValidString(got) || text.Hidden(got) != nil || utf8.RuneCountInString(got) > limit+1 {
				t.Errorf("%q, %d: %q", s, limit, got)
			}
			if again := text.Lines(got, 2*limit+1); again != got {
				t.Errorf("%q is shown as %q", got, again)
			}
		}
		if one := text.Visible(s, limit); strings.ContainsAny(one, "\n\r\t") {
			t.Errorf("%q is no single line: %q", s, one)
		}
	})
}

func TestPlural(t *testing.T) {
	for noun, want := range map[string][3]string{
		"round":    {"0 rounds", "1 round", "2 rounds"},
		"advisory": {"0 advisories", "1 advisory", "2 advisories"},
		"branch":   {"0 branches", "1 branch", "2 branches"},
	} {
		for n := range want {
			if got := text.Plural(n, noun); got != want[n] {
				t.Errorf("Plural(%d, %q) = %q", n, noun, got)
			}
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1024: "1 KiB", 1536: "1.5 KiB", 2048: "2 KiB",
		64 << 10: "64 KiB", 1<<20 - 1: "1 MiB", 1 << 20: "1 MiB", 5 << 19: "2.5 MiB",
		1<<30 - 1: "1 GiB", 5 << 30: "5 GiB", 1000 << 20: "1000 MiB",
	} {
		if got := text.Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		25 * time.Microsecond: "25 µs", 1300 * time.Microsecond: "1.3 ms", 250 * time.Millisecond: "250 ms",
		2 * time.Second: "2.0 s", 90 * time.Second: "90.0 s",
		1000 * time.Second: "16 min 40 s", 10000 * time.Second: "2 h 46 min",
	} {
		if got := text.Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func BenchmarkVisible(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":  strings.Repeat("harmless ", 20),
		"hidden": strings.Repeat("harm\u200bless ", 20),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				text.Visible(s, 1000)
			}
		})
	}
}
