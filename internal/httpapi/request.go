package httpapi

// The bodies of requests. Lengths are bytes. A field that the domain bounds has the domain's bound
// ([phone.MaxInput], [throttle.MaxName], [sms.MaxLocale], [sms.MaxDeviceID], [sms.MaxTypedCode],
// [proof.MaxNonce], [proof.MaxToken]), and what
// openapi.json says is the same; a test holds both to it. The other bounds are several times what honest
// callers send; an address is at most 45 bytes of text (RFC 4291, section 2.2, form 3).

type sendRequest struct {
	Phone    string `json:"phone" validate:"required,bytes=64"`
	Scene    string `json:"scene" validate:"required,bytes=64"`
	Region   string `json:"region" validate:"omitempty,alpha,len=2"`
	Locale   string `json:"locale" validate:"omitempty,bytes=35,printascii"`
	DeviceID string `json:"device_id" validate:"omitempty,bytes=128,printascii"`
	ClientIP string `json:"client_ip" validate:"omitempty,bytes=45"`
}

type resendRequest struct {
	SMSID    string `json:"sms_id" validate:"required,bytes=64,printascii"`
	DeviceID string `json:"device_id" validate:"omitempty,bytes=128,printascii"`
	ClientIP string `json:"client_ip" validate:"omitempty,bytes=45"`
}

type verifyRequest struct {
	SMSID    string `json:"sms_id" validate:"required,bytes=64,printascii"`
	Code     string `json:"code" validate:"required,bytes=64"`
	Scene    string `json:"scene" validate:"bytes=64"`
	Phone    string `json:"phone" validate:"bytes=64"`
	ClientIP string `json:"client_ip" validate:"omitempty,bytes=45"`
	Nonce    string `json:"nonce" validate:"omitempty,bytes=128,printascii"`
}

type consumeRequest struct {
	Token    string `json:"token" validate:"required,bytes=4096"`
	Audience string `json:"audience" validate:"bytes=64"`
	Scene    string `json:"scene" validate:"bytes=64"`
	Nonce    string `json:"nonce" validate:"bytes=128"`
}

// The content of a request is what its body asks for. Where it came from is not in it, client_ip neither: who goes from
// one network to another repeats the same request, and to call that another one would make nobody safer. The locale
// is in it, since it is another message in another language, and so is the device, which limits count.

func (r *sendRequest) content() []string {
	return []string{r.Phone, r.Scene, r.Region, r.Locale, r.DeviceID}
}

func (r *resendRequest) content() []string { return []string{r.SMSID, r.DeviceID} }

func (r *verifyRequest) content() []string {
	return []string{r.SMSID, r.Code, r.Scene, r.Phone, r.Nonce}
}

type faultRequest struct {
	Fault string `json:"fault" validate:"required,bytes=64"`
	Phone string `json:"phone" validate:"bytes=64"`
	Times int64  `json:"times" validate:"min=0,max=1000"` // the inbox keeps as many
	Delay string `json:"delay" validate:"bytes=16"`
}

type mockReceiptRequest struct {
	SMSID  string `json:"sms_id" validate:"required_without=Phone,omitempty,bytes=64,printascii"`
	Phone  string `json:"phone" validate:"bytes=64"`
	State  string `json:"state" validate:"required,oneof=delivered undelivered"`
	Reason string `json:"reason" validate:"bytes=64"`
	At     string `json:"at" validate:"bytes=64"`
}

type clockRequest struct {
	Advance string `json:"advance" validate:"required,bytes=32"`
}
