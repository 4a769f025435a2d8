package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/mock"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// ServeLines answers a client that writes one message a line, until its input or ctx ends
// (basic/transports/stdio). Answers that wait for the client do not hold up others.
func (s *Endpoint) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	l := &lineClient{endpoint: s, out: out}
	lines, ended := make(chan []byte), make(chan error, 1)
	go func() { ended <- readLines(ctx, in, lines) }() // nothing ends a read that is under way
	err := l.readAll(ctx, lines, ended)
	cancel()
	l.running.Wait()
	return errors.Join(err, l.err)
}

// readAll reads lines until they or ctx end.
func (l *lineClient) readAll(ctx context.Context, lines <-chan []byte, ended <-chan error) error {
	for {
		select {
		case line := <-lines:
			l.read(ctx, line)
		case err := <-ended:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// readLines passes on each line that has something in it; nil for one that is too long.
func readLines(ctx context.Context, in io.Reader, lines chan<- []byte) error {
	buffered := bufio.NewReader(in)
	for {
		line, err := readLine(buffered)
		if line == nil || len(line) > 0 {
			select {
			case lines <- line:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read lines: %w", err)
		}
	}
}

// readLine returns the next line without the white space around it; nil if it is too long.
func readLine(in *bufio.Reader) (line []byte, err error) {
	line = []byte{}
	for {
		part, err := in.ReadSlice('\n')
		if line != nil {
			line = append(line, part...)
		}
		if len(line) > MaxBody {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if trimmed := bytes.TrimSpace(line); line != nil && len(trimmed) > 0 {
				return trimmed, err
			}
			return line[:0], err // nil stays nil
		}
	}
}

// lineClient is a client that writes lines.
type lineClient struct {
	endpoint *Endpoint
	running  sync.WaitGroup
	mu       sync.Mutex // guards out and err
	out      io.Writer
	err      error
}

func (l *lineClient) read(ctx context.Context, line []byte) {
	message, err := jsontree.Parse(line, jsontree.Limits{})
	switch {
	case line == nil:
		l.write(own(413, "A recording reads lines of at most "+text.Size(MaxBody)+".").Body)
		return
	case err != nil || message.Kind != jsontree.Object || !message.Has("method") && !mock.IsAnswer(message):
		l.write(own(400, "This line is no message of JSON-RPC.").Body)
		return
	}
	s := l.endpoint
	if mock.IsAnswer(message) {
		s.answer(message)
		return
	}
	f, miss := s.Recording.Find(message)
	if miss != nil {
		if message.Has("id") {
			reply := s.Recording.Refuse(miss, message.Get("id"))
			s.note(message.Get("method").Str(), reply)
			l.write(reply.Body)
		}
		return
	}
	reply, err := s.reply(ctx, f)
	if err != nil {
		reply = own(503, "The recording cannot be read now. Try again.")
	}
	s.note(message.Get("method").Str(), reply)
	if !message.Has("id") {
		return
	}
	l.running.Go(func() { l.answer(ctx, reply) })
}

// answer writes what was recorded, a message a line. A request is never left without a response
// that the recorded one got.
func (l *lineClient) answer(ctx context.Context, reply mock.Reply) {
	answered := l.write(reply.Body)
	for _, e := range reply.Events {
		why, err := l.endpoint.send(ctx, e, func() error {
			answered = l.write(e.Data) && e.Awaits == "" || answered
			return nil
		})
		if err != nil {
			return
		}
		if why != "" {
			l.write(l.endpoint.Recording.RefuseAnswer(why, reply.ID).Body)
			return
		}
	}
	if !answered && reply.End != mock.Open {
		l.write(l.endpoint.Recording.RefuseAnswer(
			fmt.Sprintf("The recorded answer has no message, HTTP status %d.", reply.Status), reply.ID).Body)
	}
}

// write writes a message as one line, and reports whether there is one.
func (l *lineClient) write(message []byte) bool {
	if bytes.ContainsAny(message, "\r\n") {
		message = jsontree.Compact(message)
	}
	if len(message) == 0 || bytes.ContainsAny(message, "\r\n") {
		return false // it is no JSON
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.out.Write(append(bytes.Clone(message), '\n')); err != nil {
		l.err = errors.Join(l.err, err)
	}
	return true
}
