package gatewaytest

import (
	"bytes"
	"time"

	"smsd/internal/gateway"
)

// survivesGarbage: nothing that a body can be is read as a receipt, breaks the reader or holds it up.
func survivesGarbage(b receiptBench) []string {
	var found []string
	for name, body := range garbage {
		start := time.Now()
		receipts, faults, _ := b.read(b.bare(body))
		if len(receipts) != 0 {
			faults = append(faults, "is read as a receipt")
		}
		if took := time.Since(start); took > patience {
			faults = append(faults, "takes "+took.String())
		}
		for _, fault := range faults {
			found = append(found, name+": "+fault)
		}
	}
	return found
}

func (b receiptBench) bare(body []byte) gateway.Post {
	if b.harness.Bare != nil {
		return b.harness.Bare(b.t, body, arrival)
	}
	p, _ := b.harness.Call(b.t, 0, arrival)
	p.Body = body
	return p
}

var garbage = map[string][]byte{
	"nothing":           nil,
	"blanks":            []byte(" \r\n\t"),
	"a page":            []byte("<html><body>502 Bad Gateway</body></html>"),
	"null":              []byte("null"),
	"a number":          []byte("12"),
	"a text":            []byte(`"delivered"`),
	"no array":          []byte("{}"),
	"an empty array":    []byte("[]"),
	"an array of blank": []byte("[{}]"),
	"an array of none":  []byte(`[null,1,"x",[],true]`),
	"half an array":     []byte(`[{"success":true,"status":"delivered","report_status":"SUCCESS"`),
	"other types":       []byte(`[{"biz_id":{},"sid":[],"success":"yes","message_uuid":7,"status":{},"report_status":1}]`),
	"a long number":     []byte(`[{"sid":1e999999999,"sms_size":1e999999999}]`),
	"no UTF-8":          []byte("\xff\xfe\x00[{\xc3\x28}]"),
	"zeros":             make([]byte, 1<<12),
	"deep arrays":       bytes.Repeat([]byte("["), 1<<18),
	"deep objects":      bytes.Repeat([]byte(`{"a":`), 1<<16),
	"much":              bytes.Repeat([]byte("A"), 1<<20),
	"many parameters":   bytes.Repeat([]byte("a=b&"), 1<<16),
	"many elements":     append(bytes.Repeat([]byte("[],"), 1<<16), '[', ']'),
	"odd escapes":       []byte("%zz=%&=;MessageStatus"),
}
