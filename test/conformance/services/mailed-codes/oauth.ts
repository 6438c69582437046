import { type App, BEFORE, Fail, LIFETIME } from './app.ts';
import { count, hashed, type Row, text } from './db.ts';
import {
  assertionOf,
  attemptOf,
  byClaimToken,
  byId,
  issue,
  ofAssertion,
  stateOf,
} from './registry.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';

export type Fields = ReadonlyMap<string, string>;

/** RFC 6749 §3.2: none twice, and an empty one counts as left out. */
export function fieldsOf(body: unknown): Fields {
  const pairs = [...new URLSearchParams(typeof body === 'string' ? body : '')];
  const fields = new Map(pairs);
  if (fields.size !== pairs.length)
    throw new Fail(400, 'invalid_request', 'A parameter is repeated.');
  if (fields.has('client_secret') || fields.has('client_assertion'))
    throw new Fail(401, 'invalid_client', 'Clients do not authenticate here.');
  for (const [name, value] of fields) {
    if (value.includes('\u0000'))
      throw new Fail(400, 'invalid_request', `${name} contains U+0000.`);
    if (value === '') fields.delete(name);
  }
  return fields;
}

export function field(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (value === undefined) throw new Fail(400, 'invalid_request', `${name} is missing.`);
  return value;
}

export function token(app: App, fields: Fields): object {
  const grant = field(fields, 'grant_type');
  if (grant === JWT_BEARER) return exchange(app, fields);
  if (grant === CLAIM) return poll(app, field(fields, 'claim_token'));
  throw new Fail(400, 'unsupported_grant_type', 'Use another grant.');
}

export function revoke(app: App, fields: Fields): void {
  const value = field(fields, 'token');
  if (ofAssertion(app, value) !== undefined)
    throw new Fail(400, 'unsupported_token_type', 'Assertions cannot be revoked.');
  app.db.run('DELETE FROM access WHERE hash = ?', hashed(value));
}

function exchange(app: App, fields: Fields): object {
  const assertion = field(fields, 'assertion');
  const row = ofAssertion(app, assertion);
  const state = row === undefined ? 'revoked' : stateOf(app, row);
  const open = row?.['type'] === 'anonymous' && ['unclaimed', 'pending', 'lapsed'].includes(state);
  if (row === undefined || !(open || state === 'claimed'))
    throw new Fail(
      400,
      'invalid_grant',
      `The assertion ${app.bug.is('echoed-assertion') ? `${assertion} ` : ''}is not in force.`,
    );
  const resource = fields.get('resource')?.replace(/\/$/, '');
  if (resource !== undefined && resource !== app.base && resource !== `${app.base}/api/resource`)
    throw new Fail(400, 'invalid_target', 'That resource is not ours.');
  const most = open ? [BEFORE] : text(row, 'scopes').split(' ');
  const asked = fields.get('scope')?.split(' ') ?? most;
  if (!app.bug.is('scope-widened') && !asked.every((scope) => most.includes(scope)))
    throw new Fail(400, 'invalid_scope', 'That is more than was granted.');
  return issue(app, row, asked.join(' '));
}

function poll(app: App, claimToken: string): object {
  const row = byClaimToken(app, claimToken);
  if (row === undefined)
    throw new Fail(400, 'expired_token', 'That claim token is unknown or over.');
  const attempt = attemptOf(app, row);
  switch (stateOf(app, row)) {
    case 'claimed':
      return collect(app, row);
    case 'revoked':
      throw new Fail(400, 'invalid_grant', 'The registration was ended.');
    case 'expired':
      throw new Fail(400, 'expired_token', 'The time to claim is over.');
    case 'unclaimed':
      throw new Fail(400, 'authorization_pending', 'No claim was started yet.');
    case 'lapsed':
      if (count(attempt, 'denied') === 1) throw new Fail(400, 'access_denied', 'The user said no.');
      throw new Fail(400, 'expired_token', 'The code is over. Start another claim.');
    case 'pending':
      throw stillPending(app, attempt);
  }
}

function stillPending(app: App, attempt: Row | undefined): Fail {
  const interval = count(attempt, 'interval');
  const last = attempt?.['polled'];
  const early = typeof last === 'number' && app.now() - last < (interval - 1) * 1000;
  const slower = early ? Math.min(60, interval + 5) : interval;
  const sql = 'UPDATE attempt SET polled = ?, interval = ? WHERE hash = ?';
  app.db.run(sql, app.now(), slower, text(attempt, 'hash'));
  if (early) return new Fail(400, 'slow_down', `Wait ${slower} seconds between polls.`);
  return new Fail(400, 'authorization_pending', 'The user has not answered yet.');
}

/** Once, and again for those whose connection broke: then the token before it ends. */
function collect(app: App, row: Row): object {
  const first = row['collected_at'] === null;
  const until = first
    ? Math.max(count(row, 'window_end'), count(row, 'claimed_at') + LIFETIME.token)
    : count(row, 'collected_at') + LIFETIME.again;
  if (app.now() >= until) throw new Fail(400, 'invalid_grant', 'It was collected before.');
  const assertion = first
    ? JSON.stringify(assertionOf(app, row))
    : text(row, 'collected_assertion');
  app.db.run('DELETE FROM access WHERE hash = ?', text(row, 'collected_token'));
  const tokens = issue(app, byId(app, text(row, 'id')), text(row, 'scopes'));
  app.db.run(
    'UPDATE registration SET collected_at = ?, collected_assertion = ?, collected_token = ? WHERE id = ?',
    first ? app.now() : count(row, 'collected_at'),
    assertion,
    hashed(tokens.access_token),
    text(row, 'id'),
  );
  return { ...tokens, ...(JSON.parse(assertion) as object) };
}
