import { claimEnd } from '../../agent/claim/claim-end.ts';
import type {
  AccessToken,
  ClaimOutcome,
  EndedClaim,
  Registration,
  ResumeClaimOutcome,
  Warning,
} from '../../agent/index.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { type Answer, type Lines, nextTool, ToolError } from '../answer/answer.ts';
import { RESPECT_DENIAL } from '../errors/access-ended.ts';
import { fromStep } from '../errors/next-step.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { claimOpenAnswer } from './ceremony.ts';

type Claim = ResumeClaimOutcome | Exclude<ClaimOutcome, { readonly status: 'pending' }>;

/**
 * What has become of a claim: open, where the user has to act, or complete.
 * @param lines of one that is open.
 * @throws ToolError where it has ended otherwise, or was never opened.
 */
export function claimAnswer(world: McpWorld, claim: Claim, lines: Lines): Answer {
  const { registration } = claim;
  switch (claim.status) {
    case 'open':
      return claimOpenAnswer(world, claim, {
        lines,
        data: {
          resumed: claim.resumed,
          untrusted_warnings: world.show.warnings(claim.warnings),
        },
      });
    case 'claimed':
      return claimedAnswer(world, registration, claim.token, claim.warnings);
    case 'already_claimed':
      return claimedAnswer(world, registration, registration.token);
    case 'not_started':
      throw new ToolError('No claim is open for this registration.', {
        code: 'no_claim_open',
        next: nextTool(
          'start_claim',
          { service: registration.resource },
          userOf(registration) === null ? ['email'] : [],
        ),
      });
    default:
      throw claimFailure(world, claim.status, registration);
  }
}

/** The claim is complete. The token is missing where it was completed before. */
function claimedAnswer(
  world: McpWorld,
  registration: Registration,
  token: AccessToken | null,
  warnings: readonly Warning[] = [],
): Answer {
  return {
    status: 'claimed',
    lines: ['The user has claimed the registration: the agent may act for them now.'],
    data: {
      registration: world.show.registration(registration),
      scopes: world.show.scopes(token?.scopes ?? registration.postClaimScopes),
      token_expires_in_seconds: world.show.secondsUntil(registration.issuer, token?.expiresAt),
      untrusted_warnings: world.show.warnings(warnings),
    },
    next: nextTool('call', { service: registration.resource }, ['target']),
  };
}

type Failure = EndedClaim['status'] | 'aborted';

/** A claim that did not complete, and the tool that goes on from there. */
export function claimFailure(
  world: McpWorld,
  status: Failure,
  registration: Registration,
): ToolError {
  const service = registration.resource;
  if (status === 'aborted') {
    return new ToolError('The call was cancelled. The claim stays open.', { code: status });
  }
  const details = { registration_id: world.show.id(registration) };
  const { code, message, next } = claimEnd(status, registration);
  const hint = HINTS[code];
  const step = fromStep(next, { service, program: world.program });
  return new ToolError(message, { code, hint, next: step, details });
}

const HINTS: Partial<Readonly<Record<string, string>>> = {
  attempt_expired: 'Ask the user whether they want another code.',
  access_denied: RESPECT_DENIAL,
};
