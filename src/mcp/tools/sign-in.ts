import * as z from 'zod';
import type { ProviderLoginOutcome, ProviderSession, SignInCeremony } from '../../agent/index.ts';
import { type Answer, nextTool, ToolError } from '../answer/answer.ts';
import { foreignLine } from '../answer/foreign-text.ts';
import { handOver, stillWaiting } from '../describe/ceremony.ts';
import { givenUrl } from '../service/choose-service.ts';
import { ACTS, ACTS_ONCE, defineTool } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { waitFor } from '../world/waits.ts';
import { client_id, flag, provider, timeout_seconds } from './schema.ts';

export const signIn = defineTool({
  name: 'sign_in',
  title: 'Let the user sign in at a provider',
  description:
    'Begins a sign-in at an identity provider, so that it can vouch for the user (register or connect with provider). Returns at once with a link and a code for the user: show both, then call await_sign_in. Not needed for anything else.',
  input: {
    provider,
    client_id,
    fresh: flag(
      'true: the user has to sign in again, even where their browser is signed in. Default false.',
    ),
    max_age_seconds: z.int().min(0).describe('As next.arguments has it.').optional(),
    acr_values: z.string().max(200).describe('As next.arguments has it.').optional(),
  },
  annotations: ACTS,
  run: async (world, input, call) => {
    const at = givenUrl(world, input.provider, 'provider');
    call.about.service = new URL(at).origin;
    const login = await world.agent.providerLogin({
      provider: at,
      clientId: input.client_id,
      flow: 'any',
      prompt: input.fresh ? 'login' : undefined,
      maxAge: input.max_age_seconds,
      acrValues: input.acr_values,
      signal: call.signal,
    });
    return handOver(world, {
      ...waitingAt(login.provider, login.ceremony),
      lines: ['A sign-in is open at the provider.'],
      who: 'the user',
      why: 'to sign in, so that it can tell services who you are',
    });
  },
});

export const awaitSignIn = defineTool({
  name: 'await_sign_in',
  title: 'Wait until the user has signed in',
  description:
    'Waits until the user has signed in at the provider, or until the time is over; call it after link and code of sign_in have been shown. It may be cancelled and called again: the sign-in goes on in any case.',
  input: {
    provider: provider
      .describe('The provider of sign_in. Left out: the only one where a sign-in is open.')
      .optional(),
    timeout_seconds,
  },
  annotations: ACTS_ONCE,
  run: async (world, input, call) => {
    const { signal } = call;
    const at = input.provider ? givenUrl(world, input.provider, 'provider') : undefined;
    if (at !== undefined) call.about.service = new URL(at).origin;
    const known = await world.agent.resumeProviderLogin({ provider: at, signal });
    if (known.status === 'not_started') return signedIn(world, known.session, at);
    const { login } = known;
    const { provider: issuer, ceremony } = login;
    // One that was begun anew since has another.
    const own = ceremony.kind === 'page' ? ceremony.verificationUri : ceremony.userCode.reveal();
    const wait = { key: `sign-in ${issuer} ${own}`, seconds: input.timeout_seconds };
    const ended = await waitFor(world, call, wait, (polling) => login.wait(polling));
    return endAnswer(world, issuer, ended ?? { ...login, status: 'pending' });
  },
});

function waitingAt(at: string, ceremony: SignInCeremony) {
  const next = nextTool('await_sign_in', { provider: at });
  return { ceremony, next, member: 'sign_in', data: { provider: at } } as const;
}

/** @throws ToolError where nobody is. */
function signedIn(
  { mask }: McpWorld,
  session: ProviderSession | undefined,
  at: string | undefined,
): Answer {
  if (session === undefined) {
    throw new ToolError('No sign-in is open.', {
      code: 'no_sign_in_open',
      next: nextTool('sign_in', { provider: at }, ['provider']),
    });
  }
  const { issuer, account } = session;
  return {
    status: 'signed_in',
    lines: ['The user is signed in at the provider.'],
    data: {
      provider: issuer,
      untrusted_account: account === null ? null : foreignLine(account, 254, mask),
    },
    next: nextTool('connect', { provider: issuer }, ['service']),
  };
}

function endAnswer(world: McpWorld, at: string, ended: ProviderLoginOutcome): Answer {
  switch (ended.status) {
    case 'signed_in':
      return signedIn(world, ended.session, at);
    case 'pending':
      return stillWaiting(world, {
        ...waitingAt(at, ended.ceremony),
        unanswered: ended.unanswered,
        otherwise:
          'The provider has not said yet that the user has signed in; the sign-in stays open.',
      });
    default: {
      const { message, ...facts } = ENDS[ended.status];
      throw new ToolError(message, { ...facts, next: nextTool('sign_in', { provider: at }) });
    }
  }
}

const ENDS = {
  aborted: { code: 'aborted', message: 'The wait was cancelled. The sign-in stays open.' },
  denied: {
    code: 'access_denied',
    message: 'The user denied the sign-in.',
    hint: 'Respect that. Only if the user says that it was a mistake, begin another.',
  },
  expired: {
    code: 'sign_in_expired',
    message: 'The code has expired.',
    hint: 'Ask the user whether they want another one.',
  },
};
