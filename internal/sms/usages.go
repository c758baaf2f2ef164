package sms

import (
	"slices"
	"time"

	"smsd/internal/throttle"
)

// limits tells of the limits on the phone.
func (sent *Sent) limits(quota *throttle.Reservation) {
	if quota != nil {
		sent.quota, sent.ResendIn = quota, roundUp(quota.Wait(), time.Second)
	}
}

// Usages returns the limits on the phone, alone or within its scene, for those who may see them.
func (sent Sent) Usages() []throttle.Usage {
	if sent.quota == nil {
		return nil
	}
	return slices.DeleteFunc(sent.quota.Usages(), func(u throttle.Usage) bool {
		return u.Mode != throttle.Enforce || !isPersonal(u.By)
	})
}

// isPersonal says whether a rule counts under the phone, and beside it under nothing but the scene: what else
// there is would tell an attacker what to change, and a scene's total is nobody's business.
func isPersonal(by []throttle.Kind) bool {
	for _, kind := range by {
		if kind != throttle.Phone && kind != throttle.Scene {
			return false
		}
	}
	return has(by, throttle.Phone)
}
