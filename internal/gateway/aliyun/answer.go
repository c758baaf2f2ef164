package aliyun

import (
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// reply is the vendor's answer. Message may hold the number, so it is read and never told.
type reply struct{ Code, Message, BizID string }

// outcome says what an answer means: the code decides, whatever the status.
func outcome(a carrier.Answer) (gateway.Accepted, error) {
	var r reply
	if err := a.JSON(&r); err != nil {
		return gateway.Accepted{}, err
	}
	if r.Code == "OK" && a.OK() {
		return gateway.Accepted{ProviderID: r.BizID}, nil
	}
	meaning, known := codes[r.Code]
	if !known || meaning.reason == gateway.Ambiguous {
		return gateway.Accepted{}, carrier.Untold(r.Code)
	}
	refused := carrier.Refused(meaning.reason, r.Code)
	if meaning.reason == gateway.Throttled {
		refused.RetryAfter = meaning.wait
		if refused.RetryAfter == 0 {
			refused.RetryAfter = wait(r.Message)
		}
	}
	return gateway.Accepted{}, refused
}

// waits are the words by which BUSINESS_LIMIT_CONTROL says which of the limits on the number it was, as 触发小时级流控Permits:5.
// Each limit is over any stretch of that length (cnblogs.com/papering/p/9281283.html quotes the vendor, 8 July 2018), so after
// it the message surely passes; when it would pass at the earliest the vendor does not say.
var waits = []struct {
	word string
	wait time.Duration
}{
	{"分钟", time.Minute},
	{"小时", time.Hour},
	{"天", 24 * time.Hour},
}

// wait returns how long the limit that message names lasts; 0 if it names none.
func wait(message string) time.Duration {
	for _, w := range waits {
		if strings.Contains(message, w.word) {
			return w.wait
		}
	}
	return 0
}
