package tencent

import (
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// reply is the vendor's answer: an Error of the whole call, or the state of each number. The rest, which repeats the
// number and words about it, is not read.
type reply struct {
	Response struct {
		Error         *struct{ Code string }
		SendStatusSet []struct{ Code, SerialNo string }
	}
}

// outcome says what an answer means: the code decides, whatever the status.
func outcome(a carrier.Answer) (gateway.Accepted, error) {
	var r reply
	if err := a.JSON(&r); err != nil {
		return gateway.Accepted{}, err
	}
	states := r.Response.SendStatusSet
	switch {
	case r.Response.Error != nil && len(states) == 0:
		return gateway.Accepted{}, failure(r.Response.Error.Code)
	case r.Response.Error != nil || len(states) != 1:
		return gateway.Accepted{}, a.Unclear("the answer does not tell the state of one message")
	case states[0].Code == "Ok" && a.OK():
		return gateway.Accepted{ProviderID: states[0].SerialNo}, nil
	}
	return gateway.Accepted{}, failure(states[0].Code)
}

func failure(code string) error {
	meaning := meaningOf(code)
	if meaning.reason == gateway.Ambiguous {
		return carrier.Untold(code)
	}
	refused := carrier.Refused(meaning.reason, code)
	refused.RetryAfter = meaning.wait
	return refused
}

// meaningOf returns the row of a code, or else that of its class, which is what stands before the dot.
func meaningOf(code string) meaning {
	if m, known := codes[code]; known {
		return m
	}
	class, _, _ := strings.Cut(code, ".")
	if m, known := codes[class]; known {
		return m
	}
	return ambiguous
}
