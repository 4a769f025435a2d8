package main

// limitsVariable is the environment twin of -limit.
const limitsVariable = "MRTR_LIMITS"

// patientLimits are an hour for each time that a test may meet by accident, on a machine
// that is slow or busy. A test that is about a limit sets it with -limit. TestMain gives
// them to every program that a test starts.
const patientLimits = "answer-dns=1h answer-connect=1h answer-tls=1h answer-first-byte=1h answer-total=1h " +
	"answer-idle=1h check-time=1h check-answer=1h experiment-time=1h rerun-time=1h agent-round=1h " +
	"command-time=1h command-exit=1h command-kill=1h command-read=1h drain=1h " +
	"request-head-time=1h request-time=1h request-idle=1h request-stall=1h"

// patient is the environment of a program that a test runs in its own process.
func patient(name string) string {
	if name == limitsVariable {
		return patientLimits
	}
	return ""
}
