package tencentfake

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"
)

// Report is the vendor's later word on one message.
type Report struct {
	// SerialNo is the message's, by the answer to it.
	SerialNo string
	// SessionContext is what the message was sent with, which the vendor repeats for some accounts; "": it does not.
	SessionContext string
	// NationCode and Mobile are its number, as 86 and 13800138000.
	NationCode, Mobile string
	// Code is why it was not delivered; "": it was.
	Code string
	At   time.Time
}

// NewReceipts returns the call by which the vendor tells url of reports, all at once. It signs nothing: that it comes from the vendor
// is seen by what url ends in. It panics if url is none.
func NewReceipts(url string, reports ...Report) *http.Request {
	batch := []map[string]string{}
	for _, r := range reports {
		batch = append(batch, r.fields())
	}
	body, err := json.Marshal(batch)
	if err != nil { // strings always can be
		panic(err)
	}
	call, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic("tencentfake: the URL is none")
	}
	call.Header.Set("Content-Type", "application/json")
	return call
}

// china is the vendor's clock.
var china = time.FixedZone("UTC+8", 8*60*60)

func (r Report) fields() map[string]string {
	fields := map[string]string{
		"user_receive_time": r.At.In(china).Format(time.DateTime), "nationcode": r.NationCode, "mobile": r.Mobile,
		"report_status": "SUCCESS", "errmsg": "DELIVRD", "description": "用户短信送达成功", "sid": r.SerialNo,
	}
	if r.Code != "" {
		fields["report_status"], fields["errmsg"], fields["description"] = "FAIL", r.Code, "用户短信接收失败"
	}
	if r.SessionContext != "" {
		fields["ext"] = r.SessionContext
	}
	return fields
}
