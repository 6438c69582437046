/**
 * Fills a store as years of use would: what the mocks store, spread over time and over their indexes.
 *
 * @typedef {import('agent-auth/mock-service').Database} Database
 *
 * @typedef {object} Filled
 * @property {string} issuer of the mock that the rows are for
 * @property {string} provider that the ID-JAGs came from
 * @property {number} now in milliseconds
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** So many rows are one statement: it ends before the time limit of PostgreSQL's statements. */
const BATCH = 20_000;

/** As random as a key is to an index, different for each n, and the same in each store (Knuth's hash). */
const SCATTERED = '((CAST(n AS BIGINT) * 2654435761) % 4294967296)';
/** @param {string} prefix as long as a random one with it */
const id = (prefix) => `('${prefix}' || ${SCATTERED} || 'xxxxxxxxxxxxxxxxx')`;
/** @param {string} prefix as long as a SHA-256 with it */
const hash = (prefix) => `('${prefix}' || ${SCATTERED} || 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')`;
/** @param {number} span in milliseconds; something of it, another part for each n */
const within = (span) => `(${SCATTERED} % ${span})`;
const EMAIL = `('user-' || n || '@filled.example')`;
/** Of an expiring row: one in 200 has expired already. */
const EXPIRY = `(CASE WHEN n % 200 = 0 THEN :now - 1 ELSE :now + ${HOUR} + ${within(30 * DAY)} END)`;

/** Of ten registrations: five claimed, two unclaimed, one waiting for its user, two by ID-JAG. */
const CLAIMED = 'n % 10 < 5';
const WAITING = 'n % 10 = 7';
const BY_ID_JAG = 'n % 10 > 7';
const NEEDS_CLAIM = 'n % 10 BETWEEN 5 AND 7';

