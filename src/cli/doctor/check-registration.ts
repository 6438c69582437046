import type { Agent } from '../../agent/agent.ts';
import type { RegistrationState } from '../../agent/model.ts';
import { covers, withoutFinalSlash } from '../../protocol/addresses.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../next-line.ts';
import { type Check, type CheckStatus, failed, ok, warn } from './check.ts';

const STATES: Readonly<Record<RegistrationState, readonly [CheckStatus, string]>> = {
  unclaimed: ['ok', 'belongs to nobody yet, as far as this machine knows'],
  pending: ['warn', 'waits for its user'],
  lapsed: ['warn', 'waits for another claim attempt'],
  claimed: ['ok', 'is claimed, as far as this machine knows'],
  expired: ['fail', 'is over: its claim window has ended'],
  revoked: ['fail', 'was revoked'],
};

/** What this machine knows of its registration. Nothing is exchanged, renewed or registered. */
export async function checkRegistration(
  context: Context,
  agent: Agent,
  address: string,
): Promise<Check> {
  try {
    const { services } = await agent.status({ signal: context.interrupt.signal });
    const base = withoutFinalSlash(address);
    const service = services.find(
      ({ issuer, resource }) =>
        withoutFinalSlash(issuer) === base ||
        withoutFinalSlash(resource) === base ||
        covers(resource, address),
    );
    const current = service?.registrations.find((each) => each.current);
    if (current === undefined) {
      return warn('registration', 'This agent is not registered there.', {
        next: nextLine(context, 'register', address),
      });
    }
    const { registration, state, scopes } = current;
    const [status, text] = STATES[state];
    const next = {
      pending: nextLine(context, 'claim wait'),
      lapsed: nextLine(context, 'claim', '--email', registration.email ?? 'EMAIL'),
      expired: nextLine(context, 'register', address),
      revoked: nextLine(context, 'register', address),
      unclaimed: undefined,
      claimed: undefined,
    }[state];
    return {
      ...ok('registration', `The registration ${registration.id} ${text}.`),
      status,
      next,
      outcome: status === 'fail' ? 'failed' : undefined,
      details: { registration_id: registration.id, state, scopes },
    };
  } catch (error) {
    return failed('registration', error, context);
  }
}
