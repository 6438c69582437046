import { type Call, json, type Reply, Stop, UNKEPT } from './http.ts';
import type { Jags } from './jags.ts';
import { ALL, emailIn, no, SOME, type Thing, type World } from './world.ts';

export const BY_ASSERTION = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const BY_CLAIM = 'urn:vendor:agent-auth:grant-type:claim';

type Members = Readonly<Record<string, unknown>>;

function jsonIn({ type, body }: Call): Members {
  if (type !== 'application/json') throw no(415, 'invalid_request', 'JSON, please.');
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Refused with all else that is no object.
  }
  throw no(400, 'invalid_request', 'A JSON object, please.');
}

function text(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) return value;
  throw no(400, 'invalid_request', `${name}: a string, please.`);
}

export async function identify(world: World, jags: Jags, call: Call): Promise<Reply> {
  const members = jsonIn(call);
  const kind = text(members, 'type');
  if (kind === 'anonymous') {
    const thing = world.add(kind);
    if (world.has('scopeMassAssigned')) Object.assign(thing, members, { id: thing.id });
    return json(
      200,
      {
        ...claimable(world, thing),
        ...proof(world, thing),
        ...named(thing),
        pre_claim_scopes: SOME,
      },
      UNKEPT,
    );
  }
  if (kind === 'service_auth') {
    const hint = text(members, 'login_hint');
    if (hint === undefined) throw no(400, 'invalid_request', 'login_hint, please.');
    const email = emailIn(hint);
    if (email === undefined) throw no(400, 'invalid_login_hint', 'An email address, please.');
    const thing = world.add(kind);
    thing.email = email;
    return json(
      200,
      { claim: attempt(world, thing), ...claimable(world, thing), ...named(thing) },
      UNKEPT,
    );
  }
  if (kind !== 'identity_assertion') throw no(400, 'invalid_request', 'Another type, please.');
  const wanted = text(members, 'assertion_type') ?? 'urn:ietf:params:oauth:token-type:id-jag';
  const assertion = text(members, 'assertion');
  if (wanted !== 'urn:ietf:params:oauth:token-type:id-jag' || assertion === undefined)
    throw no(400, 'invalid_request', 'An ID-JAG, please.');
  const thing = await jags.establish(assertion);
  return json(200, { scopes: thing.scope, ...proof(world, thing), ...named(thing) }, UNKEPT);
}

const named = ({ id, kind }: Thing) => ({
  registration_type: kind,
  registration_id: id,
  region: null,
});

function proof(world: World, thing: Thing): object {
  const { text: assertion, until } = world.assertion(thing);
  return { assertion_expires: new Date(until).toISOString(), identity_assertion: assertion };
}

function claimable(world: World, thing: Thing): object {
  return {
    post_claim_scopes: ALL,
    claim_token_expires: new Date(thing.until).toISOString().replace('Z', '+00:00'),
    claim_token: world.claimToken(thing),
    claim_url: `${world.issuer}/agent/identity/claim?v=1`,
  };
}

/** Its `interval` is left out: five seconds then (RFC 8628 §3.2). */
function attempt(world: World, thing: Thing): object {
  if (thing.wrongInAll >= 20 && !world.has('reopenResetsTries'))
    throw no(429, 'too_many_attempts', 'Enough guesses.');
  const { typed, link, until } = world.open(thing);
  return {
    expires_in: Math.floor((until - world.now()) / 1000),
    verification_uri: `${world.origin}/k/${link}?from=agent&lang=de`,
    user_code: `${typed.slice(0, 4)}-${typed.slice(4)}`,
  };
}

export function reopen(world: World, call: Call): Reply {
  const members = jsonIn(call);
  const token = text(members, 'claim_token');
  const typed = text(members, 'email');
  if (token === undefined) throw no(400, 'invalid_request', 'claim_token, please.');
  const thing = world.byClaimToken(token);
  if (thing === undefined) throw no(401, 'invalid_claim_token', 'Never seen it.');
  const state = world.stateOf(thing);
  if (state === 'owned') throw no(409, 'claimed_or_in_flight', 'Somebody owns it.');
  if (state === 'ended' || state === 'over') throw no(410, 'claim_expired', 'Too late.');
  const email = typed === undefined ? thing.email : emailIn(typed);
  if (email === undefined) throw no(400, 'invalid_request', 'email, please.');
  if (thing.kind !== 'anonymous' && thing.email !== email)
    throw no(403, 'email_mismatch', 'Not that email.');
  const claim = attempt(world, thing);
  thing.email = email;
  return json(200, { claim_attempt: claim, ...named(thing), status: 'initiated' }, UNKEPT);
}

