package playground

// Cause is the reason why a response is a violation. It is more exact than the
// Class, which is the same for all of them, so that each cause can be held
// against the rule that judges it.
type Cause string

// Causes of OutcomeViolation.
const (
	// CauseBatch is an array in answer to a single request.
	CauseBatch Cause = "batch"
	// CauseNoResponse is a body that has neither result nor error.
	CauseNoResponse Cause = "no-response"
	// CauseBoth is a response with both a result and an error.
	CauseBoth Cause = "result-and-error"
	// CauseResponseID is a result with another id than the request.
	CauseResponseID Cause = "response-id"
	// CauseErrorID is an error with the id of another request. Errors about the
	// request itself may have no id.
	CauseErrorID Cause = "error-id"
	// CauseErrorShape is an error that is no object, or without an integer code
	// or a string message.
	CauseErrorShape Cause = "error-shape"
	// CauseResultObject is a result that is not an object.
	CauseResultObject Cause = "result-object"
	// CauseResultType is a resultType that is not a string.
	CauseResultType Cause = "result-type"
	// CauseResultTypeUnknown is a resultType that neither the protocol nor a
	// declared extension defines.
	CauseResultTypeUnknown Cause = "result-type-unknown"
	// CauseAskedWhere is input_required in answer to a method that does not
	// allow it.
	CauseAskedWhere Cause = "input-required-where"
	// CauseStateString is a requestState that is not a string.
	CauseStateString Cause = "state-string"
	// CauseRequestsObject is an inputRequests that is not an object.
	CauseRequestsObject Cause = "requests-object"
	// CauseNothingAsked is input_required with neither question nor state.
	CauseNothingAsked Cause = "nothing-asked"
	// CauseTaskWhere is a task in answer to anything but tools/call.
	CauseTaskWhere Cause = "task-where"
	// CauseTaskUndeclared is a task in answer to a request that did not declare
	// the tasks extension.
	CauseTaskUndeclared Cause = "task-undeclared"
	// CauseTaskID is a task without a taskId, which cannot be polled.
	CauseTaskID Cause = "task-id"
	// CauseTaskOther is the status of a task that was not requested.
	CauseTaskOther Cause = "task-other"
	// CauseTaskStatus is a task with a status that the extension does not
	// define.
	CauseTaskStatus Cause = "task-status"
	// CauseTaskRequests is a task with the status input_required whose
	// inputRequests is not an object.
	CauseTaskRequests Cause = "task-requests"
	// CauseTaskResult is a completed task without a result object.
	CauseTaskResult Cause = "task-result"
)

// Causes returns every Cause, in the order in which a response is read.
func Causes() []Cause {
	return []Cause{
		CauseBatch, CauseNoResponse, CauseBoth, CauseResponseID, CauseErrorID, CauseErrorShape,
		CauseResultObject, CauseResultType, CauseResultTypeUnknown,
		CauseAskedWhere, CauseStateString, CauseRequestsObject, CauseNothingAsked,
		CauseTaskWhere, CauseTaskUndeclared, CauseTaskID, CauseTaskOther, CauseTaskStatus,
		CauseTaskRequests, CauseTaskResult,
	}
}