/** What each row of a table is made of, in SQL over `n`; `every`: only each so many of the registrations have one. */
const SERVICE = {
  users: {
    every: 2,
    columns: {
      id: id('usr_'),
      email: EMAIL,
      provisioned_by: 'NULL',
      created_at: `:now - ${within(300 * DAY)}`,
      signed_in_at: ':now',
    },
  },
  registrations: {
    every: 1,
    columns: {
      id: id('reg_'),
      type: `CASE WHEN ${BY_ID_JAG} THEN 'identity_assertion' WHEN ${WAITING} THEN 'service_auth' ELSE 'anonymous' END`,
      needs_claim: `CASE WHEN ${BY_ID_JAG} THEN 0 ELSE 1 END`,
      created_at: `:now - ${within(300 * DAY)}`,
      window_ends_at: `:now + ${within(DAY)}`,
      purge_at: `CASE WHEN ${NEEDS_CLAIM} THEN :now + ${7 * DAY} + ${within(DAY)} ELSE NULL END`,
      claim_token_hash: `CASE WHEN ${BY_ID_JAG} THEN NULL ELSE ${hash('clm')} END`,
      claimed_at: `CASE WHEN ${CLAIMED} THEN :now - ${within(30 * DAY)} ELSE NULL END`,
      email: `CASE WHEN n % 10 BETWEEN 5 AND 6 THEN NULL ELSE ${EMAIL} END`,
      user_id: `CASE WHEN ${NEEDS_CLAIM} THEN NULL ELSE ${id('usr_')} END`,
      version: '2',
      pre_claim_scopes: `'api.read'`,
      post_claim_scopes: `'api.read api.write'`,
      wrong_codes: '0',
      issuer: `CASE WHEN ${BY_ID_JAG} THEN :provider ELSE NULL END`,
      tenant: `CASE WHEN ${BY_ID_JAG} THEN '' ELSE NULL END`,
      subject: `CASE WHEN ${BY_ID_JAG} THEN ${id('sub-')} ELSE NULL END`,
      id_jag_issued_at: `CASE WHEN ${BY_ID_JAG} THEN :now - ${within(30 * DAY)} ELSE NULL END`,
      attempt_id: `CASE WHEN ${WAITING} THEN ${id('cla_')} ELSE NULL END`,
      attempt_token_hash: `CASE WHEN ${WAITING} THEN ${hash('cat')} ELSE NULL END`,
      attempt_code_hmac: `CASE WHEN ${WAITING} THEN ${hash('mac')} ELSE NULL END`,
      attempt_expires_at: `CASE WHEN ${WAITING} THEN :now + ${within(HOUR)} ELSE NULL END`,
      attempt_interval: `CASE WHEN ${WAITING} THEN 5000 ELSE NULL END`,
      attempt_wrong_codes: `CASE WHEN ${WAITING} THEN 0 ELSE NULL END`,
    },
  },
  access_tokens: {
    every: 1,
    columns: {
      hash: hash('at_'),
      registration_id: id('reg_'),
      scopes: `'api.read'`,
      resource: ':issuer',
      expires_at: EXPIRY,
    },
  },
  assertions: {
    every: 5,
    columns: {
      jti: id('ia_'),
      registration_id: id('reg_'),
      id_jag_issued_at: `:now - ${within(30 * DAY)}`,
      expires_at: EXPIRY,
    },
  },
  refresh_tokens: {
    every: 5,
    columns: {
      hash: hash('art'),
      registration_id: id('reg_'),
      issued_at: ':now',
      expires_at: EXPIRY,
    },
  },
  used_jtis: {
    every: 1,
    columns: { kind: `'id-jag'`, issuer: ':provider', jti: id('jti-'), expires_at: EXPIRY },
  },
  subject_revocations: {
    every: 100,
    columns: {
      issuer: ':provider',
      subject: id('gone-'),
      revoked_at: ':now',
      expires_at: EXPIRY,
    },
  },
  rate_counters: {
    every: 100,
    columns: { bucket: `('anonymous ' || ${SCATTERED})`, count: '3', expires_at: EXPIRY },
  },
  mails: {
    every: 5,
    columns: {
      id: id('mail_'),
      registration_id: id('reg_'),
      sent_to: EMAIL,
      subject: `'Your code'`,
      body: `'A code and a link, as the mailbox shows them to whoever they were sent to.'`,
      sent_at: ':now',
      expires_at: EXPIRY,
    },
  },
  audit: {
    every: 1,
    // The trail keeps no more of each mock.
    most: 10_000,
    columns: {
      owner: `'service'`,
      seq: 'n + 10000',
      at: ':now',
      actor: `'agent'`,
      action: `'token.issued'`,
      registration_id: id('reg_'),
      detail: `'{"scope":"api.read"}'`,
    },
  },
  sessions: {
    every: 10,
    columns: {
      owner: `'service'`,
      id_hash: hash('ses'),
      csrf_token: id(''),
      expires_at: EXPIRY,
    },
  },
};

const PROVIDER = {
  provider_users: {
    every: 1,
    columns: { email: EMAIL, email_verified: '1', created_at: ':now' },
  },
  device_codes: {
    every: 10,
    columns: {
      device_code_hash: hash('dev'),
      user_code_hmac: hash('mac'),
      scopes: `'openid email'`,
      expires_at: `:now + ${within(HOUR)}`,
      purge_at: EXPIRY,
      poll_interval: '5000',
    },
  },
  code_tries: {
    every: 100,
    columns: { email: EMAIL, count: '1', expires_at: EXPIRY },
  },
  sign_in_tokens: {
    every: 1,
    columns: {
      device_code_hash: hash('dev'),
      token_hash: hash('sit'),
      email: EMAIL,
      scopes: `'openid email'`,
      audience: `'https://filled.example'`,
      expires_at: EXPIRY,
    },
  },
  consents: {
    every: 1,
    columns: {
      email: EMAIL,
      audience: `'https://filled.example'`,
      scopes: 'NULL',
      granted_at: `:now - ${within(300 * DAY)}`,
    },
  },
  consent_issuers: {
    every: 1,
    columns: { email: EMAIL, audience: `'https://filled.example'`, issuer: ':issuer' },
  },
  withdrawals: {
    every: 100,
    columns: { email: EMAIL, audience: `'https://gone.example'` },
  },
  consent_requests: {
    every: 10,
    columns: {
      id: id('req_'),
      email: EMAIL,
      audience: `'https://asked.example'`,
      expires_at: EXPIRY,
    },
  },
  outbox: {
    every: 2,
    columns: {
      id: id('set_'),
      issuer: ':issuer',
      audience: `'https://filled.example'`,
      subject: id('sub-'),
      email: EMAIL,
      toe: `:now - ${within(7 * DAY)}`,
      state: `'delivered'`,
      attempts: '1',
      give_up_at: ':now',
      purge_at: EXPIRY,
    },
  },
  sessions: {
    every: 10,
    columns: {
      owner: `'provider'`,
      id_hash: hash('pro'),
      csrf_token: id(''),
      expires_at: EXPIRY,
    },
  },
};

