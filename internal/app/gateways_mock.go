package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/gateway/rehearsal"
)

func openMock(name string, _ config.Gateway) (gateway.Driver, error) {
	return mock.NewWith(mock.Options{Name: name}), nil
}

// openRehearsal opens the kind mock-VENDOR: the vendor's driver in front of the vendor's fake.
func openRehearsal(vendor string) func(string, config.Gateway) (gateway.Driver, error) {
	return func(name string, _ config.Gateway) (gateway.Driver, error) { return rehearsal.New(name, vendor) }
}

// shared returns the inbox that driver's messages land in: that of the drivers before it, if there is one, so that testers look
// into one inbox however many gateways there are. nil: there is none yet, and driver's messages are not for tests.
func shared(inbox *mock.Gateway, driver gateway.Driver) *mock.Gateway {
	own := inboxOf(driver)
	switch {
	case own == nil:
		return inbox
	case inbox == nil:
		return own
	}
	own.Join(inbox)
	return inbox
}

func inboxOf(driver gateway.Driver) *mock.Gateway {
	switch d := driver.(type) {
	case *mock.Gateway:
		return d
	case *rehearsal.Gateway:
		return d.Inbox()
	}
	return nil
}
