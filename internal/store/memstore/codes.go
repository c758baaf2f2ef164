package memstore

import "smsd/internal/sms"

// Codes is a [sms.Codes].
type Codes struct{ sms.Codes }

// NewCodes returns an empty one.
func NewCodes(o Options) *Codes { panic("unbuilt") }

// Save writes every verification that is not forgotten to path, replacing the file whole.
func (c *Codes) Save(path string) error { panic("unbuilt") }

// Load reads what Save wrote; a file that is missing is no error.
func (c *Codes) Load(path string) error { panic("unbuilt") }
