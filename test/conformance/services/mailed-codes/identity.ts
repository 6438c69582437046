import { type App, address, Fail, member, needed } from './app.ts';
import { count, type Row, text } from './db.ts';
import { acceptIdJag } from './id-jag.ts';
import {
  assertionOf,
  byClaimToken,
  byId,
  claimMembers,
  iso,
  openAttempt,
  register,
  stateOf,
} from './registry.ts';

export interface Answer {
  readonly status: 200 | 401;
  readonly body: object;
}

const head = (row: Row) => ({ registration_id: row['id'], registration_type: row['type'] });

export async function identity(app: App, body: unknown): Promise<Answer> {
  switch (needed(body, 'type')) {
    case 'anonymous': {
      const row = register(app, 'anonymous');
      const scopes = { pre_claim_scopes: ['api.read'] };
      return ok({ ...head(row), ...assertionOf(app, row), ...scopes, ...claimMembers(app, row) });
    }
    case 'service_auth': {
      const email = address(needed(body, 'login_hint'));
      if (email === undefined)
        throw new Fail(400, 'invalid_login_hint', 'That is no email address.');
      const row = register(app, 'service_auth', { email });
      const claim = openAttempt(app, row);
      return ok({ ...head(row), ...claimMembers(app, row), claim });
    }
    case 'identity_assertion':
      return identityAssertion(app, body);
    default:
      throw new Fail(400, 'invalid_request', 'That type is unknown.');
  }
}

async function identityAssertion(app: App, body: unknown): Promise<Answer> {
  const type = member(body, 'assertion_type') ?? 'urn:ietf:params:oauth:token-type:id-jag';
  if (type !== 'urn:ietf:params:oauth:token-type:id-jag')
    throw new Fail(400, 'invalid_request', 'That assertion_type is unknown.');
  const { row, confirmed } = await acceptIdJag(app, needed(body, 'assertion'));
  const scopes = text(row, 'scopes').split(' ');
  if (confirmed) return ok({ ...head(row), ...assertionOf(app, row), scopes });
  const words = 'The owner of this email has to confirm the link.';
  const error = { error: 'interaction_required', error_description: words, message: words };
  const claim = openAttempt(app, row);
  return { status: 401, body: { ...error, ...head(row), ...claimMembers(app, row), claim } };
}

function ok(body: object): Answer {
  return { status: 200, body };
}

export function startClaim(app: App, body: unknown): object {
  const row = byClaimToken(app, needed(body, 'claim_token'));
  const typed = member(body, 'email') ?? member(body, 'login_hint');
  if (row === undefined) throw new Fail(401, 'invalid_claim_token', 'That claim token is unknown.');
  const state = stateOf(app, row);
  if (state === 'claimed') throw new Fail(409, 'claimed_or_in_flight', 'It is claimed.');
  if (state === 'revoked' || state === 'expired')
    throw new Fail(410, 'claim_expired', 'It is over.');
  const email = typed === undefined ? (row['email'] ?? undefined) : address(typed);
  if (typeof email !== 'string')
    throw new Fail(400, 'invalid_request', 'email is no email address.');
  if (row['type'] !== 'anonymous' && email !== row['email'])
    throw new Fail(403, 'email_mismatch', 'It is for another email.');
  const attempt = openAttempt(app, row);
  app.db.run('UPDATE registration SET email = ? WHERE id = ?', email, text(row, 'id'));
  const open = app.db.row(
    'SELECT * FROM attempt WHERE registration = ? AND current = 1',
    text(row, 'id'),
  );
  return {
    ...head(byId(app, text(row, 'id'))),
    claim_attempt: attempt,
    expires_at: iso(count(open, 'ends')),
    status: 'initiated',
  };
}
