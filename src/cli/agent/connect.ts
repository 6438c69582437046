import { connectArgs } from '../../agent/connect/connect-args.ts';
import type { ConnectOutcome, ConnectRequest } from '../../agent/connect/connect-request.ts';
import { stepWarnings, unsaid } from '../../agent/connect/step-warnings.ts';
import type { Warning } from '../../agent/model.ts';
import type { IdentityType } from '../../protocol/constants.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { openAgent } from '../choose/open-agent.ts';
import { chooseService } from '../choose/service.ts';
import { needsUser } from '../handover/with-user.ts';
import { usageError } from '../shell/cli-error.ts';
import { type Context, createContext } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { callOutcome } from './call-outcome.ts';
import { connectFailure } from './connect-failure.ts';
import { claimFailure } from './end-claim.ts';
import { presentConnected, presentConnectPending } from './present-connect.ts';
import { presentConnectStep } from './present-connect-step.ts';
import { userAt } from './user-at.ts';

export interface ConnectOptions {
  readonly type?: IdentityType;
  readonly email?: string;
  readonly provider?: string;
  readonly scope?: readonly string[];
  readonly claim?: true;
  readonly call?: string;
  readonly leave?: true;
  readonly wait: boolean;
  readonly browser: BrowserMode;
}

/** The whole procedure at a service, each step told; the summary is the result. */
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
  const opened = await openAgent({ ...context, fetch });
  const request: ConnectRequest = {
    service: await chooseService(context, opened.store, url),
    type: options.type,
    email: options.email,
    provider: options.provider && absoluteUrl(options.provider, 'The provider address'),
    scopes: options.scope?.flatMap((each) => each.split(/\s+/)).filter((each) => each !== ''),
    claim: options.claim,
    call: options.call,
    leave: options.leave,
  };
  if (context.world.environment.source['AGENT_AUTH_TOKEN']) {
    output.warn('AGENT_AUTH_TOKEN is set: other commands take that token. This one does not.');
  }
  const left = new Set<string>();
  const warned: Warning[] = [];
  let outcome: ConnectOutcome;
  try {
    outcome = await opened.agent.connect({
      ...request,
      signal,
      person: userAt(context, opened, options),
      onStep: (step) => {
        output.event(presentConnectStep(context, step));
        if (step.step === 'leave' && step.status === 'left')
          left.add(step.forgotten.registration.id);
        const odd = unsaid(warned, stepWarnings(step));
        warned.push(...odd);
        for (const { message } of odd) output.warn(message);
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
      throw needsUser(context, outcome, next);
    default:
      throw claimFailure(context, outcome.status, outcome.registration, {
        next,
        isLeft: left.has(outcome.registration.id),
      });
  }
}

/** @throws CliError (usage) for options that exclude one another. */
function checkFits({ type, email, provider, leave, wait }: ConnectOptions): void {
  const flags = [
    ...(email === undefined ? [] : ['--email']),
    ...(provider === undefined ? [] : ['--provider']),
  ];
  if (flags.length > 1) throw usageError('--email and --provider exclude one another.');
  const isByProvider = type === 'identity_assertion';
  if (type !== undefined && flags[0] !== undefined && isByProvider !== (provider !== undefined)) {
    throw usageError(`${flags[0]} does not fit --type ${type}.`);
  }
  if (leave && !wait) {
    throw usageError('--leave and --no-wait exclude one another.', {
      hint: 'What was left cannot be gone on with.',
    });
  }
}
