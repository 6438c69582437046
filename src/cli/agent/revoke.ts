import type { RevokeOutcome } from '../../agent/outcomes.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { storedService } from '../prompts/service.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';

/** Revokes the access token in use (RFC 7009). The registration stays. */
export async function revoke(context: Context): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const outcome = await agent.revoke({
    service: await storedService(context, store),
    signal: context.interrupt.signal,
  });
  return context.output.result(presentRevocation(context, outcome));
}

function presentRevocation(context: Context, outcome: RevokeOutcome): Rendering {
  const next = nextLine(context, 'token');
  return {
    schema: 'revoke',
    json: () => ({
      status: outcome.status,
      source: outcome.source,
      registration_id: outcome.registration?.id ?? null,
      next,
    }),
    human: (style) =>
      outcome.source === 'environment'
        ? `${style.green('✓')} The token in AGENT_AUTH_TOKEN is revoked. Unset the variable to use what is stored.`
        : outcome.status === 'revoked'
          ? `${style.green('✓')} The access token is revoked. The registration stays; a new token: ${style.cyan(next.line)}`
          : 'There was no access token to revoke.',
  };
}
