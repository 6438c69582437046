import type { Registration, RegistrationState } from '../../agent/model.ts';
import type { Status } from '../../agent/outcomes.ts';
import { userOf, wasDenied } from '../../agent/records/registration-state.ts';
import type { JsonData } from '../shell/output.ts';

interface KnownRegistration {
  readonly id: string;
  readonly resource: string;
  readonly line: string;
  readonly json: JsonData;
}

const STATE_TEXT: Readonly<Record<RegistrationState, string>> = {
  unclaimed: 'not claimed yet',
  pending: 'waiting for its user',
  lapsed: 'not claimed; the last code has expired',
  claimed: 'claimed',
  expired: 'expired',
  revoked: 'revoked',
};

/** Its state in a few words; a denial is told as one, though the state is the same as after an expiry. */
export function stateText(state: RegistrationState, registration: Registration): string {
  const isDenied = state === 'lapsed' && wasDenied(registration);
  return isDenied ? 'not claimed; its user denied it' : STATE_TEXT[state];
}

/** What it is, in a few words: its type and its user. */
export function kindOf(registration: Registration): string {
  const user = userOf(registration);
  return user === null ? registration.type : `${registration.type}, ${user}`;
}

/** Every registration on this machine, a line each, to choose from. */
export function knownRegistrations({ services }: Status): readonly KnownRegistration[] {
  return services.flatMap(({ issuer, resource, registrations }) =>
    registrations.map(({ registration, state, current }) => ({
      id: registration.id,
      resource,
      line: `${current ? '●' : '○'} ${registration.id}  ${kindOf(registration)}  ${stateText(state, registration)}  ${resource}`,
      json: { registration_id: registration.id, issuer, resource, state, current },
    })),
  );
}
