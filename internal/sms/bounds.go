package sms

// Bounds of what a client sends, in bytes. What is longer is a mistake or an attack. Who reads requests goes
// by these, by [phone.MaxInput] for a number and by [throttle.MaxName] for a scene.
const (
	// MaxLocale is what RFC 5646, section 4.4.1, asks implementations to take at least.
	MaxLocale = 35
	// MaxDeviceID is several times what the identifiers of platforms take.
	MaxDeviceID = 128
	// MaxTypedCode is ten digits of four bytes each, the widest of Unicode, with room for separators.
	MaxTypedCode = 64
)
