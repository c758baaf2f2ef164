-- +goose Up

-- What became known of a verification before its own row came, as when an instance has that in its spool, waits in a row of
-- its sms_id: early_at is when the first of it came, created_at the same, so that a row that never gets its rest is purged with
-- those of its time. No listing shows it. The verification fills the row in, and early_at is NULL then, as in every other one.
ALTER TABLE verifications ADD COLUMN early_at BIGINT;

-- The row of a client's X-Request-Id, for support.
CREATE INDEX verifications_request ON verifications (request_id);
