import type {
  AccessToken,
  ClaimOutcome,
  EndedClaim,
  Registration,
  ResumeClaimOutcome,
  Warning,
} from '../../agent/index.ts';
import { registerAnew } from '../../agent/records/register-step.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { type Answer, type Lines, nextTool, ToolError } from '../answer/answer.ts';
import { claimAgain, RESPECT_DENIAL } from '../errors/access-ended.ts';
import { fromStep } from '../errors/next-step.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { claimOpenAnswer } from './ceremony.ts';
import {
  idText,
  registrationJson,
  scopesJson,
  secondsUntil,
  warningsJson,
} from './registration.ts';

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
      return claimOpenAnswer(world, {
        ...{ lines, registration, ceremony: claim.ceremony },
        data: {
          resumed: claim.resumed,
          untrusted_warnings: warningsJson(world, claim.warnings),
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
      registration: registrationJson(world, registration),
      scopes: scopesJson(world, token?.scopes ?? registration.postClaimScopes),
      token_expires_in_seconds: secondsUntil(world, registration.issuer, token?.expiresAt),
      untrusted_warnings: warningsJson(world, warnings),
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
  const anew = fromStep(registerAnew(registration), { service, program: world.program });
  const next = {
    attempt_expired: nextTool('start_claim', { service }),
    denied: claimAgain(service),
    window_over: anew,
    revoked: anew,
    aborted: nextTool('await_claim', { service }),
  }[status];
  const { message, ...facts } = FAILURES[status];
  const details = { registration_id: idText(world, registration) };
  return new ToolError(message, { ...facts, next, details });
}

const FAILURES = {
  attempt_expired: {
    code: 'attempt_expired',
    message: 'The code has expired; the registration can still be claimed.',
    hint: 'Ask the user whether they want another code.',
  },
  denied: { code: 'access_denied', message: 'The user denied the claim.', hint: RESPECT_DENIAL },
  window_over: {
    code: 'window_over',
    message: 'The time to claim the registration has expired.',
  },
  revoked: {
    code: 'registration_over',
    message: 'The registration was revoked, or its claim was already collected elsewhere.',
  },
  aborted: {
    code: 'aborted',
    message: 'The wait was cancelled. The claim stays open.',
    retryable: true,
  },
};
