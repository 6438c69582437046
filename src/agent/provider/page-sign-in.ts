import {
  AUTHORIZATION_CODE_GRANT,
  displayText,
  displayWord,
  MINUTE,
} from '../../protocol/index.ts';
import { type RedirectListener, Secret, sha256 } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { clientProblem } from '../clients/client-at.ts';
import { putPageSignIn, putSession, removePageSignIn } from '../credentials/change-credentials.ts';
import { isOpenable } from '../http/url-policy.ts';
import type { KeptClient, PageCeremony, PageSignIn, ProviderSession } from '../model.ts';
import type { ProviderLogin, ProviderLoginOutcome } from '../outcomes.ts';
import { readProblem } from '../problems/problem.ts';
import type { ProviderLoginRequest } from '../requests.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';
import type { Provider } from './provider.ts';
import { readSignIn } from './sign-in-tokens.ts';

/** How long a link is good for here; the page behind it is the provider's. */
const LIFETIME = 30 * MINUTE;
/** `offline_access` asks for a refresh token (OpenID Connect Core §11). */
const SCOPE = 'openid email offline_access';

/**
 * Opens a sign-in by authorization code with PKCE (RFC 6749 §4.1, RFC 7636) whose answer comes to this machine
 * (RFC 8252 §7.3), and stores it: its link stays good when this process ends.
 * @throws AgentError `no_pkce`, `not_offered`, `no_loopback`.
 */
export async function openPageSignIn(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  request: ProviderLoginRequest,
): Promise<ProviderLogin<PageCeremony>> {
  const { authorizationEndpoint: endpoint, issuer, pkceMethods } = provider;
  const who = displayText(issuer, 100);
  if (endpoint === undefined) {
    throw new AgentError(`${who} offers no sign-in in a browser.`, { code: 'not_offered' });
  }
  if (!pkceMethods.includes('S256')) {
    throw new AgentError(`${who} does not offer PKCE with S256, so nobody is sent there.`, {
      code: 'no_pkce',
    });
  }
  const { redirectPort } = request;
  const listener = await listen(
    tools,
    redirectPort === undefined ? undefined : `http://127.0.0.1:${redirectPort}/callback`,
  );
  const secret = () =>
    new Secret(Buffer.from(tools.context.random.bytes(32)).toString('base64url'));
  const [state, nonce, verifier] = [secret(), secret(), secret()];
  const { acrValues, maxAge, prompt } = request;
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: listener.redirectUri,
    scope: SCOPE,
    state: state.reveal(),
    nonce: nonce.reveal(),
    code_challenge: sha256(verifier.reveal()),
    code_challenge_method: 'S256',
    prompt,
    max_age: maxAge === undefined ? undefined : String(Math.floor(maxAge)),
    acr_values: acrValues,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const signIn: PageSignIn = {
    issuer,
    clientId: client.clientId,
    url: url.href,
    redirectUri: listener.redirectUri,
    ...{ state, nonce, verifier },
    maxAge: maxAge ?? null,
    expiresAt: tools.context.clock.now() + LIFETIME,
  };
  await changeStore(tools, (current) => putPageSignIn(current, signIn));
  return loginOf(tools, provider, client, signIn, listener);
}

/**
 * Goes on with a sign-in that was opened before, also by another process: its link is the same.
 * @returns `undefined` where it is over, or its answer can no longer come here.
 */
export async function resumePageSignIn(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  signIn: PageSignIn,
): Promise<ProviderLogin<PageCeremony> | undefined> {
  if (tools.context.clock.now() >= signIn.expiresAt) return undefined;
  try {
    const listener =
      tools.redirects.get(signIn.state.reveal()) ?? (await listen(tools, signIn.redirectUri));
    return loginOf(tools, provider, client, signIn, listener);
  } catch (error) {
    if (error instanceof AgentError && error.code === 'no_loopback') return undefined;
    throw error;
  }
}

async function listen(
  { listenForRedirect }: Tools,
  redirectUri?: string,
): Promise<RedirectListener> {
  if (listenForRedirect === undefined) throw noLoopback();
  try {
    return await listenForRedirect(redirectUri);
  } catch (error) {
    throw noLoopback(error, redirectUri);
  }
}

function noLoopback(cause?: unknown, place?: string): AgentError {
  const where = place ?? 'the loopback address';
  return new AgentError(`Nothing can listen at ${where} for the answer that the browser brings.`, {
    code: 'no_loopback',
    cause,
    ...(place !== undefined && {
      hint: 'End what listens there, or name another port that the provider knows for this client.',
    }),
  });
}

