import {
  anyInterval,
  deviceAuthorizationResponse,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { putSignIn } from '../credentials/change-credentials.ts';
import type { Answer } from '../http/answer.ts';
import type { WireRequest } from '../http/peer.ts';
import { readCeremony } from '../http/read-ceremony.ts';
import { readMembers, readSecret } from '../http/read-members.ts';
import { formRequest } from '../http/wire-requests.ts';
import type { PendingSignIn } from '../model.ts';
import type { ProviderLogin, ResumeProviderLoginOutcome } from '../outcomes.ts';
import { problemError } from '../problems/problem-error.ts';
import { readProblem } from '../problems/read-problem.ts';
import type { ProviderLoginRequest, ResumeProviderLoginRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { AGENT_CLIENT_ID, discoverProvider } from './provider.ts';
import { openLogin } from './wait-for-sign-in.ts';

const WHO = "The provider's sign-in endpoint";
const deviceAuthorization = deviceAuthorizationResponse
  .partial({ expires_in: true })
  .extend({ interval: anyInterval });

/** Opens a sign-in and stores it, so that another process can wait for it. */
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
  const { issuer } = provider;
  const peer = peerOf(tools, issuer);
  const answer = await peer.send(deviceAuthorizationRequest(url, request), request.signal);
  const opened = processDeviceAuthorization(answer, answer.sentAt);
  const signIn: PendingSignIn = { issuer, ...opened, clockOffset: peer.offset };
  await tools.store.update((current) => [putSignIn(current, signIn), undefined]);
  return openLogin(tools, provider, signIn);
}

/** The sign-in that was opened last and not waited for to its end, also by another process. */
export async function resumeProviderLogin(
  tools: Tools,
  { provider: named, signal }: ResumeProviderLoginRequest,
): Promise<ResumeProviderLoginOutcome> {
  const { providers, signIns } = await tools.store.read();
  const isMeant = ({ issuer }: { readonly issuer: string }) =>
    named === undefined || withoutFinalSlash(issuer) === withoutFinalSlash(named);
  const [signIn, ...others] = signIns.filter(isMeant);
  if (others.length > 0) {
    throw new AgentError('Sign-ins at several providers are open.', {
      code: 'provider_unknown',
      hint: 'Name the one to wait for.',
    });
  }
  if (signIn === undefined) {
    const [session, ...more] = providers.filter(isMeant);
    return { status: 'not_started', session: more.length === 0 ? session : undefined };
  }
  const peer = peerOf(tools, signIn.issuer, signIn.clockOffset);
  const provider = await discoverProvider(tools, signIn.issuer, signal);
  // The spelling of the metadata shares the clock of the one that was stored.
  tools.peers.set(provider.issuer, peer);
  return { status: 'open', login: await openLogin(tools, provider, signIn) };
}

/** Seconds. What asks for no more than this asks for nothing, whatever a peer wrote. */
const LONGEST_AGE = 999_999_999;
/** How fresh the sign-in has to be is OpenID Connect Core §3.1.2.1; a provider may not know it. */
function deviceAuthorizationRequest(
  url: string,
  { maxAge, prompt }: Pick<ProviderLoginRequest, 'maxAge' | 'prompt'>,
): WireRequest {
  return formRequest(url, {
    client_id: AGENT_CLIENT_ID,
    scope: 'openid email',
    prompt,
    max_age: maxAge === undefined ? undefined : String(Math.min(Math.floor(maxAge), LONGEST_AGE)),
  });
}

/** @throws AgentError of the provider's refusal, or of an unusable answer. */
function processDeviceAuthorization(
  answer: Answer,
  now: number,
): Omit<PendingSignIn, 'issuer' | 'clockOffset'> {
  const problem = readProblem(answer, 'provider', now);
  if (problem !== undefined) throw problemError(problem);
  const members = readMembers(answer, WHO, deviceAuthorization);
  return {
    deviceCode: readSecret(answer, WHO, 'device_code', members.device_code),
    ...readCeremony(answer, WHO, members, now),
  };
}
