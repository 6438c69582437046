import { decodeJwt, deviceTokenResponse, displayText, SECOND } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import type { Answer } from '../http/answer.ts';
import { readMembers, readSecret } from '../http/read-members.ts';
import type { KeptClient, ProviderSession } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Expected } from './check-id-token.ts';
import type { Provider } from './provider.ts';

const WHO = "The provider's token endpoint";

/**
 * The session in an answer of the token endpoint, its ID token checked. A refresh token that does not come again is
 * still good (RFC 6749 §6).
 * @throws AgentError `bad_id_token`, or of an unusable answer.
 */
export async function readSignIn(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  answer: Answer,
  {
    refresh: before,
    ...asked
  }: Pick<Expected, 'nonce' | 'maxAge' | 'subject'> & { readonly refresh?: Secret | undefined },
): Promise<ProviderSession> {
  const { accessToken, idToken } = readTokens(answer);
  const { clientId } = client;
  const { issuer } = provider;
  const expected = { ...asked, clientId, accessToken, now: peerOf(tools, issuer).now() };
  // Loaded when first needed, with what verifies signatures.
  const { checkIdToken } = await import('./check-id-token.ts');
  const claims = await checkIdToken(tools, provider, idToken, expected);
  const given = answer.body.ok ? answer.body.json['refresh_token'] : undefined;
  const refresh =
    typeof given === 'string' ? readSecret(answer, WHO, 'refresh_token', given) : before;
  return {
    ...sessionOf(tools, issuer, idToken, claims),
    ...(clientId !== AGENT_CLIENT_ID && { clientId }),
    ...(refresh !== undefined && { refresh }),
  };
}

/**
 * The session in a device grant's answer. It came from the provider itself over TLS, so its signature
 * need not be checked (OpenID Connect Core §3.1.3.7); whose it is and for whom must be.
 * @throws AgentError `bad_answer`.
 */
export function readDeviceSignIn(
  tools: Tools,
  { issuer }: Provider,
  { clientId }: KeptClient,
  answer: Answer,
): ProviderSession {
  const { idToken } = readTokens(answer);
  const claims = decodeJwt(idToken.reveal())?.payload;
  const audiences: readonly unknown[] = [claims?.['aud']].flat();
  if (claims?.['iss'] === issuer && audiences.includes(clientId)) {
    return sessionOf(tools, issuer, idToken, claims);
  }
  throw new AgentError(
    'The provider answered with an ID token that is not its own, or not for this agent.',
    { code: 'bad_answer' },
  );
}

function readTokens(answer: Answer) {
  const members = readMembers(answer, WHO, deviceTokenResponse);
  const idToken = readSecret(answer, WHO, 'id_token', members.id_token);
  return { idToken, accessToken: members.access_token };
}

function sessionOf(
  tools: Tools,
  issuer: string,
  idToken: Secret,
  { email, exp, sub }: Readonly<Record<string, unknown>>,
): ProviderSession {
  const account = [email, sub].find((name) => typeof name === 'string');
  return {
    issuer,
    idToken,
    expiresAt: typeof exp === 'number' ? exp * SECOND : null,
    clockOffset: peerOf(tools, issuer).offset,
    account: account === undefined ? null : displayText(account, 254),
  };
}
