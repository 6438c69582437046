import type { TableSet } from '../../mock/index.ts';

/**
 * The provider's tables. Instants are milliseconds, lists are separated by spaces, codes are hashes.
 * A list that is NULL is open: whatever the service grants.
 */
export const PROVIDER_SCHEMA: TableSet = {
  name: 'provider',
  statements: [
    `CREATE TABLE provider_users (
        email TEXT PRIMARY KEY,
        email_verified INTEGER NOT NULL,
        name TEXT,
        phone TEXT,
        tenant TEXT,
        created_at BIGINT NOT NULL
      )`,
    `CREATE TABLE device_codes (
        device_code_hash TEXT PRIMARY KEY,
        user_code_hmac TEXT NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        audience TEXT,
        audience_scopes TEXT,
        expires_at BIGINT NOT NULL,
        purge_at BIGINT NOT NULL,
        poll_interval BIGINT NOT NULL,
        last_poll_at BIGINT,
        email TEXT,
        auth_time BIGINT,
        approved_at BIGINT,
        denied_at BIGINT,
        collected_at BIGINT,
        -- set when the sign-in must be later than this instant
        signed_in_after BIGINT
      )`,
    'CREATE INDEX device_codes_purge ON device_codes (purge_at)',
    // Wrong user codes by the account that typed them, so that a new session gives no new attempts.
    `CREATE TABLE code_tries (
        email TEXT PRIMARY KEY,
        count INTEGER NOT NULL,
        expires_at BIGINT NOT NULL
      )`,
    'CREATE INDEX code_tries_expiry ON code_tries (expires_at)',
    `CREATE TABLE consents (
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        scopes TEXT,
        granted_at BIGINT NOT NULL,
        PRIMARY KEY (email, audience)
      )`,
    `CREATE TABLE consent_requests (
        id TEXT PRIMARY KEY,
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        scopes TEXT,
        resource TEXT,
        expires_at BIGINT NOT NULL,
        approved_at BIGINT,
        denied_at BIGINT,
        UNIQUE (email, audience)
      )`,
    'CREATE INDEX consent_requests_expiry ON consent_requests (expires_at)',
    // Events to be sent, as JSON. `next_try` is set while one is pending: when it is due, or when another process
    // may take over.
    `CREATE TABLE outbox (
        id TEXT PRIMARY KEY,
        issuer TEXT NOT NULL,
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        toe BIGINT NOT NULL,
        next_try BIGINT,
        purge_at BIGINT NOT NULL,
        entry TEXT NOT NULL
      )`,
    'CREATE INDEX outbox_due ON outbox (issuer, next_try, id)',
    'CREATE INDEX outbox_user ON outbox (email, audience, toe)',
    'CREATE INDEX outbox_time ON outbox (toe)',
    'CREATE INDEX outbox_purge ON outbox (purge_at)',
    // As whom the provider has named a user by a consent: a subject is of one issuer alone, and the
    // provider may have had another URL then.
    `CREATE TABLE consent_issuers (
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        issuer TEXT NOT NULL,
        PRIMARY KEY (email, audience, issuer)
      )`,
    // What its user took back, and has not given again since: not to be given by anything but a page.
    `CREATE TABLE withdrawals (
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        PRIMARY KEY (email, audience)
      )`,
    // The access token of each sign-in: one, a repeated poll replaces it. `audience` is that of a
    // consent that was given with the sign-in, and takes the token with it when it is revoked.
    `CREATE TABLE sign_in_tokens (
        device_code_hash TEXT PRIMARY KEY,
        token_hash TEXT NOT NULL UNIQUE,
        email TEXT NOT NULL,
        scopes TEXT NOT NULL,
        audience TEXT,
        expires_at BIGINT NOT NULL
      )`,
    'CREATE INDEX sign_in_tokens_consent ON sign_in_tokens (email, audience)',
    'CREATE INDEX sign_in_tokens_expiry ON sign_in_tokens (expires_at)',
  ],
};

/** Every table of the provider that fills with what agents and users do. */
export const PROVIDER_TABLES = [
  'provider_users',
  'device_codes',
  'code_tries',
  'sign_in_tokens',
  'consents',
  'consent_issuers',
  'withdrawals',
  'consent_requests',
  'outbox',
] as const;
