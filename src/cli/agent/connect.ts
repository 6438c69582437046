import type {
  AccessAttempt,
  Connected,
  ConnectOutcome,
  ConnectPending,
  ConnectRequest,
  ConnectUser,
} from '../../agent/connect/connect-request.ts';
import { connectArgs } from '../../agent/connect/connect-run.ts';
import { newWarnings, stepWarnings } from '../../agent/connect/step-warnings.ts';
import type { Registration, SignInCeremony, Warning } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { askForEmail, chooseType } from '../prompts/ask-user.ts';
import { ceremonyJson, waitingText } from '../prompts/ceremony.ts';
import { readClient } from '../prompts/client.ts';
import { canTypeCode, codeAsker } from '../prompts/code-screen.ts';
import { type OpenAgent, openAgent } from '../prompts/open-agent.ts';
import { absoluteUrl, chooseService, lastProvider } from '../prompts/service.ts';
import { showClaim, wantsAnotherCode } from '../prompts/wait-for-claim.ts';
import { needsUser, withUser } from '../prompts/with-user.ts';
import { type CliError, usageError } from '../shell/cli-error.ts';
import { type Context, createContext } from '../shell/context.ts';
import { callOutcome, type Outcome } from '../shell/exit-codes.ts';
import { explain } from '../shell/explain.ts';
import type { Next } from '../shell/next.ts';
import { nextLine, nextText, typedAgain } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/table.ts';
import { endText } from '../terminal/time.ts';
import { claimFailure } from './claim-lines.ts';
import { callJson, describeCall, presentConnectStep, presentSigningIn } from './connect-steps.ts';
import { forgottenJson } from './forget.ts';
import type { ConnectOptions } from './options.ts';
import { codeLine, registrationJson, serviceJson } from './registration-lines.ts';
import { tokenJson } from './token-json.ts';

/** The whole procedure at a service. Each step is printed; the summary is the result. */
export async function connect(
  context: Context,
  url: string | undefined,
  options: ConnectOptions,
): Promise<Outcome> {
  checkFits(options);
  const { interrupt, output } = context;
  const { signal } = interrupt;
  // What --leave promises is done after Ctrl-C, too: everything before it takes the signal itself.
  const { fetch } = createContext(context.world, context.options, {
    ...context,
    interrupt: new AbortController(),
  });
  const client = await readClient(context, options);
  const opened = await openAgent({ ...context, fetch }, options);
  const request: ConnectRequest = {
    service: await chooseService(context, opened.store, url),
    client,
    type: options.type,
    email: options.email,
    provider:
      options.provider === undefined
        ? client && (await lastProvider(context, opened.store, client.id))
        : absoluteUrl(options.provider, 'The provider URL', context.options),
    scopes: options.scope?.flatMap((each) => each.split(/\s+/)).filter((each) => each !== ''),
    claim: options.claim,
    call: options.call,
    leave: options.leave,
  };
  if (context.world.environment.source['AGENT_AUTH_TOKEN']) {
    output.warn('AGENT_AUTH_TOKEN is set: other commands use that token, this one does not.');
  }
  const left = new Set<string>();
  const warned: Warning[] = [];
  let outcome: ConnectOutcome;
  try {
    outcome = await opened.agent.connect({
      ...request,
      signal,
      user: connectUser(context, opened, options),
      onStep: (step) => {
        output.event(presentConnectStep(context, step));
        if (step.step === 'leave' && step.status === 'left')
          left.add(step.forgotten.registration.id);
        const fresh = newWarnings(warned, stepWarnings(step));
        warned.push(...fresh);
        for (const { message } of fresh) output.warn(message);
      },
    });
  } catch (error) {
    throw connectFailure(context, request, error);
  }
  return finish(context, request, outcome, left);
}

