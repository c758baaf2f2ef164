package aliyunfake

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Report is the vendor's later word on one message.
type Report struct {
	// OutID and BizID are those of the message: what it was sent with, and what the answer to it said.
	OutID, BizID string
	PhoneNumber  string
	// Code is why it was not delivered; "": it was.
	Code string
	// Parts is how many there were; 0: one.
	Parts int
	At    time.Time
}

// NewReceipts returns the call by which the vendor tells url of reports, all at once. It signs nothing: that it comes from the vendor
// is seen by what url ends in. It panics if url is none.
func NewReceipts(url string, reports ...Report) *http.Request {
	batch := []map[string]any{}
	for _, r := range reports {
		batch = append(batch, r.fields())
	}
	body, err := json.Marshal(batch)
	if err != nil { // strings and booleans always can be
		panic(err)
	}
	call, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic("aliyunfake: the URL is none")
	}
	call.Header.Set("Content-Type", "application/json;charset=utf-8")
	return call
}

// china is the vendor's clock.
var china = time.FixedZone("UTC+8", 8*60*60)

func (r Report) fields() map[string]any {
	at, code, words := r.At.In(china).Format(time.DateTime), r.Code, "用户接收失败"
	if code == "" {
		code, words = "DELIVERED", "用户接收成功"
	}
	return map[string]any{
		"phone_number": r.PhoneNumber, "send_time": at, "report_time": at, "success": r.Code == "", "err_code": code, "err_msg": words,
		"sms_size": strconv.Itoa(max(1, r.Parts)), "biz_id": r.BizID, "out_id": r.OutID,
	}
}
