package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// askTime is how long a replica waits for the reply of another one. A letter that
// is older is not read any more.
const askTime = 10 * time.Second

// askPoll is how often a reply is looked for without a notification.
const askPoll = 500 * time.Millisecond

// Answer handles what another replica asks about id, which this one holds, and
// returns the reply.
type Answer func(ctx context.Context, id string, message []byte) (reply []byte)

// Serve makes the replica answer what others ask, until it leaves. It must be
// called once.
func (r *Replica) Serve(answer Answer) {
	r.wg.Go(func() {
		for r.ctx.Err() == nil {
			arrived, stop := r.bus.subscribe(letterTopic(r.id))
			if err := r.readLetters(answer); err != nil && r.ctx.Err() == nil {
				r.server.logger.Warn("read letters", "err", err)
			}
			select {
			case <-arrived:
			case <-time.After(slowPoll):
			case <-r.ctx.Done():
			}
			stop()
		}
	})
}

func letterTopic(holder string) string { return "letter:" + holder }

func replyTopic(letter string) string { return "reply:" + letter }

// letter is a message of one replica to another.
type letter struct {
	id, subject string
	body        []byte
}

// readLetters answers each letter once.
func (r *Replica) readLetters(answer Answer) error {
	rows, err := r.server.write.QueryContext(r.ctx,
		`UPDATE letter SET taken = 1
		 WHERE holder = ? AND taken = 0 AND created > clock_timestamp() - make_interval(secs => ?)
		 RETURNING id, subject, body`, r.id, askTime.Seconds())
	if err != nil {
		return Failed("read letters", err)
	}
	defer rows.Close()
	for rows.Next() {
		var l letter
		if err := rows.Scan(&l.id, &l.subject, &l.body); err != nil {
			return Failed("read letters", err)
		}
		r.wg.Go(func() { r.reply(l, answer) })
	}
	return Failed("read letters", rows.Err())
}

func (r *Replica) reply(l letter, answer Answer) {
	reply := answer(r.ctx, l.subject, l.body)
	_, err := r.server.write.ExecContext(context.WithoutCancel(r.ctx),
		`UPDATE letter SET reply = ? WHERE id = ?`, reply, l.id)
	if err != nil {
		r.server.logger.Warn("answer letter", "err", err)
	}
	r.bus.publish(replyTopic(l.id))
}

// Ask passes a message to the replica that holds id and returns its reply. The
// error is playground.ErrNotFound if no other replica holds id, and
// playground.ErrStorage if the holder gives no reply in 10 seconds; then it is
// not known whether it has got the message.
func (r *Replica) Ask(ctx context.Context, id string, message []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	l := letter{rand.Text(), id, message}
	var holder string
	err := r.server.write.QueryRowContext(ctx,
		`INSERT INTO letter (id, holder, subject, body, created)
		 SELECT ?, l.holder, l.id, ?, clock_timestamp() FROM lease l
		 WHERE id = ? AND holder <> ? AND `+alive+`
		 RETURNING holder`, l.id, l.body, id, r.id).Scan(&holder)
	if err != nil {
		return nil, Failed("ask", missing(err))
	}
	defer func() {
		after := context.WithoutCancel(ctx)
		_, err := r.server.write.ExecContext(after, `DELETE FROM letter WHERE id = ?`, l.id)
		if err != nil {
			r.server.logger.Warn("delete letter", "err", err)
		}
	}()
	for {
		arrived, stop := r.bus.subscribe(replyTopic(l.id))
		if holder != "" {
			r.bus.publish(letterTopic(holder))
			holder = ""
		}
		reply, err := r.readReply(ctx, l.id)
		if reply != nil || err != nil {
			stop()
			return reply, err
		}
		select {
		case <-arrived:
		case <-time.After(askPoll):
		case <-ctx.Done():
		}
		stop()
	}
}

// readReply returns the reply to a letter, or nil while there is none.
func (r *Replica) readReply(ctx context.Context, id string) ([]byte, error) {
	var reply []byte
	err := r.server.read.QueryRowContext(ctx, `SELECT reply FROM letter WHERE id = ?`, id).Scan(&reply)
	if err != nil && ctx.Err() != nil {
		err = errors.Join(playground.ErrStorage, errNoReply)
	}
	return reply, Failed("ask", missing(err))
}

var errNoReply = errors.New("the process that runs this does not answer")
