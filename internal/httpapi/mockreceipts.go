package httpapi

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
)

// report answers POST /mock/receipts: the carrier of a message in the inbox reports on it, and the service is told as by any carrier.
func (s *admin) report(c echo.Context) error {
	var in mockReceiptRequest
	if err := c.Bind(&in); err != nil {
		return err
	}
	which, said, err := in.read()
	if err != nil {
		return err
	}
	ctx := contextOf(c)
	by, receipts, err := s.Mock.Report(ctx, which, said)
	if err != nil {
		return err
	}
	if err := s.Service.Receive(ctx, by, receipts); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// read returns which message is meant, and what is said of it.
func (in *mockReceiptRequest) read() (which mock.Filter, said gateway.Receipt, err error) {
	which.SMSID = in.SMSID
	said.State, said.Reason = gateway.ReceiptState(in.State), gateway.Reason(in.Reason)
	found := &bindError{}
	if in.Reason != "" && (said.State != gateway.Undelivered || !slices.Contains(gateway.Reasons(), said.Reason)) {
		found.add(atPointer("/reason", codeInvalid))
	}
	if in.At != "" {
		if said.At, err = time.Parse(time.RFC3339, in.At); err != nil {
			found.add(atPointer("/at", codeInvalid))
		}
	}
	if len(found.faults) > 0 {
		return which, said, found
	}
	if in.Phone != "" {
		which.Phone, err = phone.Parse(in.Phone, "")
	}
	return which, said, err
}
