package carrier

import "strings"

// SignFault says what the signature (签名) of a gateway's settings must be; "" if it is that, or is left out. Carriers that keep
// signatures know them without the brackets that stand round them in a message, and refuse every other.
func SignFault(sign string) string {
	if strings.ContainsAny(sign, "【】") {
		return "must not hold 【 or 】: the carrier puts them there"
	}
	return ""
}
