package httpapi

import (
	"strings"
	"testing"
)

// What the domain logs of a request has the id that its client was told.
func TestTheDomainKnowsARequestByItsID(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	sent := a.sendTo("+8613800138000")
	id := sent.text("sms_id")
	for what, answer := range map[string]*reply{
		"send": sent, "resend": a.resend(id), "verify": a.verify(id, wrong(a.code(id))),
	} {
		told := 0
		for _, line := range strings.Split(a.log.String(), "\n") {
			if strings.Contains(line, `"request_id":"`+answer.header.Get("X-Request-Id")+`"`) && !strings.Contains(line, `"msg":"request"`) {
				told++
			}
		}
		if told == 0 {
			t.Errorf("%s: %d, and no line of the domain has its id:\n%s", what, answer.status, a.log)
		}
	}
}
