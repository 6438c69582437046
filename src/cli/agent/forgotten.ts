import type { ForgetOutcome } from '../../agent/outcomes.ts';
import { isLive } from '../../agent/records/registration-state.ts';
import { describeLeft } from '../../protocol/durations.ts';
import type { Context } from '../shell/context.ts';
import { endJson } from '../terminal/time.ts';

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
