import type { Status } from '../../agent/outcomes.ts';
import type { JsonData } from '../shell/output.ts';
import { kindOf } from './present-registration.ts';
import { STATE_TEXT } from './present-status.ts';

export interface KnownRegistration {
  readonly id: string;
  readonly resource: string;
  readonly line: string;
  readonly json: JsonData;
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
