import {
  DEVICE_CODE_GRANT,
  decodeJwt,
  deviceTokenResponse,
  displayText,
} from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { changeSignIn, putSession, removeSignIn } from '../credentials/change-credentials.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import type { Answer } from '../http/answer.ts';
import type { WireRequest } from '../http/peer.ts';
import { readMembers, readSecret } from '../http/read-members.ts';
import type { KeptClient, PendingSignIn, ProviderSession } from '../model.ts';
import type { ProviderLogin, ProviderLoginOutcome } from '../outcomes.ts';
import { leftOf, type PollOutcome } from '../polling/next-poll.ts';
import { type PollEnd, readPollProblem, runPollLoop, troubleOfLoss } from '../polling/poll-loop.ts';
import { readProblem } from '../problems/problem.ts';
import { typeThereOf } from '../records/ceremony-of.ts';
import { readOrKeep } from '../records/keep-answer.ts';
import { isOver } from '../records/registration-state.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Provider } from './provider.ts';
import { readSignIn } from './sign-in-tokens.ts';

const WHO = "The provider's token endpoint";

/**
 * A sign-in that is stored, as the caller of the library has it in hand. What another process collects
 * from now on ends the wait, too.
 */
export async function openLogin(
  tools: Tools,
  provider: Provider,
  signIn: PendingSignIn,
  client: KeptClient,
): Promise<ProviderLogin> {
  const before = await sessionAt(tools, signIn);
  return {
    provider: provider.issuer,
    ceremony: ceremonyNow(tools, signIn),
    wait: (options = {}) => {
      const waiting = { ...tools, signal: options.signal };
      return waitForSignIn(waiting, provider, { stored: signIn, before, client }, options);
    },
  };
}

interface Known {
  readonly stored: PendingSignIn;
  readonly client: KeptClient;
  /** Who was signed in there when it was opened or resumed. */
  readonly before: ProviderSession | undefined;
}

async function waitForSignIn(
  tools: Tools,
  provider: Provider,
  { before, client, stored }: Known,
  { onEvent, timeout }: NonNullable<Parameters<ProviderLogin['wait']>[0]>,
): Promise<ProviderLoginOutcome> {
  const peer = peerOf(tools, provider.issuer);
  let signIn = stored;
  const poll = async (): Promise<PollOutcome<ProviderSession>> => {
    // Another process may have waited for the same code, and had the answer.
    const session = await sessionAt(tools, signIn);
    if (session !== undefined && !isSame(session, before)) return { kind: 'done', value: session };
    let answer: Answer;
    try {
      const request = await deviceTokenRequest(tools, provider, client, signIn.deviceCode);
      answer = await peer.send(request, tools.signal);
    } catch (error) {
      return troubleOfLoss(error);
    }
    const { issuer } = provider;
    const origin = { issuer, resource: issuer, of: 'sign_in' } as const;
    const outcome = await readOrKeep(tools, answer, origin, () =>
      processDeviceToken(provider, client, answer, answer.sentAt),
    );
    if (outcome.kind !== 'done') return outcome;
    // What an app mints with is checked as it is after a sign-in on a page.
    if (client.clientId !== AGENT_CLIENT_ID) {
      const session = await readSignIn(tools, provider, client, answer, {});
      return { kind: 'done', value: session };
    }
    return { kind: 'done', value: { ...outcome.value, clockOffset: peer.offset } };
  };
  const keep = async (change: Partial<PendingSignIn>): Promise<void> => {
    signIn = { ...signIn, ...change };
    await tools.store.update((current) => [changeSignIn(current, signIn), undefined]);
  };

  const end = isOver(signIn.expiresAt, peer.now())
    ? await lastPoll(poll)
    : await runPollLoop(tools, {
        interval: signIn.interval,
        firstWait: leftOf(signIn, peer.now()),
        remaining: () => signIn.expiresAt - peer.now(),
        poll,
        onSlowDown: (interval) => keep({ interval }),
        timeout,
        onEvent,
      });
  switch (end.kind) {
    case 'done': {
      const session = end.value;
      await tools.store.update((current) => [
        putSession(removeSignIn(current, signIn), session),
        undefined,
      ]);
      return { status: 'signed_in', session };
    }
    case 'aborted':
      return { status: 'aborted' };
    case 'timeout':
      // Short waits in a row must come to a poll, too.
      await keep({ nextPollAt: peer.now() + end.nextPollIn });
      return {
        status: 'pending',
        ceremony: ceremonyNow(tools, signIn),
        ...(end.unanswered !== undefined && { unanswered: end.unanswered }),
      };
    case 'denied':
    case 'expired':
    case 'deadline':
    case 'gone':
      await tools.store.update((current) => [removeSignIn(current, signIn), undefined]);
      return { status: end.kind === 'denied' ? 'denied' : 'expired' };
  }
}

/** The code has expired, but the user may have used it in time while nobody polled. */
async function lastPoll(
  poll: () => Promise<PollOutcome<ProviderSession>>,
): Promise<PollEnd<ProviderSession>> {
  const outcome = await poll();
  if (outcome.kind === 'done' || outcome.kind === 'denied') return outcome;
  return { kind: 'deadline' };
}

async function sessionAt(
  tools: Tools,
  { clientId, issuer }: PendingSignIn,
): Promise<ProviderSession | undefined> {
  const { providers } = await tools.store.read();
  return providers.find((one) => one.issuer === issuer && one.clientId === clientId);
}

function isSame(session: ProviderSession, before: ProviderSession | undefined): boolean {
  return session.idToken.reveal() === before?.idToken.reveal();
}

function ceremonyNow(tools: Tools, signIn: PendingSignIn) {
  return typeThereOf(signIn, [signIn.issuer], peerOf(tools, signIn.issuer).now());
}

function deviceTokenRequest(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  deviceCode: Secret,
): Promise<WireRequest> {
  return clientRequest(tools, provider, client, {
    grant_type: DEVICE_CODE_GRANT,
    device_code: deviceCode.reveal(),
  });
}

type NewSession = Omit<ProviderSession, 'clockOffset'>;

function processDeviceToken(
  provider: Provider,
  { clientId }: KeptClient,
  answer: Answer,
  now: number,
): PollOutcome<NewSession> {
  const problem = readProblem(answer, 'provider', now);
  if (problem === undefined)
    return { kind: 'done', value: readSession(provider, clientId, answer) };
  return readPollProblem(problem);
}

/**
 * The session in a device grant's answer. It came from the provider itself over TLS, so its signature
 * need not be checked (OpenID Connect Core §3.1.3.7); whose it is and for whom must be.
 */
function readSession(provider: Provider, clientId: string, answer: Answer): NewSession {
  const members = readMembers(answer, WHO, deviceTokenResponse);
  const idToken = readSecret(answer, WHO, 'id_token', members.id_token);
  const claims = decodeJwt(idToken.reveal())?.payload;
  const audiences: readonly unknown[] = [claims?.['aud']].flat();
  if (claims?.['iss'] !== provider.issuer || !audiences.includes(clientId)) {
    throw new AgentError(
      'The provider answered with an ID token that is not its own, or not for this agent.',
      {
        code: 'bad_answer',
      },
    );
  }
  const { exp, email, sub } = claims;
  const account = typeof email === 'string' ? email : sub;
  return {
    issuer: provider.issuer,
    idToken,
    expiresAt: typeof exp === 'number' ? exp * 1000 : null,
    account: typeof account === 'string' ? displayText(account, 254) : null,
  };
}
