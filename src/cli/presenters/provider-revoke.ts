import type { ConsentRevoked } from '../../agent/outcomes.ts';
import type { Rendering } from '../output.ts';

export function presentConsentRevoked(outcome: ConsentRevoked): Rendering {
  const { audience, event, eventProblem, provider, status } = outcome;
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
    }),
    human: (style) => {
      const service = style.bold(audience);
      const gone =
        status === 'revoked'
          ? `${style.green('✓')} ${provider} no longer tells ${service} who you are.`
          : `There is no consent at ${provider} for ${service}.`;
      const told = describeTelling(outcome);
      return told === '' ? gone : `${gone}\n  ${told}`;
    },
  };
}

/** Whether the service knows; nothing where there was nothing to tell. */
function describeTelling({ event, eventProblem, provider, status }: ConsentRevoked): string {
  const why = eventProblem === undefined ? '' : ` (${eventProblem.code})`;
  switch (event) {
    case 'delivered':
      return 'The service was told, and ends the access that rests on it.';
    case 'pending':
      return `The service was not told yet${why}; the provider keeps trying. Until then the access lives on.`;
    case 'parked':
      return `The service was not told${why}, and it is not tried again by itself: tell it again on the pages of ${provider}.`;
    case 'none':
      return status === 'revoked'
        ? `The service cannot be told${why}: end the access there as well.`
        : '';
  }
}
