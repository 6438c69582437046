import { clientAssertions } from '../../mock/clients/client-assertions.ts';
import type { TableSet } from '../../mock/store/tables.ts';

/**
 * The service's tables. Instants are milliseconds, lists are separated by spaces, secrets are hashes.
 * A registration carries its current claim attempt and its delivery: there is never a second one.
 */
export const SERVICE_SCHEMA: TableSet = {
  name: 'service',
  tables: [
    {
      name: 'users',
      key: 'id',
      columns: `
        id TEXT NOT NULL,
        email TEXT UNIQUE,
        phone TEXT UNIQUE,
        name TEXT,
        provisioned_by TEXT,
        created_at BIGINT NOT NULL,
        signed_in_at BIGINT,
        link_reviewed_at BIGINT`,
    },
    {
      name: 'registrations',
      key: 'id',
      columns: `
        id TEXT NOT NULL,
        -- as JSON; the other columns are what rows are looked up by
        registration TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        purge_at BIGINT,
        revoked_at BIGINT,
        claim_token_hash TEXT UNIQUE,
        attempt_token_hash TEXT UNIQUE,
        user_id TEXT,
        email TEXT,
        issuer TEXT,
        tenant TEXT,
        subject TEXT`,
      indexes: ['issuer, subject, tenant', 'user_id', 'email', 'created_at DESC, id'],
      endsAt: 'purge_at',
    },
    {
      name: 'access_tokens',
      key: 'hash',
      columns: `
        hash TEXT NOT NULL,
        registration_id TEXT NOT NULL,
        scopes TEXT NOT NULL,
        resource TEXT NOT NULL,
        id_jag_issued_at BIGINT,
        expires_at BIGINT NOT NULL`,
      indexes: ['registration_id'],
      endsAt: 'expires_at',
    },
    // What clients redeemed ID-JAGs for: no registration stands behind such a token.
    {
      name: 'client_tokens',
      key: 'hash',
      columns: `
        hash TEXT NOT NULL,
        client_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        issuer TEXT NOT NULL,
        subject TEXT NOT NULL,
        -- of the ID-JAG: the account has none where another one has it
        id_jag_email TEXT,
        scopes TEXT NOT NULL,
        resource TEXT NOT NULL,
        id_jag_issued_at BIGINT NOT NULL,
        issued_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL`,
      indexes: ['issuer, subject'],
      endsAt: 'expires_at',
    },
    clientAssertions('service'),
    // The account of a provider's subject, as clients redeem ID-JAGs for it.
    {
      name: 'subject_accounts',
      key: 'issuer, tenant, subject',
      columns: `
        issuer TEXT NOT NULL,
        tenant TEXT NOT NULL,
        subject TEXT NOT NULL,
        user_id TEXT NOT NULL`,
    },
    // Assertions that rest on an ID-JAG: an event can end some of them and leave others (wire contract §7).
    {
      name: 'assertions',
      key: 'jti',
      columns: `
        jti TEXT NOT NULL,
        registration_id TEXT NOT NULL,
        id_jag_issued_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL`,
      indexes: ['registration_id, id_jag_issued_at'],
      endsAt: 'expires_at',
    },
    {
      name: 'used_jtis',
      key: 'kind, issuer, jti',
      columns: `
        kind TEXT NOT NULL,
        issuer TEXT NOT NULL,
        jti TEXT NOT NULL,
        expires_at BIGINT NOT NULL`,
      endsAt: 'expires_at',
    },
    {
      name: 'subject_revocations',
      key: 'issuer, subject',
      columns: `
        issuer TEXT NOT NULL,
        subject TEXT NOT NULL,
        revoked_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL`,
      endsAt: 'expires_at',
    },
    {
      name: 'rate_counters',
      key: 'bucket',
      columns: `
        bucket TEXT NOT NULL,
        count INTEGER NOT NULL,
        expires_at BIGINT NOT NULL`,
      endsAt: 'expires_at',
    },
    // A spent one stays until it expires: whoever sends it then has a copy (RFC 9700 §4.14.2).
    {
      name: 'refresh_tokens',
      key: 'hash',
      columns: `
        hash TEXT NOT NULL,
        registration_id TEXT NOT NULL,
        id_jag_issued_at BIGINT,
        issued_at BIGINT NOT NULL,
        spent_at BIGINT,
        expires_at BIGINT NOT NULL`,
      indexes: ['registration_id'],
      endsAt: 'expires_at',
    },
    // A mailbox: what was sent can be read, as JSON, codes and links too.
    {
      name: 'mails',
      key: 'seq',
      columns: `
        seq BIGINT NOT NULL,
        sent_to TEXT NOT NULL,
        expires_at BIGINT NOT NULL,
        mail TEXT NOT NULL`,
      indexes: ['sent_to, seq DESC'],
      endsAt: 'expires_at',
    },
    // One row, once a call of the directory was counted or a control changed its services, as JSON.
    {
      name: 'directory',
      key: 'id',
      columns: `
        id INTEGER NOT NULL,
        served BIGINT NOT NULL,
        configuration TEXT,
        services TEXT`,
    },
  ],
};