/** @param left ids of what was registered in this run and is forgotten by now. */
function finish(
  context: Context,
  request: ConnectRequest,
  outcome: ConnectOutcome,
  left: ReadonlySet<string>,
): Outcome {
  const { output } = context;
  const next = nextLine(context, 'connect', request.service, ...connectArgs(request));
  switch (outcome.status) {
    case 'connected':
      output.result(presentConnected(context, request, outcome));
      return outcome.call === null ? 'done' : callOutcome(outcome.call.status);
    case 'claim_pending':
      output.result(presentConnectPending(context, outcome, next));
      return 'pending';
    case 'login_required':
    case 'consent_required':
      // A secret or key that was not tried yet is not kept: it is given again.
      throw needsUser(
        context,
        outcome,
        request.client?.secret || request.client?.key ? typedAgain(context) : next,
      );
    default:
      throw claimFailure(context, outcome.status, outcome.registration, {
        next,
        isLeft: left.has(outcome.registration.id),
      });
  }
}

/** @throws CliError (usage) for options that cannot be combined. */
function checkFits({ clientId, type, email, provider, leave, wait }: ConnectOptions): void {
  if (clientId !== undefined && (type ?? email) !== undefined) {
    const flag = type === undefined ? '--email' : '--type';
    throw usageError(`--client-id and ${flag} cannot be combined.`, {
      hint: 'A client is known to the service: nothing is registered.',
    });
  }
  const flags = [
    ...(email === undefined ? [] : ['--email']),
    ...(provider === undefined ? [] : ['--provider']),
  ];
  if (flags.length > 1) throw usageError('--email and --provider cannot be combined.');
  const isByProvider = type === 'identity_assertion';
  if (type !== undefined && flags[0] !== undefined && isByProvider !== (provider !== undefined)) {
    throw usageError(`${flags[0]} cannot be used with --type ${type}.`);
  }
  if (leave && !wait) {
    throw usageError('--leave and --no-wait cannot be combined.', {
      hint: '--leave removes the registration, so nothing could be continued.',
    });
  }
}

/** Why a connect did not come to its end. What may work the next time names the same line again. */
function connectFailure(context: Context, request: ConnectRequest, error: unknown): CliError {
  const explained = explain(error, context);
  const { outcome, hint, next, retryable } = explained;
  // A certificate that is not trusted stays so: what mends it is another line.
  const goesOn = (outcome === 'network' && retryable) || outcome === 'interrupted';
  if (!goesOn && (outcome !== 'expired' || next !== undefined)) return explained;
  return explained.with({
    hint: hint ?? 'Run the same command to continue where it stopped.',
    next: nextLine(context, 'connect', request.service, ...connectArgs(request)),
  });
}

/** What the agent may do now, and until when. */
function presentConnected(
  context: Context,
  request: ConnectRequest,
  connected: Connected,
): Rendering {
  const { already, service, registration, token, scopes, claimAdds, call, left, warnings } =
    connected;
  const isLeft = left.length > 0;
  const now = context.clocks.now(service.issuer);
  const next = isLeft ? null : nextLine(context, 'call', '/PATH');
  const more =
    isLeft || claimAdds?.length === 0
      ? null
      : nextLine(
          context,
          'connect',
          request.service,
          '--claim',
          '--email',
          userOf(registration) ?? 'EMAIL',
        );
  return {
    schema: 'connect',
    json: () => ({
      step: 'summary',
      status: 'connected',
      already,
      service: serviceJson(service),
      registration: registrationJson(context, registration),
      scopes,
      token: tokenJson(context, service.issuer, token),
      claim_adds: claimAdds,
      call: call && callJson(call),
      left: left.map((each) => forgottenJson(context, each)),
      warnings,
      next,
      more,
    }),
    human: (style) => {
      const end = (remaining: number | null) =>
        remaining === null ? undefined : endText(now, remaining);
      return [
        `${style.green('✓')} ${isLeft ? 'Connected to' : already ? 'Already connected to' : 'Connected to'} ${style.bold(service.name ?? service.resource)}${isLeft ? ', then left it' : ''}.`,
        facts(style, [
          registration.crossApp === undefined
            ? ['registration', `${registration.id} (${howRegistered(registration)})`]
            : ['client', `${registration.crossApp.clientId}, by ${registration.provider}`],
          ['user', userOf(registration) ?? undefined],
          [
            isLeft ? 'could use' : 'scopes',
            scopes === null ? 'not stated' : scopes.join(' ') || 'nothing',
          ],
          ['token valid until', isLeft ? undefined : end(token.remaining)],
          [
            'after a claim',
            claimAdds?.length === 0
              ? undefined
              : claimAdds
                ? `also ${claimAdds.join(' ')}`
                : 'not stated',
          ],
          ['checked with', call === null ? undefined : describeCall(call)],
        ]),
        ...(next === null ? [] : [nextText(style, next, 'use it')]),
        ...(more === null ? [] : [`  More: ${style.cyan(more.line)}`]),
      ].join('\n');
    },
  };
}

