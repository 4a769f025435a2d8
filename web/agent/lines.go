package agent

import (
	"context"
	"io"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// ServeLines serves the server for agents to one client over standard input and output, in
// local mode: each message is a visit of this machine.
func (s *Pages) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.host.ServeLines(ctx, s.instance(), options(), serve.Lines{
		In: in, Out: out,
		Begin: func(ctx context.Context) (context.Context, func()) {
			v := s.App.Visit(ctx, app.Request{
				Owner: app.Agent(usage.LocalWorkspace), Address: app.AddressOf("127.0.0.1"),
				Origin: s.App.BaseURL, Kind: app.AsGuest,
			})
			return v.Context(), v.EndTurn
		},
	})
}
