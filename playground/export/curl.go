package export

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Mask is a text that replaces a secret of the user. Commands read the secret
// from the shell variable Name, or TOKEN if Name is empty.
type Mask struct {
	Value, Name string
}

// maxArgument is the size of the largest body passed to curl as an argument.
// Linux allows 128 KiB for one argument; a pipe has no limit.
const maxArgument = 64 << 10

// Curl returns a command for a POSIX shell that sends the recorded request to
// url again: the same method, the same header fields in the same order, and
// exactly the same body. It returns "" for a line of standard input, which curl cannot
// send. Host, Content-Length, Connection and Transfer-Encoding
// are left to curl; other fields that curl would add are suppressed.
//
// Texts are in single quotes. What cannot be copied from a page (control
// characters, bytes that are not UTF-8) is written in octal for printf. A body
// with such bytes is piped, because an argument cannot contain NUL. The body is
// never read from a file, whatever it begins with.
func Curl(request wire.Frame, url string, masks ...Mask) string {
	if request.IsLine() {
		return ""
	}
	s := newShell(masks)
	method, fields := readHead(request.Head)
	args := []string{"curl --http1.1 -iN" + urlFlags(url)}
	if flag := methodFlag(method, request.Body); flag != "" {
		args = append(args, flag)
	}
	sends := method == "POST" || len(request.Body) > 0
	for _, line := range slices.Concat(fields, suppressed(fields, sends)) {
		args = append(args, "-H "+s.word([]byte(line)))
	}
	pipe := ""
	switch body := request.Body; {
	case !sends:
	case s.plain(body) && len(body) <= maxArgument:
		args = append(args, "--data-raw "+s.word(body))
	default:
		pipe = s.printf(body) + " | "
		args = append(args, "--data-binary @-")
	}
	return pipe + strings.Join(append(args, s.word([]byte(url))), " \\\n  ")
}

// urlFlags returns the flags that stop curl from expanding patterns in a URL,
// from normalizing its path, and from using any scheme but http and https.
func urlFlags(url string) string {
	flags := ""
	if strings.ContainsAny(url, "[]{}") {
		flags += " --globoff"
	}
	if strings.Contains(url, "/.") {
		flags += " --path-as-is"
	}
	lower := strings.ToLower(url)
	if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") {
		flags += " --proto =http,https --proto-default https"
	}
	return flags
}

// methodFlag returns the flag for the method, or "" if curl chooses it by
// default.
func methodFlag(method string, body []byte) string {
	implied := "POST"
	if len(body) == 0 && method != "POST" {
		implied = "GET"
	}
	if method == implied || !wire.IsToken(method) {
		return ""
	}
	return "-X " + method
}

// readHead returns the method and the header lines to pass to curl.
func readHead(head []byte) (string, []string) {
	lines := strings.Split(string(bytes.TrimRight(head, "\r\n")), "\r\n")
	method, _, _ := strings.Cut(lines[0], " ")
	var fields []string
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		if !ok || !wire.IsToken(name) || isSetByCurl(name) {
			continue // curl would read "@name" from a file
		}
		if strings.TrimSpace(value) == "" {
			line = name + ";" // curl sends an empty field for this
		}
		fields = append(fields, line)
	}
	return method, fields
}

// isSetByCurl reports whether curl sets the header field itself.
func isSetByCurl(name string) bool {
	switch strings.ToLower(name) {
	case "host", "content-length", "connection", "transfer-encoding":
		return true
	}
	return false
}

// suppressed returns the header arguments that remove fields which curl adds
// and the recorded request does not have.
func suppressed(fields []string, sends bool) []string {
	added := []string{"User-Agent", "Accept"}
	if sends {
		added = append(added, "Content-Type")
	}
	var lines []string
	for _, name := range added {
		if !slices.ContainsFunc(fields, func(line string) bool { return isField(line, name) }) {
			lines = append(lines, name+":")
		}
	}
	return lines
}

// isField reports whether a header line is a field of this name.
func isField(line, name string) bool {
	i := strings.IndexAny(line, ":;")
	return i >= 0 && strings.EqualFold(line[:i], name)
}
