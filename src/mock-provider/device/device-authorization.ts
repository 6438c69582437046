import { type Context, type Form, readForm } from '../../mock/http/request.ts';
import { invalidRequest, json, wireProblem } from '../../mock/http/response.ts';
import { SECOND } from '../../protocol/durations.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { requireAll } from '../checks/check.ts';
import { SHORT_PARAMETERS } from '../checks/exchange-checks.ts';
import type { ProviderConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { displayDeviceCode, randomUserCode, userCodeHmac } from '../device-code/user-code.ts';
import {
  clientScopes,
  NO_OPENID,
  narrow,
  parseScope,
  type Scopes,
  SIGN_IN_SCOPES,
} from '../mint/scopes.ts';
import { identifyClient, isAgent } from '../tokens/identify-client.ts';

/**
 * `POST /oauth2/device_authorization` (RFC 8628 §3.1). `prompt` and `max_age` are OpenID Connect's (Core §3.1.2.1): how
 * fresh the user's sign-in has to be. The agent, and no other client, may name an `audience`: then the page asks for
 * the consent to it, too, with the scopes that are none of the sign-in's own.
 */
export async function deviceAuthorization(
  provider: ProviderContext,
  c: Context,
): Promise<Response> {
  const { config, devices, random, reader, userCodeKey, users } = provider;
  const form = await readForm(reader, c, 'provider');
  if (!config.agentAuth) throw signInOnPage();
  const client = await identifyClient(provider, c, form, {
    path: PATHS.deviceAuthorization,
    // So that a first try without a browser waits for no code.
    refuseAny: signInOnPage,
  });
  requireAll([SHORT_PARAMETERS], { form });
  const asked = isAgent(provider, client.id) ? readScopes(form, config) : readClientScopes(form);
  const maxAge = readMaxAge(form);
  const { autoApprove, issuer, lifetimes } = config;
  const deviceCode = randomToken(random, 'dc_');
  if (autoApprove !== undefined) await users.signIn(autoApprove);

  let userCode: string;
  let created: boolean;
  do {
    userCode = randomUserCode(random);
    created = await devices.create({
      ...asked,
      clientId: client.id,
      maxAge,
      deviceCodeHash: sha256(deviceCode),
      userCodeHmac: userCodeHmac(userCodeKey, userCode),
      lifetime: lifetimes.deviceCode,
      interval: lifetimes.interval,
      approveFor: autoApprove,
    });
  } while (!created);

  const shown = displayDeviceCode(userCode);
  return json({
    device_code: deviceCode,
    user_code: shown,
    verification_uri: issuer + PATHS.device,
    verification_uri_complete: `${issuer}${PATHS.device}?user_code=${shown}`,
    expires_in: Math.ceil(lifetimes.deviceCode / SECOND),
    interval: Math.ceil(lifetimes.interval / SECOND),
  });
}

function signInOnPage() {
  return wireProblem('provider', 'unauthorized_client', {
    description: 'A code is for the agent and for configured clients: sign in on a page.',
  });
}

/** `max_age` in milliseconds. A sign-in after the request is always recent enough, even with `max_age=0`. */
function readMaxAge(form: Form): number | undefined {
  const prompts = form.get('prompt')?.split(' ') ?? [];
  const maxAge = form.get('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    throw invalidRequest('provider', 'max_age is not a number of seconds.');
  }
  if (prompts.includes('login')) return 0;
  return maxAge === undefined ? undefined : Number(maxAge) * SECOND;
}

function readScopes(form: Form, config: ProviderConfig) {
  const given = form.get('scope');
  const words = given === undefined ? ['openid'] : parseScope(given);
  if (words === undefined) throw wireProblem('provider', 'invalid_scope');
  const scopes = words.filter((word) => isSignInScope(word));
  const others = words.filter((word) => !isSignInScope(word));

  const issuer = form.get('audience');
  if (issuer === undefined) {
    if (others.length > 0) throw wireProblem('provider', 'invalid_scope');
    return { scopes, audience: undefined, audienceScopes: undefined };
  }
  const audience = config.audience(issuer);
  if (audience === undefined) throw wireProblem('provider', 'invalid_target');
  const wanted: Scopes = others.length > 0 ? others : undefined;
  const audienceScopes = narrow(wanted, audience.scopes);
  if (audienceScopes?.length === 0) throw wireProblem('provider', 'invalid_scope');
  return { scopes, audience: audience.issuer, audienceScopes };
}

/** Reads scopes as the authorization endpoint does, but that a request may have none (RFC 8628 §3.1). */
function readClientScopes(form: Form) {
  const words = parseScope(form.get('scope') ?? 'openid');
  if (words === undefined) throw wireProblem('provider', 'invalid_scope');
  const scopes = clientScopes(words);
  if (scopes === undefined) {
    throw wireProblem('provider', 'invalid_scope', { description: NO_OPENID });
  }
  if (form.get('audience') !== undefined) {
    const description = 'audience is for the exchange: policy decides what this client reaches.';
    throw invalidRequest('provider', description);
  }
  return { scopes, audience: undefined, audienceScopes: undefined };
}

function isSignInScope(word: string): boolean {
  return SIGN_IN_SCOPES.some((scope) => scope === word);
}
