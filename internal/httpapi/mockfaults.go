package httpapi

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
)

// faultAnswer is a fault that is set, with the number masked: the inbox alone shows numbers.
type faultAnswer struct {
	Fault string `json:"fault"`
	Phone string `json:"phone"` // "": any
	Times int    `json:"times"` // 0: until deleted
	Delay string `json:"delay"`
}

// faults answers GET /mock/faults.
func (s *admin) faults(c echo.Context) error {
	set := []faultAnswer{}
	for _, f := range s.Mock.Faults() {
		answer := faultAnswer{Fault: f.Kind, Times: f.Times, Delay: f.Delay.String()}
		if !f.Phone.IsZero() {
			answer.Phone = f.Phone.String()
		}
		set = append(set, answer)
	}
	return answer(c, http.StatusOK, map[string]any{"faults": set})
}

// setFault answers PUT /mock/faults.
func (s *admin) setFault(c echo.Context) error {
	var in faultRequest
	if err := c.Bind(&in); err != nil {
		return err
	}
	f, err := in.fault()
	if err != nil {
		return err
	}
	if err := s.Mock.SetFault(f); err != nil {
		return faultOf(err)
	}
	return c.NoContent(http.StatusNoContent)
}

func (in *faultRequest) fault() (f mock.Fault, err error) {
	f = mock.Fault{Kind: in.Fault, Times: int(in.Times)}
	if in.Phone != "" {
		if f.Phone, err = phone.Parse(in.Phone, ""); err != nil {
			return f, err
		}
	}
	if in.Delay != "" {
		if f.Delay, err = time.ParseDuration(in.Delay); err != nil {
			return f, &bindError{[]fault{atPointer("/delay", codeInvalid)}}
		}
	}
	return f, nil
}

// faultOf says in the words of a request what the mock gateway does not like.
func faultOf(err error) error {
	if e, ok := errors.AsType[*mock.FaultError](err); ok {
		found := atPointer("/"+e.Field, codeInvalid)
		if e.Field == "fault" {
			found.Known = mock.FaultKinds()
		}
		return &bindError{[]fault{found}}
	}
	return err
}

// clearFaults answers DELETE /mock/faults.
func (s *admin) clearFaults(c echo.Context) error {
	s.Mock.ClearFaults()
	return c.NoContent(http.StatusNoContent)
}
