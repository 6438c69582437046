import { isSameService } from '../../agent/credentials/change-credentials.ts';
import type { KeptAnswer, Registration, RegistrationState, Service } from '../../agent/model.ts';
import type { Step } from '../../agent/next-step.ts';
import type { RegistrationStatus } from '../../agent/outcomes.ts';
import { registerStep } from '../../agent/records/register-step.ts';
import { userOf, wasDenied } from '../../agent/records/registration-state.ts';
import { findServiceRecord } from '../../agent/records/select-service.ts';
import { describeLeft } from '../../protocol/durations.ts';
import { covers } from '../../protocol/urls.ts';
import type { OpenAgent } from '../prompts/open-agent.ts';
import type { Context } from '../shell/context.ts';
import { nextLine, nextStepLine } from '../shell/next-line.ts';
import { type Check, type CheckStatus, failed, ok, warn } from './check.ts';

const STATES: Readonly<Record<RegistrationState, readonly [CheckStatus, string]>> = {
  unclaimed: ['ok', 'is unclaimed, as of the last contact'],
  pending: ['warn', 'waits for its user'],
  lapsed: ['warn', 'waits for another claim attempt'],
  claimed: ['ok', 'is claimed, as of the last contact'],
  expired: ['fail', 'has expired: its claim window has ended'],
  revoked: ['fail', 'was revoked'],
};

/**
 * The stored state of the registration. Nothing is exchanged, renewed or registered.
 * @param url as it was typed.
 * @param service what was found there; `undefined`: nothing, so the step is not to register.
 */
export async function checkRegistration(
  context: Context,
  { agent, store }: OpenAgent,
  url: string,
  service: Service | undefined,
): Promise<Check> {
  const register = service && registerStep(url, service.identityTypes);
  try {
    const { services, notUnderstood } = await agent.status({ signal: context.interrupt.signal });
    const credentials = await store.read();
    const record =
      credentials.services.find((each) => service !== undefined && isSameService(each, service)) ??
      findServiceRecord(credentials, url);
    const status = services.find((each) => record !== undefined && isSameService(each, record));
    const current = status?.registrations.find((each) => each.current);
    const isHere = ({ issuer, resource }: Pick<KeptAnswer, 'issuer' | 'resource'>) =>
      service === undefined ? covers(resource, url) : isSameService({ issuer, resource }, service);
    if (
      current === undefined &&
      notUnderstood.some((each) => each.of === 'registration' && isHere(each))
    ) {
      return warn(
        'registration',
        'It registered there, and the response was not understood: do not register again.',
        { next: nextLine(context, 'status') },
      );
    }
    if (current === undefined) {
      return warn('registration', 'This agent is not registered there.', {
        next: register && nextStepLine(context, register),
      });
    }
    const { registration, state, scopes } = current;
    const [worst] = STATES[state];
    const steps: Readonly<Partial<Record<RegistrationState, Step | undefined>>> = {
      pending:
        registration.claim?.attempt?.kind === 'read_back'
          ? { command: 'claim', args: ['--code', 'CODE'] }
          : { command: 'claim wait', args: [] },
      // A user who said no is asked again on their own word alone.
      lapsed: wasDenied(registration)
        ? undefined
        : { command: 'claim', args: ['--email', userOf(registration) ?? 'EMAIL'] },
      expired: register,
      revoked: register,
    };
    const step = steps[state];
    return {
      ...ok(
        'registration',
        `The registration ${registration.id} ${stateText(state, registration)}.${credentialText(registration)}${renewable(current)}`,
      ),
      status: worst,
      next: step && nextStepLine(context, step),
      outcome: worst === 'fail' ? 'failed' : undefined,
      details: {
        registration_id: registration.id,
        state,
        scopes,
        dialect: registration.dialect,
        direct: registration.token?.direct === true,
        claim_kind: registration.claim?.attempt?.kind ?? null,
        ...(registration.refresh && { refresh_remaining: current.refreshRemaining }),
      },
    };
  } catch (error) {
    return failed('registration', error, context);
  }
}

function stateText(state: RegistrationState, registration: Registration): string {
  if (state === 'pending') return waitingText(registration);
  if (state === 'lapsed' && wasDenied(registration)) return 'is not claimed: its user denied it';
  return STATES[state][1];
}

/** Which way the code of its claim goes. */
function waitingText({ claim }: Registration): string {
  if (claim?.attempt?.kind !== 'read_back') return 'waits for its user';
  return claim.attempt.verificationUri === null
    ? 'waits for the code that was mailed to its user'
    : 'waits for the code that its page shows';
}

function credentialText({ dialect, token, refresh }: Registration): string {
  const has = token?.direct
    ? ', which gave its credential itself'
    : refresh
      ? ', renewed by a refresh token'
      : '';
  return ` Its dialect is ${dialect}${has}.`;
}

/** How long a refresh token renews it; nothing where it has none. */
function renewable({ refreshRemaining: left }: RegistrationStatus): string {
  if (left === null) return '';
  return left > 0
    ? ` Its refresh token is good for ${describeLeft(left)}.`
    : ' Its refresh token has expired.';
}