/** A code waits for its user, and this command does not wait. */
function presentConnectPending(
  context: Context,
  { service, open }: ConnectPending,
  again: Next,
): Rendering {
  const { ceremony, registration } = open;
  // A code that is read back is handed in first; the same line then goes on from there.
  const isReadBack = ceremony.kind === 'read_back';
  const next = isReadBack ? codeLine(context) : again;
  return {
    schema: 'connect',
    json: () => ({
      step: 'summary',
      status: 'pending',
      service: serviceJson(service),
      registration: registrationJson(context, registration),
      claim: ceremonyJson(context, service.issuer, ceremony),
      next,
      ...(isReadBack && { others: [again] }),
    }),
    human: (style) =>
      [
        `${style.yellow('…')} Waiting for ${userOf(registration) ?? 'the user'} to ${registration.type === 'identity_assertion' ? 'confirm the link' : 'claim the registration'} at ${style.bold(service.name ?? service.resource)}:`,
        ...waitingText(style, ceremony),
        nextText(style, next, isReadBack ? 'hand in the code' : 'continues from here'),
        ...(isReadBack ? [`  Others: ${style.cyan(again.line)}`] : []),
      ].join('\n'),
  };
}

/** Who claimed it is no contradiction to how it began. */
function howRegistered(registration: Registration): string {
  const { type, claimed } = registration;
  const user = userOf(registration);
  const isTheirs = type === 'anonymous' && claimed && user !== null;
  return isTheirs ? `registered anonymously, claimed by ${user}` : type;
}

/** What the provider is asked for. */
function atService({ service, scopes }: Pick<AccessAttempt, 'service' | 'scopes'>) {
  return { audience: service, scopes, resource: service.resource };
}

/** The user at this terminal; with `--no-wait` nothing is handed to them. */
function connectUser(
  context: Context,
  { agent, store }: OpenAgent,
  { browser, flow, wait }: Pick<ConnectOptions, 'browser' | 'flow' | 'wait'>,
): ConnectUser {
  /** Prints, with --json, what the user needs to sign in before the wait: no screen is read there. */
  const onSignIn = async (service: string, ceremony: SignInCeremony, provider: string) => {
    if (context.output.json) context.output.event(presentSigningIn(context, provider, ceremony));
    const { clients = [] } = await store.read();
    const hasSecret = (at: string) =>
      clients.some(
        ({ issuer, key, secret }) =>
          withoutFinalSlash(issuer) === withoutFinalSlash(at) && (key ?? secret) !== null,
      );
    if (!hasSecret(service) || hasSecret(provider)) return;
    const give = ['--client-id', 'ID', '--client-secret', '@FILE'];
    // The provider itself says so only once its user has signed in.
    context.output.warn(
      `The secret of this client is for the service alone. If it has one at the provider, too, press Ctrl-C and give it first: ${nextLine(context, 'provider login', provider, ...give).line}`,
    );
  };
  return {
    type: async (offered) => (context.canAsk ? chooseType(context, store, offered) : undefined),
    email: async () => (context.canAsk ? askForEmail(context) : undefined),
    ...(wait && {
      claim: (open, end) => showClaim(context, open, { store, browser, wait: end }),
      ...(canTypeCode(context) && { code: codeAsker(context, { store, browser }) }),
      anotherCode: () => wantsAnotherCode(context),
      access: ({ attempt: send, ...asked }) =>
        withUser(context, agent, browser, {
          ...{ ...atService(asked), send, flow },
          onSignIn: (...signIn) => onSignIn(asked.service.issuer, ...signIn),
        }),
      atProvider: ({ attempt: send, ...asked }) =>
        withUser(context, agent, browser, { ...atService(asked), send }),
    }),
  };
}
