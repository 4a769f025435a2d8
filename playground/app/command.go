package app

import (
	"context"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// noCommands are the commands of a program that was started with none.
type noCommands struct{}

func (noCommands) All() []server.Command                 { return nil }
func (noCommands) Command(string) (server.Command, bool) { return server.Command{}, false }
func (noCommands) Restart(context.Context, string)       {}
func (noCommands) Renew(context.Context, string)         {}

// HasCommand reports whether the program was started with the command that a target is,
// or the target is none.
func (s *App) HasCommand(t playground.Target) bool {
	_, known := s.Commands.Command(t.URL)
	return known || !t.IsCommand()
}

// unknownCommand is the refusal for a command that the program was not started with.
func unknownCommand() *Refusal {
	return Refuse(Invalid, string(wire.NoCommand),
		"This program was not started with this command.",
		"Nothing was sent. The recording is complete. To call the server again, "+
			"start mrtr-playground with -stdio and the same command.")
}
