import { isSameService } from '../../agent/credentials/change-credentials.ts';
import type { Credentials, Registration } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import type { PageOwner } from './user-page.ts';

/** The service of a registration, and who is to claim it, as a claim screen shows them. */
export function claimOwner({ services }: Credentials, registration: Registration): PageOwner {
  const record = services.find((each) => isSameService(each, registration));
  return {
    heading: record?.name ?? new URL(registration.resource).host,
    url: registration.resource,
    account: userOf(registration) ?? undefined,
  };
}
