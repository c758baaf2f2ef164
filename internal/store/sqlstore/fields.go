package sqlstore

import (
	"time"

	"smsd/internal/records"
)

func text[T any](name string, of func(*T) *string) field[T] {
	return field[T]{column{name, textKind}, func(row *T) cell { return textCell{of(row)} }}
}

func whole[T any, N int | int64](name string, of func(*T) *N) field[T] {
	return field[T]{column{name, wholeKind}, func(row *T) cell { return wholeCell[N]{of(row)} }}
}

func instant[T any](name string, of func(*T) *time.Time) field[T] {
	return field[T]{column{name, wholeKind}, func(row *T) cell { return instantCell{of(row)} }}
}

func hash[T any](name string, of func(*T) *records.Hash) field[T] {
	return field[T]{column{name, bytesKind}, func(row *T) cell { return hashCell{of(row)} }}
}

func bytes[T any](name string, of func(*T) *[]byte) field[T] {
	return field[T]{column{name, bytesKind}, func(row *T) cell { return bytesCell{of(row)} }}
}

func list[T any](name string, of func(*T) *[]string) field[T] {
	return field[T]{column{name, textKind}, func(row *T) cell { return listCell{of(row)} }}
}

// whomFields are the hashes of who a row is about.
func whomFields[T any](of func(*T) *records.Whom) []field[T] {
	return []field[T]{
		hash("phone", func(row *T) *records.Hash { return &of(row).Phone }),
		hash("host", func(row *T) *records.Hash { return &of(row).Host }),
		hash("network", func(row *T) *records.Hash { return &of(row).Network }),
		hash("device", func(row *T) *records.Hash { return &of(row).Device }),
	}
}

// fateFields are what became of a message.
func fateFields[T any](of func(*T) *records.Fate) []field[T] {
	return append(receiptFields(of),
		text("gateway", func(row *T) *string { return &of(row).Gateway }),
		whole("segments", func(row *T) *int { return &of(row).Segments }),
		whole("cost_micros", func(row *T) *int64 { return &of(row).CostMicros }),
		text("currency", func(row *T) *string { return &of(row).Currency }),
		instant("verified_at", func(row *T) *time.Time { return &of(row).VerifiedAt }),
		whole("resends", func(row *T) *int { return &of(row).Resends }),
		instant("resent_at", func(row *T) *time.Time { return &of(row).ResentAt }),
		instant("expired_at", func(row *T) *time.Time { return &of(row).ExpiredAt }),
	)
}

// receiptFields are those of fateFields that receipts tell; [mergeReceipts] adds them up.
func receiptFields[T any](of func(*T) *records.Fate) []field[T] {
	return []field[T]{
		text("delivery", func(row *T) *string { return &of(row).Delivery }),
		whole("billed_segments", func(row *T) *int { return &of(row).Billed.Segments }),
		whole("billed_cost_micros", func(row *T) *int64 { return &of(row).Billed.CostMicros }),
		text("billed_currency", func(row *T) *string { return &of(row).Billed.Currency }),
		instant("delivered_at", func(row *T) *time.Time { return &of(row).DeliveredAt }),
		instant("failed_at", func(row *T) *time.Time { return &of(row).FailedAt }),
		text("failure", func(row *T) *string { return &of(row).Failure }),
		text("failure_code", func(row *T) *string { return &of(row).FailureCode }),
	}
}