function oauthNo(error: string, status = 400): Stop {
  const challenge = status === 401 ? { 'WWW-authenticate': 'Basic realm="nobody"' } : {};
  const body = { error_uri: 'https://example.com/errors', error, error_description: 'See error.' };
  return new Stop(json(status, body, { ...UNKEPT, ...challenge }));
}

function formIn(call: Call): ReadonlyMap<string, string> {
  if (call.type !== 'application/x-www-form-urlencoded') throw oauthNo('invalid_request', 415);
  if (call.headers.authorization !== undefined) throw oauthNo('invalid_client', 401);
  const pairs = [...new URLSearchParams(call.body.toString())];
  const form = new Map(pairs);
  if (form.size < pairs.length) throw oauthNo('invalid_request');
  if (form.has('client_secret') || form.has('client_assertion'))
    throw oauthNo('invalid_client', 401);
  // RFC 6749 §3.2: an empty parameter was not sent.
  return new Map(pairs.filter(([, value]) => value !== ''));
}

export async function token(world: World, call: Call): Promise<Reply> {
  const form = formIn(call);
  const grant = form.get('grant_type');
  if (grant === BY_ASSERTION) return json(200, exchanged(world, form), UNKEPT);
  if (grant !== BY_CLAIM)
    throw oauthNo(grant === undefined ? 'invalid_request' : 'unsupported_grant_type');
  const claimToken = form.get('claim_token');
  if (claimToken === undefined) throw oauthNo('invalid_request');
  const thing = world.byClaimToken(claimToken);
  // A little patience saves polls (RFC 8628 §3.5 leaves it to us).
  for (let held = 0; held < 4 && thing !== undefined && world.stateOf(thing) === 'open'; held += 1)
    await new Promise((done) => setTimeout(done, 25));
  return json(200, polled(world, thing), UNKEPT);
}

function exchanged(world: World, form: ReadonlyMap<string, string>): object {
  const assertion = form.get('assertion');
  if (assertion === undefined) throw oauthNo('invalid_request');
  const thing = world.byAssertion(assertion);
  const state = thing === undefined ? 'ended' : world.stateOf(thing);
  if (thing === undefined || state === 'ended' || state === 'over') throw oauthNo('invalid_grant');
  if (state !== 'owned' && thing.kind !== 'anonymous') throw oauthNo('invalid_grant');
  const resource = form.get('resource') ?? world.resource;
  if (resource !== world.resource) throw oauthNo('invalid_target');
  const most = mostOf(world, thing);
  const scope = form.get('scope')?.split(' ') ?? most;
  if (!scope.every((each) => most.includes(each))) throw oauthNo('invalid_scope');
  return granted(world, thing, scope);
}

function mostOf(world: World, thing: Thing): readonly string[] {
  if (thing.owner !== undefined) return thing.scope;
  const assigned: unknown = thing.scope;
  if (world.has('scopeMassAssigned') && typeof assigned === 'string') return assigned.split(' ');
  return SOME;
}

function granted(world: World, thing: Thing, scope: readonly string[]) {
  const { token: access, seconds } = world.grant(thing, scope);
  return {
    scope: scope.join(' '),
    expires_in: seconds,
    token_type: 'bearer',
    access_token: access,
  };
}

function polled(world: World, thing: Thing | undefined): object {
  if (thing === undefined) throw oauthNo('expired_token');
  switch (world.stateOf(thing)) {
    case 'none':
    case 'open':
      throw oauthNo('authorization_pending');
    case 'no':
      throw oauthNo(world.has('denialUntold') ? 'authorization_pending' : 'access_denied');
    case 'closed':
    case 'over':
      throw oauthNo('expired_token');
    case 'ended':
      throw oauthNo('invalid_grant');
    case 'owned':
      return collected(world, thing);
  }
}

/** Ten minutes long, for those who lost the answer: the same assertion, a new token for the old. */
function collected(world: World, thing: Thing): object {
  const before = thing.taken;
  if (before !== undefined && world.now() - before.at > 600_000) throw oauthNo('invalid_grant');
  if (before !== undefined) world.drop(before.token);
  const assertion = before?.assertion ?? JSON.stringify(proof(world, thing));
  const tokens = granted(world, thing, thing.scope);
  thing.taken = { at: before?.at ?? world.now(), assertion, token: tokens.access_token };
  return { ...(JSON.parse(assertion) as object), ...tokens };
}

export function forget(world: World, call: Call): Reply {
  const value = formIn(call).get('token');
  if (value === undefined) throw oauthNo('invalid_request');
  if (world.byAssertion(value) !== undefined) throw oauthNo('unsupported_token_type');
  const known = world.drop(value);
  if (!known && world.has('unknownTokenRefused')) throw oauthNo('invalid_request');
  return { status: 200, headers: UNKEPT };
}
