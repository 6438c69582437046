import { clientAssertions } from '../../mock/clients/client-assertions.ts';
import type { TableSet } from '../../mock/store/tables.ts';

/**
 * The provider's tables. Instants are milliseconds, lists are separated by spaces, codes are hashes.
 * A list that is NULL is open: whatever the service grants. `facts`, `code` and `session` are JSON.
 */
export const PROVIDER_SCHEMA: TableSet = {
  name: 'provider',
  tables: [
    {
      name: 'provider_users',
      key: 'email',
      columns: `
        email TEXT NOT NULL,
        email_verified INTEGER NOT NULL,
        name TEXT,
        phone TEXT,
        tenant TEXT,
        created_at BIGINT NOT NULL`,
    },
    {
      name: 'device_codes',
      key: 'device_code_hash',
      columns: `
        device_code_hash TEXT NOT NULL,
        user_code_hmac TEXT NOT NULL UNIQUE,
        purge_at BIGINT NOT NULL,
        facts TEXT NOT NULL`,
      endsAt: 'purge_at',
    },
    // Wrong user codes by the account that typed them, so that a new session gives no new attempts.
    {
      name: 'code_tries',
      key: 'email',
      columns: `
        email TEXT NOT NULL,
        count INTEGER NOT NULL,
        expires_at BIGINT NOT NULL`,
      endsAt: 'expires_at',
    },
    {
      name: 'consents',
      key: 'email, audience, client',
      columns: `
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        -- empty: the agent
        client TEXT NOT NULL,
        scopes TEXT,
        granted_at BIGINT NOT NULL,
        issuers TEXT NOT NULL DEFAULT '',
        -- the user took it back, and has not given it again since
        withdrawn_at BIGINT`,
    },
    {
      name: 'consent_requests',
      key: 'id',
      columns: `
        id TEXT NOT NULL,
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        client TEXT NOT NULL,
        scopes TEXT,
        resource TEXT,
        expires_at BIGINT NOT NULL,
        approved_at BIGINT,
        denied_at BIGINT,
        UNIQUE (email, audience, client)`,
      endsAt: 'expires_at',
    },
    // Events to be sent, as JSON. `next_try` is set while one is pending: when it is due, or when another process
    // may take over.
    {
      name: 'outbox',
      key: 'id',
      columns: `
        id TEXT NOT NULL,
        issuer TEXT NOT NULL,
        email TEXT NOT NULL,
        audience TEXT NOT NULL,
        toe BIGINT NOT NULL,
        next_try BIGINT,
        purge_at BIGINT NOT NULL,
        entry TEXT NOT NULL`,
      indexes: ['issuer, next_try, id', 'email, audience, toe', 'toe', 'purge_at'],
    },
    // Of clients: `family` is the hash of the code that a sign-in began with.
    {
      name: 'authorization_codes',
      key: 'hash',
      columns: `
        hash TEXT NOT NULL,
        client_id TEXT NOT NULL,
        email TEXT NOT NULL,
        used_at BIGINT,
        expires_at BIGINT NOT NULL,
        purge_at BIGINT NOT NULL,
        code TEXT NOT NULL`,
      endsAt: 'purge_at',
    },
    {
      name: 'client_refresh_tokens',
      key: 'hash',
      columns: `
        hash TEXT NOT NULL,
        family TEXT NOT NULL,
        client_id TEXT NOT NULL,
        email TEXT NOT NULL,
        spent_at BIGINT,
        expires_at BIGINT NOT NULL,
        session TEXT NOT NULL`,
      indexes: ['family'],
      endsAt: 'expires_at',
    },
    clientAssertions('provider'),
    // The access token of each sign-in, by the hash of its device code or authorization code: one, a repeated poll
    // replaces it. `audience` is that of a
    // consent that was given with the sign-in, and takes the token with it when it is revoked.
    {
      name: 'sign_in_tokens',
      key: 'sign_in',
      columns: `
        sign_in TEXT NOT NULL,
        token_hash TEXT NOT NULL UNIQUE,
        client_id TEXT NOT NULL,
        email TEXT NOT NULL,
        scopes TEXT NOT NULL,
        audience TEXT,
        expires_at BIGINT NOT NULL`,
      indexes: ['email, audience'],
      endsAt: 'expires_at',
    },
  ],
};
