// Package lua embeds the scripts that run inside Redis. Each opens with its contract.
//
// All scripts agree on the first two arguments and the first two results:
//
//	ARGV[1]  now in ms since 1970, or 0 for the server's clock; a test's clock goes here
//	ARGV[2]  not_after in ms of the server's clock: later than that a script changes nothing and
//	         answers status -1; 0 for scripts that only read
//	[1]      status; what the others mean is each script's own
//	[2]      the server's clock in ms
//
// Where one of the results is a value, all of them are one text: one object for who reads it, and not five.
//
// A script reads the clock once, reads every key, checks and decides, and writes last, each key with one
// "SET key value PX ttl" (of a key that it has not read, with NX): Redis has no way back, so nothing may fail after the first write. A key
// that holds what no script has written (another type, another version, another length) is read as
// missing, and is overwritten by the next write.
package lua

import (
	"crypto/sha1" // what Redis calls a script by; no secret depends on it
	_ "embed"
	"encoding/hex"
)

// Script is the text of one script and the SHA-1 that EVALSHA knows it by.
type Script struct {
	Name string
	Text string
	SHA  string
}

// The parts that scripts begin with: the clock, the values' formats, and how a value is read.
var (
	//go:embed clock.lua
	clock string
	//go:embed counter_value.lua
	counterValue string
	//go:embed code_value.lua
	codeValue string
	//go:embed code_record.lua
	codeRecord string
)

// The parts of take, in the order in which they run; send, or code_compare and verify, come before the last one.
var (
	//go:embed take.lua
	take string
	//go:embed take_plain.lua
	takePlain string
	//go:embed take_cells.lua
	takeCells string
	//go:embed take_ask.lua
	takeAsk string
	//go:embed take_values.lua
	takeValues string
	//go:embed send.lua
	send string
	//go:embed verify.lua
	verify string
	//go:embed take_write.lua
	takeWrite string
)

//go:embed refund.lua
var refund string

//go:embed reset.lua
var reset string

//go:embed code_put.lua
var codePut string

//go:embed code_get.lua
var codeGet string

// The parts of code_verify, in the order in which they run; the second is verify's as well.
var (
	//go:embed code_verify.lua
	codeVerify string
	//go:embed code_compare.lua
	codeCompare string
)

//go:embed code_amend.lua
var codeAmend string

//go:embed code_delete.lua
var codeDelete string

//go:embed announce.lua
var announce string

//go:embed index.lua
var index string

//go:embed probe.lua
var probe string

// Scripts is every script. The zero value is none; see [Load].
type Scripts struct {
	Take, Send, Verify, Refund, Reset                   Script
	CodePut, CodeGet, CodeVerify, CodeAmend, CodeDelete Script
	Announce                                            Script
	Index, Probe                                        Script
}

// Load puts the scripts together.
func Load() Scripts {
	takeOther := "if not plain then\n" + counterValue + takeCells + takeAsk + takeValues + "end\n"
	compared := "if reply[1] == 1 then\n" + codeRecord + codeCompare + verify + "end\n"
	return Scripts{
		Take:       script("take", clock, take, takePlain, takeOther, takeWrite),
		Send:       script("send", clock, codeValue, take, takePlain, takeOther, send, takeWrite),
		Verify:     script("verify", clock, codeValue, take, takePlain, takeOther, compared, takeWrite),
		Refund:     script("refund", clock, counterValue, refund),
		Reset:      script("reset", clock, reset),
		CodePut:    script("code_put", clock, codeValue, codeRecord, codePut),
		CodeGet:    script("code_get", clock, codeValue, codeRecord, codeGet),
		CodeVerify: script("code_verify", clock, codeValue, codeRecord, codeVerify, codeCompare, "return answer\n"),
		CodeAmend:  script("code_amend", clock, codeValue, codeRecord, codeAmend),
		CodeDelete: script("code_delete", clock, codeDelete),
		Announce:   script("announce", clock, announce),
		Index:      script("index", clock, index),
		Probe:      script("probe", clock, probe),
	}
}

func script(name string, parts ...string) Script {
	var text string
	for _, part := range parts {
		text += part
	}
	sum := sha1.Sum([]byte(text))
	return Script{Name: name, Text: text, SHA: hex.EncodeToString(sum[:])}
}
