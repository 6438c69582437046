import type { AccessToken, EndedClaim, Registration, Warning } from '../../agent/index.ts';
import { registerAnew } from '../../agent/records/register-step.ts';
import type { Answer } from '../answer/answer.ts';
import { claimAgain, RESPECT_DENIAL } from '../errors/access-ended.ts';
import { ToolError } from '../errors/tool-error.ts';
import { fromStep } from '../next/from-step.ts';
import { nextJson, nextText, nextTool } from '../next/next.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import {
  idText,
  registrationJson,
  scopesJson,
  secondsUntil,
  warningsJson,
} from './registration.ts';

/** The claim is complete. The token is missing where it was completed before. */
export function claimedAnswer(
  world: McpWorld,
  registration: Registration,
  token: AccessToken | null,
  warnings: readonly Warning[] = [],
): Answer {
  const next = nextTool('call', { service: registration.resource }, ['target']);
  const scopes = token?.scopes ?? registration.postClaimScopes;
  return {
    lines: [
      'The user has claimed the registration: the agent may act for them now.',
      nextText(next),
    ],
    data: {
      status: 'claimed',
      registration: registrationJson(world, registration),
      scopes: scopesJson(world, scopes),
      token_expires_in_seconds: secondsUntil(world, registration.issuer, token?.expiresAt),
      untrusted_warnings: warningsJson(world, warnings),
      next: nextJson(next),
    },
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
  const again = nextTool('start_claim', { service });
  const anew = () => fromStep(registerAnew(registration), { service, program: world.program });
  const details = { registration_id: idText(world, registration) };
  switch (status) {
    case 'attempt_expired':
      return new ToolError('The code has expired; the registration can still be claimed.', {
        code: 'attempt_expired',
        hint: 'Ask the user whether they want another code.',
        next: again,
        details,
      });
    case 'denied':
      return new ToolError('The user denied the claim.', {
        code: 'access_denied',
        hint: RESPECT_DENIAL,
        next: claimAgain(service),
        details,
      });
    case 'window_over':
      return new ToolError('The time to claim the registration has expired.', {
        code: 'window_over',
        next: anew(),
        details,
      });
    case 'revoked':
      return new ToolError(
        'The registration was revoked, or its claim was already collected elsewhere.',
        { code: 'registration_over', next: anew(), details },
      );
    case 'aborted':
      return new ToolError('The wait was cancelled. The claim stays open.', {
        code: 'aborted',
        retryable: true,
        next: nextTool('await_claim', { service }),
        details,
      });
  }
}
