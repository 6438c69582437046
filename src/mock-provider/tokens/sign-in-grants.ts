import { json, wireProblem } from '../../mock/http/response.ts';
import { SECOND } from '../../protocol/durations.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { requireParameter } from '../checks/require-agent.ts';
import type { Grant, ProviderContext } from '../context/provider-context.ts';
import { OFFLINE_ACCESS } from '../mint/scopes.ts';
import type { ClientSession, FreshTokens } from '../store/code-store.ts';
import { isAgent } from './identify-client.ts';

/** The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.6): a code is one client's, and works once. */
export const codeGrant: Grant = async (provider, form, client) => {
  const verifier = form.get('code_verifier');
  const tokens = freshTokens(provider);
  const session = await provider.codes.redeem(
    sha256(requireParameter(form, 'code')),
    {
      clientId: client.id,
      redirectUri: form.get('redirect_uri'),
      challenge: verifier === undefined ? undefined : sha256(verifier),
    },
    tokens.stored,
  );
  if (session === undefined) throw wireProblem('provider', 'invalid_grant');
  return answer(provider, session, tokens);
};

/** The refresh grant (RFC 6749 §6): each refresh token works once, and the next one comes with the answer. */
export const refreshGrant: Grant = async (provider, form, client) => {
  const tokens = freshTokens(provider);
  const spent = sha256(requireParameter(form, 'refresh_token'));
  const session = await provider.codes.rotate(spent, client.id, tokens.stored);
  if (session === undefined) throw wireProblem('provider', 'invalid_grant');
  return answer(provider, session, tokens);
};

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly stored: FreshTokens;
}

function freshTokens({ config, random }: ProviderContext): Tokens {
  const [access, refresh] = [randomToken(random, 'pat_'), randomToken(random, 'prt_')];
  const stored = {
    accessHash: sha256(access),
    accessLifetime: config.lifetimes.accessToken,
    refreshHash: sha256(refresh),
  };
  return { access, refresh, stored };
}

/** What a sign-in ends in; with `refresh`, if its scopes give one. */
export async function answer(
  { config, idTokens, users }: ProviderContext,
  session: ClientSession & { readonly nonce?: string | undefined },
  { access, refresh }: Pick<Tokens, 'access'> & Partial<Tokens>,
): Promise<Response> {
  const { authTime, clientId, email, nonce, scopes } = session;
  const user = await users.find(email);
  if (user === undefined) throw wireProblem('provider', 'invalid_grant');
  return json({
    // For the user info alone: it mints nothing.
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.ceil(config.lifetimes.accessToken / SECOND),
    scope: scopes.join(' '),
    id_token: await idTokens.sign(user, authTime, { clientId, nonce }),
    ...(refresh && scopes.includes(OFFLINE_ACCESS) && { refresh_token: refresh }),
  });
}

/** The device grant: polled until the user has decided (RFC 8628 §3.4, §3.5). */
export const deviceGrant: Grant = async (provider, form, client) => {
  const { codes, config, decisions, devices, log, random, signInTokens } = provider;
  if (!config.agentAuth) throw wireProblem('provider', 'unauthorized_client');
  const deviceCodeHash = sha256(requireParameter(form, 'device_code'));
  const polled = await devices.poll(deviceCodeHash, client.id, decisions);
  if (polled === undefined) throw wireProblem('provider', 'invalid_grant');
  const { decision, facts } = polled;
  if (decision.kind !== 'signed_in') throw wireProblem('provider', decision.code);
  log.info('provider.signed_in', { client: client.id });
  const { authTime, email } = decision;
  const session = { clientId: client.id, email, scopes: facts.scopes, authTime };
  if (!isAgent(provider, client.id)) {
    const tokens = freshTokens(provider);
    await codes.grant(deviceCodeHash, session, tokens.stored);
    return answer(provider, session, tokens);
  }
  const access = randomToken(random, 'pat_');
  await signInTokens.issue({
    ...session,
    hash: sha256(access),
    signIn: deviceCodeHash,
    audience: facts.audience,
    lifetime: config.lifetimes.accessToken,
  });
  return answer(provider, session, { access });
};
