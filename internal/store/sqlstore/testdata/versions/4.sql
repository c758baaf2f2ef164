-- What a database of version 4 may hold. HEX(...) stands for bytes as the dialect writes them.
INSERT INTO writers (writer, seq, at) VALUES ('writer-a', 7, 1796018400123);
INSERT INTO verifications (sms_id, app, scene, request_id, country, prefix, phone, host, network, device, sealed, policy_version, created_at, expires_at,
    gateway, delivery, segments, cost_micros, currency, delivered_at, verified_at, failed_at, failure, resends, resent_at, expired_at)
VALUES ('0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69', 'default', 'login', 'request-1', 'CN', '+861380013', HEX(01000000000000000000000000000000),
    HEX(02000000000000000000000000000000), HEX(03000000000000000000000000000000), NULL, HEX(01aabbccdd), 'v1', 1796018400123, 1796018700123,
    'main', 'accepted', 1, 45000, 'CNY', 1796018401000, 1796018402000, NULL, '', 2, 1796018403000, NULL);
INSERT INTO decisions (at, request_id, app, action, scene, outcome, sms_id, country, prefix, phone, host, network, device, rule, rule_used, rule_limit,
    shadow, gateway, policy_version, folded)
VALUES (1796018400123, 'request-1', 'default', 'send', 'login', 'rate_limited', '', 'CN', '+861380013', HEX(01000000000000000000000000000000), NULL, NULL, NULL,
    'login/hour', 4, 4, '["strict","new"]', '', 'v1', 17);
INSERT INTO api_keys (id, app, kind, name, origins, hint, hash, rotated, created_at, expires_at, revoked_at, last_used_at)
VALUES ('k_1', 'shop', 'pk', 'the shop', '["https://shop.example"]', 'x9Q2', HEX(0900000000000000000000000000000000000000000000000000000000000000), '',
    1796018400123, NULL, NULL, 1796018500000);
INSERT INTO idempotency (id, content, sms_id, answer, started_at, expires_at)
VALUES (HEX(0a000000000000000000000000000000), HEX(0b000000000000000000000000000000), '', HEX(ff), 1796018400123, 1796104800123);
INSERT INTO consumed_tokens (jti, app, consumed_at, expires_at) VALUES ('jti-1', 'default', 1796018400123, 1796018700123);
INSERT INTO verifications (sms_id, app, scene, request_id, country, prefix, policy_version, created_at, expires_at,
    gateway, delivery, segments, cost_micros, currency, verified_at, failure, resends, early_at)
VALUES ('5d9f0c3e-1b2a-4c7d-8e6f-a0b1c2d3e4f5', '', '', '', '', '', '', 1796018400123, 0, '', '', 0, 0, '', 1796018402000, '', 1, 1796018400123);
INSERT INTO handles (gateway, provider_id, sms_id, at, delivery, billed_segments, billed_cost_micros, billed_currency, delivered_at, failed_at, failure, failure_code)
VALUES ('main', 'early', '', 1796018400123, 'accepted', 2, 0, '', 1796018401000, NULL, '', ''),
    ('main', 'known', '0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69', 1796018400123, '', 0, 0, '', NULL, NULL, '', '');
