package agent

// Store keeps what agents make.
type Store interface{}
