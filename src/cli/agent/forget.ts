import type { Agent } from '../../agent/agent.ts';
import { AgentError } from '../../agent/agent-error.ts';
import type { KeptAnswer } from '../../agent/model.ts';
import type { ForgetOutcome } from '../../agent/outcomes.ts';
import { isLive } from '../../agent/records/registration-state.ts';
import { describeLeft } from '../../protocol/durations.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { namedService, storedService } from '../prompts/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { endJson } from '../terminal/time.ts';
import { orChosen } from './use.ts';

/** Revokes the token, as far as the server can be reached, and removes the registration here. */
export async function forget(
  context: Context,
  registrationId: string | undefined,
): Promise<Outcome> {
  const opened = await openAgent(context);
  const { agent, store } = opened;
  const { signal } = context.interrupt;
  if (registrationId?.startsWith('kept_')) {
    const gone = await agent.forgetKept({ id: registrationId });
    return context.output.result(presentKeptRemoved(gone));
  }
  // An id implies its service; only --service overrides that.
  const service =
    registrationId === undefined
      ? await storedService(context, store)
      : namedService(context, undefined, { environment: false });
  try {
    const outcome = await orChosen(context, opened, registrationId, (id) =>
      agent.forget({ service, registrationId: id, signal }),
    );
    context.output.result(presentForgotten(context, outcome));
  } catch (error) {
    const gone = await forgetOnlyAnswer(agent, service, error);
    context.output.result(presentKeptRemoved(gone));
  }
  return 'done';
}

/** Where all that is there is an answer that was not understood, that is what is meant. */
async function forgetOnlyAnswer(
  agent: Agent,
  service: string | undefined,
  error: unknown,
): Promise<readonly KeptAnswer[]> {
  if (!(error instanceof AgentError) || error.code !== 'registered_not_understood') throw error;
  const { notUnderstood } = await agent.status();
  if (service === undefined && notUnderstood.length > 1) throw error;
  return agent.forgetKept({ service });
}

/** Presents a registration that was forgotten, with what became of its token at the server. */
function presentForgotten(context: Context, outcome: ForgetOutcome): Rendering {
  return {
    schema: 'forget',
    json: () => ({ status: 'forgotten', ...forgottenJson(context, outcome) }),
    human: (style) => `${style.green('✓')} ${describeForgotten(context, outcome)}`,
  };
}

/** Presents kept answers that were removed here; nothing was sent to the service. */
function presentKeptRemoved(gone: readonly KeptAnswer[]): Rendering {
  return {
    schema: 'forget',
    json: () => ({
      status: 'forgotten',
      not_understood: gone.map(({ id, issuer, of }) => ({ id, issuer, of })),
    }),
    human: (style) => `${style.green('✓')} ${keptRemovedText(gone)}`,
  };
}

function keptRemovedText(gone: readonly KeptAnswer[]): string {
  return `${gone.map(({ id }) => id).join(', ')} ${gone.length === 1 ? 'is' : 'are'} removed from this machine. What the service created still exists there.`;
}

export function forgottenJson({ clocks }: Context, outcome: ForgetOutcome) {
  const { registration, next, revocation, tokenRemaining } = outcome;
  return {
    registration_id: registration.id,
    issuer: registration.issuer,
    resource: registration.resource,
    in_use: next?.id ?? null,
    in_use_expired: next === undefined ? null : !isLive(next, clocks.now(next.issuer)),
    revocation,
    ...endJson(
      'token_expires',
      tokenRemaining === null ? null : registration.token?.expiresAt,
      clocks.now(registration.issuer),
    ),
  };
}

export function describeForgotten({ clocks }: Context, outcome: ForgetOutcome): string {
  const { registration, next, revocation } = outcome;
  const left = next && isLive(next, clocks.now(next.issuer)) ? '' : ', which is over';
  const instead = next === undefined ? '' : `\n  In use now: ${next.id}${left}.`;
  return `Removed ${registration.id} from this machine${REVOCATION_TEXT[revocation]}${expiryText(outcome)}${instead}`;
}

const REVOCATION_TEXT: Readonly<Record<ForgetOutcome['revocation'], string>> = {
  revoked: ' and revoked its access token.',
  no_token: '. It had no access token.',
  not_offered: '. The service offers no revocation.',
  refused: '. The server did not revoke its access token, which may still be valid.',
  unreachable: '. The server could not be reached, so its access token may still be valid.',
};

function expiryText({ revocation, tokenRemaining }: ForgetOutcome): string {
  const uncertain = revocation !== 'revoked' && revocation !== 'no_token';
  return uncertain && tokenRemaining !== null && tokenRemaining > 0
    ? ` It expires in ${describeLeft(tokenRemaining)}.`
    : '';
}
