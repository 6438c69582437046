import { deviceTokenResponse, displayText, SECOND } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
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
  const members = readMembers(answer, WHO, deviceTokenResponse);
  const idToken = readSecret(answer, WHO, 'id_token', members.id_token);
  const { clientId } = client;
  const { issuer } = provider;
  const expected = {
    ...asked,
    clientId,
    accessToken: members.access_token,
    now: peerOf(tools, issuer).now(),
  };
  // Loaded when first needed, with what verifies signatures.
  const { checkIdToken } = await import('./check-id-token.ts');
  const { email, exp, sub } = await checkIdToken(tools, provider, idToken, expected);
  const given = answer.body.ok ? answer.body.json['refresh_token'] : undefined;
  const refresh =
    typeof given === 'string' ? readSecret(answer, WHO, 'refresh_token', given) : before;
  return {
    issuer,
    idToken,
    expiresAt: exp === undefined ? null : exp * SECOND,
    clockOffset: peerOf(tools, issuer).offset,
    account: displayText(typeof email === 'string' ? email : String(sub), 254),
    ...(clientId !== AGENT_CLIENT_ID && { clientId }),
    ...(refresh !== undefined && { refresh }),
  };
}
