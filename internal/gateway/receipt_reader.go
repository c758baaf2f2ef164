package gateway

// ReceiptReader returns what reads the receipts of the named gateway; false: there is no such gateway, or its carrier reports
// nothing.
func (r *Router) ReceiptReader(name string) (ReceiptReader, bool) {
	l := r.lines[name]
	if l == nil {
		return nil, false
	}
	reader, reports := l.driver.(ReceiptReader)
	return reader, reports
}
