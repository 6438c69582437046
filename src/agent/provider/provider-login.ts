import { AgentError } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import type { ProviderLogin, ProviderLoginOutcome } from '../outcomes.ts';
import type { PollOutcome } from '../polling/next-poll.ts';
import { runPollLoop } from '../polling/poll-loop.ts';
import { troubleOfLoss } from '../polling/poll-problem.ts';
import { ceremonyOf } from '../records/ceremony-of.ts';
import { putSession } from '../records/change-credentials.ts';
import type { ProviderLoginRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import {
  type DeviceSignIn,
  deviceAuthorizationRequest,
  deviceTokenRequest,
  type NewSession,
  processDeviceAuthorization,
  processDeviceToken,
} from './device-sign-in.ts';
import { discoverProvider, type Provider } from './provider.ts';

export async function providerLogin(
  tools: Tools,
  request: ProviderLoginRequest,
): Promise<ProviderLogin> {
  await tools.store.probeWritable();
  const provider = await discoverProvider(tools, request.provider, request.signal);
  const url = provider.deviceAuthorizationEndpoint;
  if (url === undefined) {
    throw new AgentError('The provider offers no sign-in by device code (RFC 8628).', {
      code: 'not_offered',
    });
  }
  const peer = peerOf(tools, provider.issuer);
  const answer = await peer.send(deviceAuthorizationRequest(url, request), request.signal);
  const signIn = processDeviceAuthorization(answer, answer.sentAt);
  return {
    provider: provider.issuer,
    ceremony: ceremonyOf(signIn.attempt, [provider.issuer], peer.now()),
    wait: (options = {}) => waitForSignIn(tools, provider, signIn, options),
  };
}

async function waitForSignIn(
  tools: Tools,
  provider: Provider,
  { attempt, deviceCode }: DeviceSignIn,
  { signal, onEvent }: NonNullable<Parameters<ProviderLogin['wait']>[0]>,
): Promise<ProviderLoginOutcome> {
  const peer = peerOf(tools, provider.issuer);
  const poll = async (): Promise<PollOutcome<NewSession>> => {
    let answer: Answer;
    try {
      answer = await peer.send(deviceTokenRequest(provider.tokenEndpoint, deviceCode), signal);
    } catch (error) {
      return troubleOfLoss(error);
    }
    return processDeviceToken(provider, answer, answer.sentAt);
  };
  const end = await runPollLoop(tools.context, {
    interval: attempt.interval,
    remaining: () => attempt.expiresAt - peer.now(),
    poll,
    signal,
    onEvent,
  });
  switch (end.kind) {
    case 'done': {
      const session = { ...end.value, clockOffset: peer.offset };
      await tools.store.update((current) => [putSession(current, session), undefined]);
      return { status: 'signed_in', session };
    }
    case 'denied':
    case 'aborted':
      return { status: end.kind };
    case 'expired':
    case 'deadline':
    case 'gone':
    case 'timeout':
      return { status: 'expired' };
  }
}
