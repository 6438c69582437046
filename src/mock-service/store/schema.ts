import type { TableSet } from '../../mock/index.ts';

/**
 * The service's tables. Instants are milliseconds, lists are separated by spaces, secrets are hashes.
 * A registration carries its current claim attempt and its delivery: there is never a second one.
 */
export const SERVICE_SCHEMA: TableSet = {
  name: 'service',
  statements: [
    `CREATE TABLE users (
        id TEXT PRIMARY KEY,
        email TEXT UNIQUE,
        phone TEXT UNIQUE,
        name TEXT,
        provisioned_by TEXT,
        created_at BIGINT NOT NULL,
        signed_in_at BIGINT,
        link_reviewed_at BIGINT
      )`,
    `CREATE TABLE registrations (
        id TEXT PRIMARY KEY,
        type TEXT NOT NULL,
        needs_claim INTEGER NOT NULL,
        created_at BIGINT NOT NULL,
        window_ends_at BIGINT NOT NULL,
        purge_at BIGINT,
        claim_token_hash TEXT UNIQUE,
        claimed_at BIGINT,
        revoked_at BIGINT,
        email TEXT,
        user_id TEXT,
        version INTEGER NOT NULL,
        pre_claim_scopes TEXT NOT NULL,
        post_claim_scopes TEXT NOT NULL,
        resource TEXT,
        -- what the agent calls itself: its own words, as they were sent
        agent_name TEXT,
        wrong_codes INTEGER NOT NULL,
        issuer TEXT,
        tenant TEXT,
        subject TEXT,
        id_jag_issued_at BIGINT,
        attempt_id TEXT,
        attempt_token_hash TEXT UNIQUE,
        attempt_code_hmac TEXT,
        attempt_expires_at BIGINT,
        attempt_interval BIGINT,
        attempt_last_poll_at BIGINT,
        attempt_wrong_codes INTEGER,
        attempt_denied_at BIGINT,
        -- of an attempt whose code the page shows: when its user confirmed it, and with which account
        attempt_confirmed_at BIGINT,
        attempt_confirmed_by TEXT,
        delivery_first_at BIGINT,
        delivery_jti TEXT,
        delivery_issued_at BIGINT,
        delivery_expires_at BIGINT,
        delivery_token_hash TEXT
      )`,
    'CREATE INDEX registrations_subject ON registrations (issuer, subject, tenant)',
    'CREATE INDEX registrations_user ON registrations (user_id)',
    'CREATE INDEX registrations_email ON registrations (email)',
    'CREATE INDEX registrations_purge ON registrations (purge_at)',
    `CREATE TABLE access_tokens (
        hash TEXT PRIMARY KEY,
        registration_id TEXT NOT NULL,
        scopes TEXT NOT NULL,
        resource TEXT NOT NULL,
        id_jag_issued_at BIGINT,
        expires_at BIGINT NOT NULL
      )`,
    'CREATE INDEX access_tokens_registration ON access_tokens (registration_id)',
    'CREATE INDEX access_tokens_expiry ON access_tokens (expires_at)',
    // Assertions that rest on an ID-JAG: an event can end some of them and leave others (wire contract §7).
    `CREATE TABLE assertions (
        jti TEXT PRIMARY KEY,
        registration_id TEXT NOT NULL,
        id_jag_issued_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL
      )`,
    'CREATE INDEX assertions_registration ON assertions (registration_id, id_jag_issued_at)',
    'CREATE INDEX assertions_expiry ON assertions (expires_at)',
    `CREATE TABLE used_jtis (
        kind TEXT NOT NULL,
        issuer TEXT NOT NULL,
        jti TEXT NOT NULL,
        expires_at BIGINT NOT NULL,
        PRIMARY KEY (kind, issuer, jti)
      )`,
    'CREATE INDEX used_jtis_expiry ON used_jtis (expires_at)',
    `CREATE TABLE subject_revocations (
        issuer TEXT NOT NULL,
        subject TEXT NOT NULL,
        revoked_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        PRIMARY KEY (issuer, subject)
      )`,
    'CREATE INDEX subject_revocations_expiry ON subject_revocations (expires_at)',
    `CREATE TABLE rate_counters (
        bucket TEXT PRIMARY KEY,
        count INTEGER NOT NULL,
        expires_at BIGINT NOT NULL
      )`,
    'CREATE INDEX rate_counters_expiry ON rate_counters (expires_at)',
    'CREATE INDEX registrations_latest ON registrations (created_at DESC, id)',
    // A spent one stays until it expires: whoever sends it then has a copy (RFC 9700 §4.14.2).
    `CREATE TABLE refresh_tokens (
        hash TEXT PRIMARY KEY,
        registration_id TEXT NOT NULL,
        id_jag_issued_at BIGINT,
        issued_at BIGINT NOT NULL,
        spent_at BIGINT,
        expires_at BIGINT NOT NULL
      )`,
    'CREATE INDEX refresh_tokens_registration ON refresh_tokens (registration_id)',
    'CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at)',
    // A mailbox: what was sent can be read, codes and links too.
    `CREATE TABLE mails (
        seq BIGINT PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        registration_id TEXT NOT NULL,
        sent_to TEXT NOT NULL,
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        user_code TEXT,
        link TEXT,
        sent_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL
      )`,
    'CREATE INDEX mails_recipient ON mails (sent_to, seq DESC)',
    'CREATE INDEX mails_expiry ON mails (expires_at)',
    // One row, once a call of the directory was counted or a control changed its services, as JSON.
    `CREATE TABLE directory (
        id INTEGER PRIMARY KEY,
        served BIGINT NOT NULL,
        configuration TEXT,
        services TEXT
      )`,
  ],
};

/** Every table of the service that fills with what agents and users do. */
export const SERVICE_TABLES = [
  'users',
  'registrations',
  'access_tokens',
  'assertions',
  'refresh_tokens',
  'used_jtis',
  'subject_revocations',
  'rate_counters',
  'mails',
  'directory',
] as const;
