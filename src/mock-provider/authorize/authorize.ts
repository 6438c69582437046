import type { Context } from '../../mock/http/request.ts';
import { invalidRequest, seeOther } from '../../mock/http/response.ts';
import { MAX_RETURN_LENGTH } from '../../mock/sessions/return-to.ts';
import type { Visitor } from '../../mock/sessions/sessions.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { ProviderConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import {
  type AnswerPlace,
  type AuthorizationRequest,
  readAuthorization,
} from './authorization-request.ts';

/** A parameter of our own: after a sign-in that was asked for, the same request goes on with it. */
const SIGNED_IN_AFTER = 'signed_in_after';

/**
 * `GET /oauth2/authorize`: the user signs in on the page that there is, and the client gets a code (RFC 6749 §4.1,
 * OpenID Connect Core §3.1.2).
 */
export async function authorize(provider: ProviderContext, c: Context): Promise<Response> {
  const { clock, config } = provider;
  const query = new URL(c.req.url).searchParams;
  const read = readAuthorization(query, config);
  if (read.kind === 'untrusted') {
    throw invalidRequest('provider', read.problem);
  }
  if (read.kind === 'refused') {
    return answer(config, read.place, { error: read.error, error_description: read.description });
  }
  const { request } = read;
  if (config.signIn.kind === 'deny') {
    const error_description = 'The user refused to sign in.';
    return answer(config, request, { error: 'access_denied', error_description });
  }
  const visitor = await visitorOf(provider, c);
  const since = Number(query.get(SIGNED_IN_AFTER) ?? 0);
  // Whoever is signed in without a page signs in at each request.
  const isNow = config.signIn.kind === 'approve';
  if (visitor !== undefined && (isNow || isFresh(visitor, request, since, clock.now()))) {
    return giveCode(provider, request, visitor);
  }
  if (request.prompts.includes('none')) {
    return answer(config, request, { error: 'login_required' });
  }
  // The sign-in that follows is what these ask for.
  for (const name of ['prompt', 'max_age']) query.delete(name);
  query.set(SIGNED_IN_AFTER, String(clock.now()));
  const path = `${PATHS.authorize}?${query}`;
  if (path.length > MAX_RETURN_LENGTH) {
    return answer(config, request, {
      error: 'invalid_request',
      error_description: `The request is longer than ${MAX_RETURN_LENGTH} characters.`,
    });
  }
  return seeOther(signInUrl(path, { again: visitor !== undefined, hint: request.loginHint }));
}

async function visitorOf(
  { clock, config, sessions, users }: ProviderContext,
  c: Context,
): Promise<Visitor | undefined> {
  const { signIn } = config;
  if (signIn.kind !== 'approve') return (await sessions.find(c))?.visitor;
  const { email } = signIn;
  await users.signIn(email);
  return { key: email, email, signedInAt: clock.now() };
}

function isFresh(
  { signedInAt }: Visitor,
  { maxAge, prompts }: AuthorizationRequest,
  since: number,
  now: number,
): boolean {
  if (prompts.includes('login') || prompts.includes('select_account')) return false;
  return signedInAt >= since && (maxAge === undefined || now - signedInAt < maxAge);
}

async function giveCode(
  { codes, config, log, random }: ProviderContext,
  request: AuthorizationRequest,
  { email, signedInAt: authTime }: Visitor,
): Promise<Response> {
  const { challenge, clientId, nonce, redirectUri, scopes } = request;
  const code = randomToken(random, 'ac_');
  const session = { clientId, scopes, email, authTime };
  await codes.issue({ ...session, hash: sha256(code), redirectUri, challenge, nonce });
  log.info('provider.authorized', { client: clientId });
  return answer(config, request, { code });
}

/** The redirect, with `iss` on errors, too (RFC 9207 §2). What a registered URI has of its own stays (RFC 6749 §3.1.2). */
function answer(
  { issuer }: ProviderConfig,
  { redirectUri, state }: AnswerPlace,
  members: Readonly<Record<string, string>>,
): Response {
  const added = new URLSearchParams({
    ...members,
    ...(state !== undefined && { state }),
    iss: issuer,
  });
  return seeOther(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`);
}
