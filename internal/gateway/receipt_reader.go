package gateway

// ReceiptReader returns what reads the receipts of the named gateway; false: there is no such gateway, or its carrier reports
// nothing.
func (r *Router) ReceiptReader(name string) (ReceiptReader, bool) {
	for _, l := range r.lines {
		if l.name == name {
			reader, reports := l.driver.(ReceiptReader)
			return reader, reports
		}
	}
	return nil, false
}