function loginOf(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  signIn: PageSignIn,
  listener: RedirectListener,
): ProviderLogin<PageCeremony> {
  tools.redirects.set(signIn.state.reveal(), listener);
  const ceremony: PageCeremony = {
    kind: 'page',
    verificationUri: signIn.url,
    openable: isOpenable(signIn.url, [provider.issuer]),
    expiresAt: signIn.expiresAt,
    remaining: signIn.expiresAt - tools.context.clock.now(),
  };
  return {
    provider: provider.issuer,
    ceremony,
    wait: ({ signal, timeout } = {}) => {
      const waiting = { ...tools, signal };
      return waitForRedirect(waiting, provider, client, { signIn, listener, ceremony }, timeout);
    },
  };
}

interface Waiting {
  readonly signIn: PageSignIn;
  readonly listener: RedirectListener;
  readonly ceremony: PageCeremony;
}

async function waitForRedirect(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  { ceremony, listener, signIn }: Waiting,
  timeout: number | undefined,
): Promise<ProviderLoginOutcome> {
  const left = signIn.expiresAt - tools.context.clock.now();
  const answer = await answerWithin(tools, listener, Math.min(timeout ?? left, left));
  if (tools.signal?.aborted) return { status: 'aborted' };
  if (answer === undefined && timeout !== undefined && timeout < left) {
    return { status: 'pending', ceremony };
  }
  // Whatever comes of it, the answer to a request is taken once.
  tools.redirects.delete(signIn.state.reveal());
  await changeStore(tools, (current) => removePageSignIn(current, signIn));
  let ended: 'signed_in' | 'failed' = 'failed';
  try {
    if (answer === undefined) return { status: 'expired' };
    const code = readRedirect(answer, signIn, provider);
    if (code === undefined) return { status: 'denied' };
    const session = await redeemCode(tools, provider, client, signIn, code);
    await changeStore(tools, (current) => putSession(current, session));
    ended = 'signed_in';
    return { status: 'signed_in', session };
  } finally {
    listener.close(ended);
  }
}

/** `undefined` when the time is over or the signal has come. */
async function answerWithin(
  { context, signal }: Tools,
  listener: RedirectListener,
  span: number,
): Promise<URLSearchParams | undefined> {
  const done = new AbortController();
  const either = AbortSignal.any(signal === undefined ? [done.signal] : [done.signal, signal]);
  const over = context.sleep(span, either).then(
    () => undefined,
    () => undefined,
  );
  try {
    const came = listener.answer(either).catch((error: unknown) => {
      if (either.aborted) return undefined;
      throw error;
    });
    return await Promise.race([came, over]);
  } finally {
    done.abort();
  }
}

async function redeemCode(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  { maxAge, nonce, redirectUri, verifier }: PageSignIn,
  code: string,
): Promise<ProviderSession> {
  const request = await clientRequest(tools, provider, client, {
    grant_type: AUTHORIZATION_CODE_GRANT,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier.reveal(),
  });
  // Once: a second use of a code ends what the first gave (RFC 6749 §4.1.2).
  const answer = await peerOf(tools, provider.issuer).send(request, tools.signal);
  const problem = readProblem(answer, 'provider');
  if (problem !== undefined) throw clientProblem(problem, client, 'provider');
  const asked = { nonce, maxAge: maxAge ?? undefined };
  return readSignIn(tools, provider, client, answer, asked);
}

/**
 * Judges the answer to an authorization request before anything of it is used: it is the one to this request (`state`),
 * and of this provider (`iss`, RFC 9207 §2.4).
 * @returns the code; `undefined` where the user denied the sign-in.
 * @throws AgentError `sign_in_mismatch`, or what the provider refused with.
 */
function readRedirect(
  answer: URLSearchParams,
  { state }: Pick<PageSignIn, 'state'>,
  { issuer, namesIssuer }: Pick<Provider, 'issuer' | 'namesIssuer'>,
): string | undefined {
  const only = (name: string) => {
    const [value, another] = answer.getAll(name);
    if (another !== undefined) throw mismatch(`it has two values of ${name}`);
    return value || undefined;
  };
  if (only('state') !== state.reveal()) throw mismatch('its state is not that of this sign-in');
  const iss = only('iss');
  if (iss === undefined ? namesIssuer : iss !== issuer) {
    throw mismatch(
      iss === undefined
        ? 'it does not name its issuer (iss), which the provider announces'
        : `it is of ${displayWord(iss, 100)} (iss), not of ${displayText(issuer, 100)}`,
    );
  }
  const [code, error] = [only('code'), only('error')];
  if (error === 'access_denied') return undefined;
  if (error !== undefined || code === undefined) throw refused(error, only('error_description'));
  return code;
}

function mismatch(why: string): AgentError {
  return new AgentError(`The answer of the browser is not used: ${why}.`, {
    code: 'sign_in_mismatch',
    hint: 'Nothing was sent to the provider. Sign in again; if it goes on, somebody else answers in its place.',
  });
}

function refused(error = 'no reason', description: string | undefined): AgentError {
  const words = description === undefined ? '' : ` It says: "${displayText(description, 200)}".`;
  return new AgentError(
    `The provider did not sign the user in, for ${displayWord(error, 64)}.${words}`,
    { code: 'unknown_problem' },
  );
}
