import { decodeJwt, REFRESH_TOKEN_GRANT } from '../../protocol/index.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { clientProblem } from '../clients/client-problem.ts';
import { putSession } from '../credentials/change-credentials.ts';
import type { KeptClient, ProviderSession } from '../model.ts';
import { readProblem } from '../problems/read-problem.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Provider } from './provider.ts';
import { readSignIn } from './sign-in-tokens.ts';

/**
 * The next ID token, without the user (OpenID Connect Core §12). One process at a time: a refresh token that is used
 * twice may end the sign-in (RFC 9700 §4.14.2).
 * @returns `undefined` where the provider no longer takes it: the user has to sign in.
 */
export async function refreshSession(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  stale: ProviderSession,
): Promise<ProviderSession | undefined> {
  const release = await tools.store.lock(`sign-in ${provider.issuer}`, { signal: tools.signal });
  try {
    const { providers } = await tools.store.read();
    const session = providers.find(
      ({ issuer, clientId }) => issuer === stale.issuer && clientId === stale.clientId,
    );
    // Another process was first.
    if (session !== undefined && session.idToken.reveal() !== stale.idToken.reveal()) {
      return session;
    }
    const { refresh } = session ?? stale;
    if (refresh === undefined) return undefined;
    const request = await clientRequest(tools, provider, client, {
      grant_type: REFRESH_TOKEN_GRANT,
      refresh_token: refresh.reveal(),
    });
    const peer = peerOf(tools, provider.issuer);
    // Never twice: the answer that was lost may have replaced it.
    const answer = await peer.send(request, tools.signal);
    const problem = readProblem(answer, 'provider', answer.sentAt);
    if (problem?.code === 'invalid_grant') return undefined;
    if (problem !== undefined) throw clientProblem(problem, client, 'provider');
    const subject = decodeJwt(stale.idToken.reveal())?.payload['sub'];
    const next = await readSignIn(tools, provider, client, answer, {
      refresh,
      subject: typeof subject === 'string' ? subject : undefined,
    });
    await tools.store.update((current) => [putSession(current, next), undefined]);
    return next;
  } finally {
    await release();
  }
}
