import { DEVICE_CODE_GRANT } from '../../protocol/index.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { changeSignIn, putSession, removeSignIn } from '../credentials/change-credentials.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import type { Answer } from '../http/answer.ts';
import type { KeptClient, PendingSignIn, ProviderSession } from '../model.ts';
import type { ProviderLogin, ProviderLoginOutcome } from '../outcomes.ts';
import { leftOf, type PollOutcome } from '../polling/next-poll.ts';
import { type PollEnd, readPollProblem, runPollLoop, troubleOfLoss } from '../polling/poll-loop.ts';
import { readProblem } from '../problems/problem.ts';
import { typeThereOf } from '../records/ceremony-of.ts';
import { readOrKeep } from '../records/keep-answer.ts';
import { isOver } from '../records/registration-state.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';
import type { Provider } from './provider.ts';
import { readDeviceSignIn, readSignIn } from './sign-in-tokens.ts';

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
      const request = await clientRequest(tools, provider, client, {
        grant_type: DEVICE_CODE_GRANT,
        device_code: signIn.deviceCode.reveal(),
      });
      answer = await peer.send(request, tools.signal);
    } catch (error) {
      return troubleOfLoss(error);
    }
    const { issuer } = provider;
    const origin = { issuer, resource: issuer, of: 'sign_in' } as const;
    const outcome = await readOrKeep(tools, answer, origin, (): PollOutcome<ProviderSession> => {
      const problem = readProblem(answer, 'provider');
      if (problem !== undefined) return readPollProblem(problem);
      return { kind: 'done', value: readDeviceSignIn(tools, provider, client, answer) };
    });
    if (outcome.kind !== 'done' || client.clientId === AGENT_CLIENT_ID) return outcome;
    // What an app mints with is checked as it is after a sign-in on a page.
    return { kind: 'done', value: await readSignIn(tools, provider, client, answer, {}) };
  };
  const keep = async (change: Partial<PendingSignIn>): Promise<void> => {
    signIn = { ...signIn, ...change };
    await changeStore(tools, (now) => changeSignIn(now, signIn));
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
      await changeStore(tools, (now) => putSession(removeSignIn(now, signIn), session));
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
      await changeStore(tools, (now) => removeSignIn(now, signIn));
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
