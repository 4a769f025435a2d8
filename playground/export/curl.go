package export

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Mask names a text that stands for a secret of the user. Commands read the
// secret from the shell variable Name instead, TOKEN when Name is empty.
type Mask struct {
	Value, Name string
}

// maxArgument is the longest body handed to curl as an argument. Linux takes
// 128 KiB in one; a pipe has no limit.
const maxArgument = 64 << 10

// Curl is a command for a POSIX shell that sends the recorded request to url
// again: the same method, header fields in the same order, and the same body to
// the byte. Fields that curl makes itself (Host, Content-Length, Connection,
// Transfer-Encoding) are left to it; fields that curl would add are removed.
//
// Texts go in single quotes. What cannot be copied from a page (control
// characters, bytes that are no UTF-8) is spelled out in octal for printf; a
// body with such bytes is piped, because an argument cannot hold a NUL. The
// body is never read from a file, whatever it begins with.
func Curl(request wire.Frame, url string, masks ...Mask) string {
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

// urlFlags keep curl from reading patterns in an address, from tidying its
// path, and from any scheme but the two of MCP.
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

// methodFlag names the method where curl would not choose it itself.
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

// readHead is the method and the header lines that can be given to curl.
func readHead(head []byte) (string, []string) {
	lines := strings.Split(string(bytes.TrimRight(head, "\r\n")), "\r\n")
	method, _, _ := strings.Cut(lines[0], " ")
	var fields []string
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		if !ok || !wire.IsToken(name) || isSetByCurl(name) {
			continue // "@name" would be a file to curl
		}
		if strings.TrimSpace(value) == "" {
			line = name + ";" // curl's way to send an empty field
		}
		fields = append(fields, line)
	}
	return method, fields
}

// isSetByCurl reports whether curl makes the field itself.
func isSetByCurl(name string) bool {
	switch strings.ToLower(name) {
	case "host", "content-length", "connection", "transfer-encoding":
		return true
	}
	return false
}

// suppressed are the fields that curl adds and the recorded request did not have.
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

func isField(line, name string) bool {
	i := strings.IndexAny(line, ":;")
	return i >= 0 && strings.EqualFold(line[:i], name)
}
