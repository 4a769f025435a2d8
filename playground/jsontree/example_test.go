package jsontree_test

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// A retry is the original call with two more members; nothing else changes.
func ExampleSet() {
	params := []byte(`{"arguments": {"amount": 10.00, "amount": 1e2}}`)
	retry, err := jsontree.Set(params,
		jsontree.Pair{Key: "inputResponses", Value: []byte(`{"confirm":{}}`)},
		jsontree.Pair{Key: "requestState", Value: jsontree.Quote("opaque")})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(retry))

	before, _ := jsontree.Parse(params, jsontree.Limits{})
	after, _ := jsontree.Parse(retry, jsontree.Limits{})
	for _, c := range jsontree.Diff(before, after) {
		fmt.Println(c.Kind, jsontree.Pointer(c.Path...))
	}
	fmt.Println(after.Duplicates())
	// Output:
	// {"arguments": {"amount": 10.00, "amount": 1e2},"inputResponses":{"confirm":{}},"requestState":"opaque"}
	// added /inputResponses
	// added /requestState
	// [/arguments/amount]
}
