package web

import (
	"net"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// StartLines returns samples as the pages list them.
func StartLines(list []sampletools.Sample) []views.StartLine {
	lines := make([]views.StartLine, len(list))
	for i, x := range list {
		lines[i] = StartLine(x)
	}
	return lines
}

// StartLine returns a sample as the pages list it.
func StartLine(x sampletools.Sample) views.StartLine {
	line := views.StartLine{Slug: x.Slug, Title: x.Title, Group: x.Group, Summary: x.Summary}
	if x.Start.Method != "" {
		line.Label = x.Start.Label
	}
	return line
}

// OptionLines returns the parameters of a sample's URL.
func OptionLines(x sampletools.Sample) []views.OptionLine {
	var lines []views.OptionLine
	for _, o := range x.Options {
		lines = append(
			lines, views.OptionLine{Name: o.Name, Values: strings.Join(o.Values, ", "), Meaning: o.Meaning},
		)
	}
	return lines
}

// Sample passes a request of another program to the samples, which see the
// address of the client and not that of a proxy.
func (s *App) Sample(r *Request) error {
	r.RemoteAddr = net.JoinHostPort(r.ClientIP(), "0")
	s.SampleMCP.ServeHTTP(r.Writer, r.Request)
	return nil
}

// FlowPage returns the path of the page of a flow whose maker asks, or "".
func (s *App) FlowPage(r *Request, x sampletools.Sample) string {
	if id := s.OwnFlow(r.Visit, x); id != "" {
		return views.FlowPath(id)
	}
	return ""
}
