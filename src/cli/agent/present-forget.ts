import type { KeptAnswer } from '../../agent/model.ts';
import type { ForgetOutcome } from '../../agent/outcomes.ts';
import { describeDuration } from '../../protocol/durations.ts';
import type { Context } from '../shell/context.ts';
import type { JsonData, Rendering } from '../shell/output.ts';
import { endJson } from '../terminal/time.ts';
import { keptRemovedText } from './present-not-understood.ts';

/** Says truthfully what became of the token at the server. */
export function presentForgotten(context: Context, outcome: ForgetOutcome): Rendering {
  return {
    schema: 'forget',
    json: () => ({ status: 'forgotten', ...forgottenJson(context, outcome) }),
    human: (style) => `${style.green('✓')} ${describeForgotten(outcome)}`,
  };
}

/** Answers that were not understood are gone from here; the service was told nothing. */
export function presentKeptRemoved(gone: readonly KeptAnswer[]): Rendering {
  return {
    schema: 'forget',
    json: () => ({
      status: 'forgotten',
      not_understood: gone.map(({ id, issuer, of }) => ({ id, issuer, of })),
    }),
    human: (style) => `${style.green('✓')} ${keptRemovedText(gone)}`,
  };
}

export function forgottenJson({ clocks }: Context, outcome: ForgetOutcome): JsonData {
  const { registration, next, revocation, tokenRemaining } = outcome;
  return {
    registration_id: registration.id,
    issuer: registration.issuer,
    resource: registration.resource,
    in_use: next?.id ?? null,
    revocation,
    ...endJson(
      'token_expires',
      tokenRemaining === null ? null : registration.token?.expiresAt,
      clocks.now(registration.issuer),
    ),
  };
}

export function describeForgotten(outcome: ForgetOutcome): string {
  const { registration, next, revocation } = outcome;
  const instead = next === undefined ? '' : `\n  In use now: ${next.id}.`;
  return `${registration.id} is removed from this machine. ${REVOCATION_TEXT[revocation]}${aliveText(outcome)}${instead}`;
}

const REVOCATION_TEXT: Readonly<Record<ForgetOutcome['revocation'], string>> = {
  revoked: 'Its access token is revoked.',
  no_token: 'It had no access token.',
  not_offered: 'The service offers no revocation.',
  refused: 'The server did not revoke its access token, which may still be alive.',
  unreachable: 'The server could not be reached, so its access token may still be alive.',
};

function aliveText({ revocation, tokenRemaining }: ForgetOutcome): string {
  const uncertain = revocation !== 'revoked' && revocation !== 'no_token';
  return uncertain && tokenRemaining !== null && tokenRemaining > 0
    ? ` It ends by itself in ${describeDuration(tokenRemaining)}.`
    : '';
}
