package sampletools

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/sampletools/serve"
)

// orderRequest is the body of POST /orders: the order, and on the retry the
// answer and the state.
type orderRequest struct {
	order
	Answer string `json:"answer"`
	State  string `json:"state"`
}

// orderResponse is a final result or a question.
type orderResponse struct {
	Status   string   `json:"status"` // complete, input_required or error
	Message  string   `json:"message"`
	Question *factorQ `json:"question,omitempty"`
	State    string   `json:"state,omitempty"`
}

type factorQ struct {
	Text    string   `json:"text"`
	Choices []string `json:"choices"`
}

// api serves the same checkout without MCP. The pattern needs no protocol, only
// a state that the caller sends back and cannot change.
func (s checkoutService) api() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		res, err := s.answerOrder(http.MaxBytesReader(w, r.Body, serve.MaxBody))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			res = orderResponse{Status: "error", Message: err.Error()}
		}
		// Write errors are ignored: the client is gone.
		_ = json.NewEncoder(w).Encode(res)
	})
	return mux
}

// answerOrder answers one request: with the result, or with the question and a
// state.
func (s checkoutService) answerOrder(body io.Reader) (orderResponse, error) {
	var in orderRequest
	if err := json.NewDecoder(body).Decode(&in); err != nil {
		return orderResponse{}, errors.New("the body is not an order")
	}
	if err := in.check(); err != nil {
		return orderResponse{}, err
	}
	if in.Amount < secondFactorFrom {
		return orderResponse{Status: "complete", Message: in.done()}, nil
	}
	about, err := in.request()
	if err != nil {
		return orderResponse{}, err
	}
	if in.State == "" {
		return s.question(in.order, about)
	}
	return s.settle(in, about)
}

// request binds the state to this order, as an MCP state is bound to its call.
func (o order) request() (seal.Request, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return seal.Request{}, err
	}
	digest, err := seal.Digest(b)
	return seal.Request{Sample: "checkout", Method: "POST", Name: "/orders", Arguments: digest,
		Principal: "anonymous"}, err
}

func (s checkoutService) question(o order, about seal.Request) (orderResponse, error) {
	f, err := newFactor(s.Rand)
	if err != nil {
		return orderResponse{}, err
	}
	work, err := json.Marshal(f)
	if err != nil {
		return orderResponse{}, err
	}
	now := s.Now()
	state, err := s.Keys.Seal(seal.Sealed, seal.Claims{
		Issued: now.Unix(), Expires: now.Add(defaultTTL).Unix(), Request: about, Work: work,
	})
	return orderResponse{
		Status: "input_required", Message: "A second factor is needed.",
		Question: &factorQ{f.message(o), f.Choices}, State: state,
	}, err
}

// settle completes a retry, whose state must fit its order.
func (s checkoutService) settle(in orderRequest, about seal.Request) (orderResponse, error) {
	c, err := s.Keys.Open(in.State, seal.Sealed, about, s.Now())
	var refusal *seal.Refusal
	if errors.As(err, &refusal) {
		return orderResponse{}, errors.New(refusal.Public())
	}
	if err != nil {
		return orderResponse{}, err
	}
	var f factor
	if err := json.Unmarshal(c.Work, &f); err != nil {
		return orderResponse{}, err
	}
	if in.Answer != f.Number {
		return orderResponse{Status: "complete",
			Message: "Nothing was ordered: the number does not match."}, nil
	}
	return orderResponse{Status: "complete", Message: in.done() + " The second factor matched."}, nil
}
