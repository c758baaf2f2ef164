package throttle_test

import (
	"fmt"
	"testing"
	"time"

	"smsd/internal/throttle"
)

const blockLength = 30 * time.Second

// onePer are rules of one send a minute for each subject of the kinds. Numbers are counted too, so that the deny cache
// takes no request for that of another number.
func onePer(t testing.TB, kinds ...throttle.Kind) *throttle.RuleSet {
	return compile(t, []throttle.Rule{
		{Name: "one", By: kinds, Limit: 1, Window: time.Minute},
		{Name: "many", By: []throttle.Kind{throttle.Phone}, Limit: 1000, Window: time.Minute},
	}, "login", "register")
}

// attack is the n-th number from one address and one device.
func attack(rules *throttle.RuleSet, n int) throttle.Request {
	subjects := append(subjectsOf(fmt.Sprintf("+86138%08d", n), "192.0.2.1"), throttle.Subject{Kind: throttle.Device, ID: "phone of a thief"})
	return throttle.Request{Rules: rules, Scene: "login", Subjects: subjects, Block: blockLength}
}

// hammer is refused times times, each time for another number.
func (w *denyWorld) hammer(t testing.TB, rules *throttle.RuleSet, times int) (last throttle.Decision) {
	t.Helper()
	for range times {
		w.numbers++
		last = w.refused(t, attack(rules, w.numbers))
	}
	return last
}
