import type { Agent } from '../../agent/agent.ts';
import { AgentError } from '../../agent/agent-error.ts';
import type { KeptAnswer } from '../../agent/model.ts';
import type { ForgetOutcome } from '../../agent/outcomes.ts';
import { openAgent } from '../choose/open-agent.ts';
import { orChosen } from '../choose/registration.ts';
import { namedService, storedService } from '../choose/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { describeForgotten, forgottenJson } from './forgotten.ts';

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
    context.output.result(presentKeptRemoved(gone));
    return 'done';
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

/** With what became of the token at the server. */
function presentForgotten(context: Context, outcome: ForgetOutcome): Rendering {
  return {
    schema: 'forget',
    json: () => ({ status: 'forgotten', ...forgottenJson(context, outcome) }),
    human: (style) => `${style.green('✓')} ${describeForgotten(context, outcome)}`,
  };
}

/** Kept answers were removed here; nothing was sent to the service. */
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
