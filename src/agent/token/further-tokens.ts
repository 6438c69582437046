import { WIRE_CODES } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import { claimDenied, claimNotStarted, codeNeeded } from '../claim/no-claim.ts';
import { collect } from '../claim/poll-claim.ts';
import { reachService } from '../discovery/reach-service.ts';
import { exchange, renewByRefresh } from '../exchange/exchange.ts';
import type { AccessToken, OpenClaim, Registration } from '../model.ts';
import { wordsBeside } from '../problems/problem.ts';
import type { AtService } from '../records/at-service.ts';
import { type InUse, keepClock, saveRegistration, type TokenCandidate } from '../records/in-use.ts';
import { registerAnew } from '../records/register-step.ts';
import { isOver, wasDenied } from '../records/registration-state.ts';
import { registerAgain } from '../register/register.ts';
import type { Tools } from '../tools.ts';

/** The candidates after the stored token, which was refused, is over or was passed over. */
export async function* furtherTokens(
  tools: Tools,
  { record, registration: stored, peer }: InUse,
): AsyncGenerator<TokenCandidate, never> {
  if (stored.crossApp !== undefined) {
    const { renewedAccess } = await import('../cross-app/get-access.ts');
    return yield* renewedAccess(tools, { record, registration: stored, peer });
  }
  let registration = stored;
  const { token } = stored;
  const service = await reachService(tools, record);
  // Where nothing is left, nothing else is written, and the status would count by the time before.
  await keepClock(tools, { record, registration, peer });
  let refusal: Problem | undefined;
  let freshRefused = false;
  const { assertion } = registration;
  const renewByAssertion = async (at: AtService) =>
    assertion === null || isOver(assertion.expiresAt, peer.now())
      ? undefined
      : exchange(at, assertion);
  for (const renew of [renewByAssertion, renewByRefresh]) {
    const result = await renew({ tools, service, registration });
    if (result === undefined) continue;
    if ('registration' in result) registration = result.registration;
    if (result.kind === 'token') {
      const { token, warnings } = result;
      yield { token, registration, fresh: true, warnings };
      freshRefused = true;
    } else {
      refusal = result.problem;
    }
  }

  const { claim } = registration;
  // The code that its user reads back is what collects a claim of the other kind.
  const isPolled = claim !== null && claim.attempt?.kind !== 'read_back';
  const polled = isPolled ? await collect({ tools, service, registration, claim }) : undefined;
  if (polled !== undefined) {
    registration = polled.registration;
    if (polled.status === 'claimed') {
      const { token, warnings } = polled;
      yield { token, registration, fresh: true, warnings };
    }
    // Also where an ID-JAG could register again: that would end the attempt the user is busy with.
    if (registration.claim !== null && assertion === null && !isLeft(token, registration.claim)) {
      throw claimPending(registration);
    }
  } else if (registration.claim !== null && assertion === null && token === null) {
    throw claimPending(registration);
  }

  if (registration.type === 'identity_assertion') {
    const again = await registerAgain({ tools, service, registration });
    if (again !== undefined) yield { ...again, fresh: true };
  }
  // It is active, and nothing but its claim is left to come to a token.
  if (!freshRefused && polled !== undefined && registration.claim?.attempt) {
    throw claimPending(registration);
  }
  if (refusal !== undefined && registration.claim === null) {
    registration = await saveRegistration(tools, registration, (stored) => ({
      ...stored,
      ended: stored.ended ?? 'revoked',
    }));
  }
  if (freshRefused) throw freshTokenRefused(registration);
  throw token?.direct && assertion === null
    ? credentialOver(registration, isOver(token.expiresAt, peer.now()))
    : nothingLeft(registration, refusal);
}

/** A registration that has nothing to exchange before its claim is complete. */
function claimPending(registration: Registration): AgentError {
  const { claim, email } = registration;
  const attempt = claim?.attempt;
  if (!attempt) return claimNotStarted();
  if (wasDenied(registration)) return claimDenied();
  if (attempt.ended === null) {
    if (attempt.kind === 'read_back') return codeNeeded(attempt);
    return new AgentError('The user has not completed the claim yet, so there is no token.', {
      code: 'claim_pending',
      hint: 'Wait for the user to type the code.',
      next: { command: 'claim wait', args: [] },
    });
  }
  return new AgentError('The claim attempt has ended, and there is no token before a claim.', {
    code: 'attempt_expired',
    hint: 'Open another attempt.',
    next: { command: 'claim', args: email === null ? [] : ['--email', email] },
  });
}

/** A credential of before a claim that nobody has started: that it is over is what counts. */
function isLeft(token: AccessToken | null, { attempt }: OpenClaim): boolean {
  return token?.direct === true && attempt === null;
}

function credentialOver(registration: Registration, isExpired: boolean): AgentError {
  return new AgentError(
    isExpired
      ? 'The credential of the registration has expired, and there is nothing to exchange for another.'
      : 'The service refuses the credential of the registration, and there is nothing to exchange for another.',
    {
      code: isExpired ? 'registration_over' : 'token_refused',
      hint: 'Register again.',
      next: registerAnew(registration, '--new'),
    },
  );
}

/** The exchange works, so the registration is active: the fault is the service's. */
function freshTokenRefused(registration: Registration): AgentError {
  return new AgentError('The service refuses a token that it has just issued.', {
    code: 'token_refused',
    hint: 'This looks like a fault of the service. If it continues, register again.',
    // It is active, so that `register` would take it again without --new.
    next: registerAnew(registration, '--new'),
  });
}

function nothingLeft(registration: Registration, problem: Problem | undefined): AgentError {
  const isExpired = registration.ended === 'expired';
  if (problem === undefined && registration.ended === null && registration.assertion === null) {
    return new AgentError('Nothing is left of the registration to make calls with.', {
      code: 'registration_over',
      hint: 'Register again.',
      next: registerAnew(registration),
    });
  }
  const ours = WIRE_CODES.token.invalid_grant.description;
  const words = problem === undefined ? '' : wordsBeside(problem, ours);
  return new AgentError(
    isExpired
      ? 'The registration is no longer valid: its claim window has ended.'
      : `The registration is no longer valid: its assertion is expired or was revoked.${words}`,
    {
      code: isExpired ? 'window_over' : 'registration_over',
      hint: 'Register again.',
      next: registerAnew(registration),
      problem,
    },
  );
}