/**
 * @typedef {object} Table
 * @property {number} every
 * @property {number} [most] rows
 * @property {Record<string, string>} columns
 */

/** @type {Record<'service' | 'provider', Record<string, Table>>} */
const TABLES = { service: SERVICE, provider: PROVIDER };

/**
 * @param {Database} db migrated
 * @param {'service' | 'provider'} role
 * @param {number} count of registrations, or users
 * @param {Filled} filled
 */
export async function fill(db, role, count, filled) {
  for (const [table, { columns, every, most = count }] of Object.entries(TABLES[role])) {
    const last = Math.min(count, most);
    for (let from = 1; from <= last; from += BATCH) {
      const to = Math.min(from + BATCH - 1, last);
      const where = every === 1 ? '' : `WHERE n % ${every} = 0`;
      await insert(db, { table, columns, where, from, to, filled });
    }
  }
}

/**
 * Rows that expired a moment ago, in tables that fill the fastest.
 * @param {Database} db of the service
 * @param {number} count
 * @param {Filled} filled
 */
export async function addExpired(db, count, filled) {
  const { access_tokens, registrations, used_jtis } = SERVICE;
  const expired = ':now - 1';
  const share = Math.floor(count / 5);
  const tables = [
    ['access_tokens', { ...access_tokens.columns, hash: hash('xat'), expires_at: expired }, 2],
    ['used_jtis', { ...used_jtis.columns, jti: id('xjt-'), expires_at: expired }, 2],
    ['registrations', { ...expiredRegistration(registrations.columns), purge_at: expired }, 1],
  ];
  for (const [table, columns, shares] of /** @type {[string, Record<string, string>, number][]} */ (
    tables
  )) {
    for (let from = 1; from <= share * shares; from += BATCH) {
      const to = Math.min(from + BATCH - 1, share * shares);
      await insert(db, { table, columns, where: '', from, to, filled });
    }
  }
}

/** @param {Record<string, string>} columns */
function expiredRegistration(columns) {
  return {
    ...columns,
    id: id('xrg_'),
    claim_token_hash: hash('xcl'),
    attempt_token_hash: 'NULL',
  };
}

/**
 * @param {Database} db
 * @param {{ table: string, columns: Record<string, string>, where: string, from: number, to: number, filled: Filled }} rows
 */
async function insert(db, { table, columns, where, from, to, filled }) {
  /** @type {(string | number)[]} */
  const params = [from, to];
  const select = Object.values(columns)
    .join(', ')
    .replaceAll(/:(now|issuer|provider)\b/g, (_all, name) => {
      params.push(filled[/** @type {keyof Filled} */ (name)]);
      return name === 'now' ? 'CAST(? AS BIGINT)' : 'CAST(? AS TEXT)';
    });
  const sql = `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
    WITH RECURSIVE series(n) AS (
      SELECT CAST(? AS INTEGER) UNION ALL SELECT n + 1 FROM series WHERE n < CAST(? AS INTEGER))
    SELECT ${select} FROM series ${where}`;
  await db.transaction((tx) => tx.run(sql, params));
}
