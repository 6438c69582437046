import * as z from 'zod';
import type {
  ProviderLogin,
  ProviderLoginOutcome,
  SignInCeremony,
  UnansweredPolls,
} from '../../agent/index.ts';
import { unansweredText } from '../../agent/polling/poll-loop.ts';
import { foreignLine } from '../answer/foreign-text.ts';
import { handOver, stillWaiting } from '../describe/ceremony.ts';
import { ToolError } from '../errors/tool-error.ts';
import { nextJson, nextText, nextTool } from '../next/next.ts';
import { givenUrl } from '../service/choose-service.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { ACTS, ACTS_ONCE } from './annotations.ts';
import { clientId, milliseconds, provider, timeout } from './inputs.ts';
import * as out from './outputs.ts';
import { Patience } from './patience.ts';

const signInMember = out.claim.describe(
  'What the user has to do. Show link and code to the user unless shown_by_host is true.',
);

export const signIn = defineTool({
  name: 'sign_in',
  title: 'Let the user sign in at a provider',
  description:
    'Begins a sign-in at an identity provider, so that it can vouch for the user (register or connect with provider). Returns at once with a link and a code for the user: show both, then call await_sign_in. Not needed for anything else.',
  input: z.strictObject({
    provider,
    client_id: clientId,
    fresh: z
      .boolean()
      .describe(
        'true: the user has to sign in again, even where their browser is signed in. Default false.',
      )
      .optional(),
    max_age_seconds: z.int().min(0).describe('As next.arguments has it.').optional(),
    acr_values: z.string().max(200).describe('As next.arguments has it.').optional(),
  }),
  output: out.output(['pending', 'signed_in'], {
    provider: z.string(),
    sign_in: signInMember,
    untrusted_account: z.string().nullable(),
  }),
  annotations: ACTS,
  isReading: false,
  run: async (world, input, call) => {
    const url = givenUrl(world, input.provider, 'provider');
    call.about.service = new URL(url).origin;
    if (!call.isReturn) {
      const login = await world.agent.providerLogin({
        provider: url,
        clientId: input.client_id,
        flow: 'any',
        prompt: input.fresh ? 'login' : undefined,
        maxAge: input.max_age_seconds,
        acrValues: input.acr_values,
        signal: call.signal,
      });
      return openAnswer(world, login, 'A sign-in is open at the provider.');
    }
    const known = await world.agent.resumeProviderLogin({ provider: url, signal: call.signal });
    if (known.status === 'open') {
      return openAnswer(world, known.login, 'A sign-in is open at the provider.');
    }
    if (known.session !== undefined) return signedIn(world, known.session);
    throw notOpen(url);
  },
});

export const awaitSignIn = defineTool({
  name: 'await_sign_in',
  title: 'Wait until the user has signed in',
  description:
    'Waits until the user has signed in at the provider, or until the time is over; call it after link and code of sign_in have been shown. It may be cancelled and called again: the sign-in goes on in any case.',
  input: z.strictObject({
    provider: provider
      .describe('The provider of sign_in. Left out: the only one where a sign-in is open.')
      .optional(),
    timeout_seconds: timeout,
  }),
  output: out.output(['signed_in', 'pending'], {
    provider: z.string(),
    sign_in: signInMember,
    untrusted_account: z.string().nullable(),
    unanswered_polls: out.unansweredPolls,
  }),
  annotations: ACTS_ONCE,
  isReading: false,
  run: async (world, input, call) => {
    const url = input.provider && givenUrl(world, input.provider, 'provider');
    if (url) call.about.service = new URL(url).origin;
    const patience = new Patience(world, call, milliseconds(input.timeout_seconds));
    for (;;) {
      const known = await world.agent.resumeProviderLogin({
        provider: url || undefined,
        signal: call.signal,
      });
      if (known.status === 'not_started') {
        if (known.session !== undefined) return signedIn(world, known.session);
        throw notOpen(url || undefined);
      }
      const { login } = known;
      const ended = await world.waits.run(
        `sign-in ${login.provider}`,
        patience.listener,
        (onEvent) =>
          login.wait({
            timeout: patience.left(),
            signal: patience.signal,
            onEvent: patience.watch(onEvent),
          }),
        patience,
      );
      if (ended !== undefined) return endAnswer(world, login, ended);
      call.signal.throwIfAborted();
      if (patience.left() === 0) return stillOpen(world, login.provider, login.ceremony);
    }
  },
});

function stillOpen(
  world: McpWorld,
  at: string,
  ceremony: SignInCeremony,
  unanswered?: UnansweredPolls,
): ToolAnswer {
  return stillWaiting(world, 'sign_in', {
    ceremony,
    lines: [
      unanswered === undefined
        ? 'The provider has not said yet that the user has signed in; the sign-in stays open.'
        : `${unansweredText('The provider', unanswered)} The sign-in stays open. Tell the user that the provider does not answer, and wait again once it does.`,
    ],
    data: {
      provider: at,
      ...(unanswered !== undefined && { unanswered_polls: unanswered.polls }),
    },
    next: nextTool('await_sign_in', { provider: at }),
  });
}

function openAnswer(
  world: McpWorld,
  { provider: at, ceremony }: Pick<ProviderLogin<SignInCeremony>, 'provider' | 'ceremony'>,
  line: string,
): ToolAnswer {
  return handOver(world, {
    ceremony,
    next: nextTool('await_sign_in', { provider: at }),
    lines: [line],
    data: { provider: at },
    member: 'sign_in',
    who: 'the user',
    why: 'to sign in, so that it can tell services who you are',
  });
}

function signedIn(
  world: McpWorld,
  {
    issuer,
    account,
  }: {
    readonly issuer: string;
    readonly account: string | null;
  },
): ToolAnswer {
  const next = nextTool('connect', { provider: issuer }, ['service']);
  return {
    lines: ['The user is signed in at the provider.', nextText(next)],
    data: {
      status: 'signed_in',
      provider: issuer,
      untrusted_account: account === null ? null : foreignLine(account, 254, world.mask),
      next: nextJson(next),
    },
  };
}

function endAnswer(
  world: McpWorld,
  login: ProviderLogin<SignInCeremony>,
  ended: ProviderLoginOutcome,
): ToolAnswer {
  const { provider: at } = login;
  switch (ended.status) {
    case 'signed_in':
      return signedIn(world, ended.session);
    case 'pending':
      return stillOpen(world, at, ended.ceremony, ended.unanswered);
    case 'denied':
      throw new ToolError('The user denied the sign-in.', {
        code: 'access_denied',
        hint: 'Respect that. Only if the user says that it was a mistake, begin another.',
        next: nextTool('sign_in', { provider: at }),
      });
    case 'expired':
      throw new ToolError('The code has expired.', {
        code: 'sign_in_expired',
        hint: 'Ask the user whether they want another one.',
        next: nextTool('sign_in', { provider: at }),
      });
    case 'aborted':
      throw new ToolError('The wait was cancelled. The sign-in stays open.', {
        code: 'aborted',
        retryable: true,
        next: nextTool('await_sign_in', { provider: at }),
      });
  }
}

function notOpen(at: string | undefined): ToolError {
  return new ToolError('No sign-in is open.', {
    code: 'no_sign_in_open',
    next: nextTool('sign_in', { provider: at }, at === undefined ? ['provider'] : []),
  });
}
