import type { ConsentRevoked } from '../../agent/outcomes.ts';
import { chooseAudienceIssuer } from '../prompts/audience.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { chooseProvider } from '../prompts/service.ts';
import { withUser } from '../prompts/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import type { RevokeOptions } from './options.ts';

/**
 * Revokes the consent to be identified to one audience. Done when the service was or will be notified;
 * pending when that takes a user: by revoking again, or at the service.
 */
export async function providerRevoke(
  context: Context,
  url: string | undefined,
  options: RevokeOptions,
): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const audience = await chooseAudienceIssuer(context, agent, store, options.audience);
  const outcome = await withUser(context, agent, options.browser, {
    audience: { issuer: audience, name: undefined },
    scopes: undefined,
    send: () => agent.providerRevoke({ provider, audience, signal: context.interrupt.signal }),
  });
  context.output.result(presentConsentRevoked(context, outcome));
  return outcome.event === 'parked' || isKnownByOtherIssuer(outcome) ? 'pending' : 'done';
}

/** The service registered the user under an earlier issuer URL of the provider: this one cannot notify it. */
function isKnownByOtherIssuer({ event, eventProblem }: ConsentRevoked): boolean {
  return event !== 'delivered' && eventProblem?.code === 'other_issuer';
}

function presentConsentRevoked(context: Context, outcome: ConsentRevoked): Rendering {
  const { audience, event, eventProblem, provider, status } = outcome;
  // Revoking again sends it again.
  const next =
    event === 'parked' && !isKnownByOtherIssuer(outcome)
      ? nextLine(context, 'provider revoke', provider, '--audience', audience)
      : undefined;
  return {
    schema: 'providerRevoke',
    json: () => ({
      status,
      provider,
      audience,
      event,
      event_problem:
        eventProblem === undefined
          ? null
          : { code: eventProblem.code, status: eventProblem.status ?? null },
      next: next ?? null,
    }),
    human: (style) => {
      const service = style.bold(audience);
      const consent =
        status === 'revoked'
          ? `${style.green('✓')} ${provider} no longer identifies you to ${service}.`
          : `There is no consent at ${provider} for ${service}.`;
      const notification = describeNotification(outcome);
      const lines = [consent, notification, next && `Next: ${style.cyan(next.line)}`];
      return lines.filter(Boolean).join('\n  ');
    },
  };
}

/** Whether the service was notified; empty where there was nothing to notify it of. */
function describeNotification(outcome: ConsentRevoked): string {
  const { event, eventProblem, status } = outcome;
  if (isKnownByOtherIssuer(outcome)) {
    return 'The service registered the user under another issuer URL of the provider; only that issuer can notify it: revoke the access at the service.';
  }
  const why = eventProblem === undefined ? '' : ` (${eventProblem.code})`;
  switch (event) {
    case 'delivered':
      return 'The service was notified and ends the access that depends on it.';
    case 'pending':
      return `The service has not been notified yet${why}; the provider keeps trying. Until then the access remains.`;
    case 'parked':
      return `The service was not notified${why}, and the provider does not try again: revoke again once the service accepts events.`;
    case null:
      return 'The provider does not report whether the service was notified: check there as well.';
    case 'none':
      return status === 'revoked'
        ? `The service cannot be notified${why}: revoke the access there as well.`
        : '';
  }
}
