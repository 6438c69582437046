import type { Registration, RegistrationState } from '../../agent/model.ts';
import type { Status } from '../../agent/outcomes.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import type { JsonData } from '../shell/output.ts';

interface KnownRegistration {
  readonly id: string;
  readonly resource: string;
  readonly line: string;
  readonly json: JsonData;
}

export const STATE_TEXT: Readonly<Record<RegistrationState, string>> = {
  unclaimed: 'not claimed yet',
  pending: 'waiting for its user',
  lapsed: 'not claimed; the last code has expired',
  claimed: 'claimed',
  expired: 'expired',
  revoked: 'revoked',
};

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
      line: `${current ? '●' : '○'} ${registration.id}  ${kindOf(registration)}  ${STATE_TEXT[state]}  ${resource}`,
      json: { registration_id: registration.id, issuer, resource, state, current },
    })),
  );
}
