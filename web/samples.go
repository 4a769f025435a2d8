package web

import (
	"net"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
	startview "github.com/mrtr-playground/mrtr-playground/views/start"
)

// StartLines returns samples as the pages list them.
func StartLines(list []sampletools.Sample) []startview.Line {
	lines := make([]startview.Line, len(list))
	for i, x := range list {
		lines[i] = StartLine(x)
	}
	return lines
}

// StartLine returns a sample as the pages list it.
func StartLine(x sampletools.Sample) startview.Line {
	line := startview.Line{Slug: x.Slug, Title: x.Title, Group: x.Group, Summary: x.Summary}
	if x.Start.Method != "" {
		line.Label = x.Start.Label
	}
	return line
}

// OptionLines returns the parameters of a sample's URL.
func OptionLines(x sampletools.Sample) []serverview.OptionLine {
	var lines []serverview.OptionLine
	for _, o := range x.Options {
		lines = append(lines, serverview.OptionLine{
			Name: o.Name, Values: strings.Join(o.Values, ", "), Meaning: o.Meaning,
		})
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
		return paths.Flow(id)
	}
	return ""
}
