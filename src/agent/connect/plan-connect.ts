import { type IdentityType, normalizeEmail, withoutFinalSlash } from '../../protocol/index.ts';
import type { Registration, Service, ServiceRecord } from '../model.ts';
import { typeNotOffered } from '../records/register-step.ts';
import { isLive, userOf } from '../records/registration-state.ts';
import { requireEmail } from '../records/require-email.ts';
import type { ConnectRequest } from './connect-request.ts';

/** The type to connect by, and the registration to go on with. */
export type ConnectPlan =
  | { readonly type: 'anonymous'; readonly known: Registration | undefined }
  | {
      readonly type: 'service_auth';
      /** `undefined`: only a user knows. */
      readonly email: string | undefined;
      readonly known: Registration | undefined;
    }
  | {
      readonly type: 'identity_assertion';
      readonly provider: string | undefined;
      readonly known: Registration | undefined;
    };

type Asked = Pick<ConnectRequest, 'type' | 'email' | 'provider'>;

/**
 * An active registration that fits goes first, the one in use before others: so that connecting again
 * changes nothing, and a user takes over what is there instead of getting a second one. Where none is, the
 * lightest type that the service offers:
 * - `provider`: `identity_assertion`, the only one that it can be for;
 * - `email`: `service_auth`, because the registration is then that user's from its first request, for the
 *   same single visit to a page. Where the service does not offer it, `anonymous`, which the user claims;
 * - nothing: `anonymous`, which needs nobody. Else `service_auth`, whose user has to be asked for; else
 *   `identity_assertion`.
 *
 * @param now the service's time.
 * @throws AgentError `type_not_supported`, `bad_email`.
 */
export function planConnect(
  asked: Asked,
  service: Service,
  record: ServiceRecord | undefined,
  now: number,
): ConnectPlan {
  const email = asked.email === undefined ? undefined : requireEmail(asked.email);
  const known = findKnown(record, { ...asked, email }, now);
  const type = known?.type ?? lightestType({ ...asked, email }, service);
  switch (type) {
    case 'anonymous':
      return { type, known };
    case 'service_auth':
      return { type, email: email ?? known?.email ?? undefined, known };
    case 'identity_assertion':
      return { type, provider: asked.provider ?? known?.provider ?? undefined, known };
  }
}

/** Types that fit alike, so that only a user can say which; empty where what is given or stored decides. */
export function openTypes(
  { type, email, provider }: Asked,
  { identityTypes }: Service,
  record: ServiceRecord | undefined,
  now: number,
): readonly IdentityType[] {
  const isAsked = (type ?? email ?? provider) !== undefined;
  const isDecided = isAsked || identityTypes.includes('anonymous') || identityTypes.length < 2;
  return isDecided || findKnown(record, {}, now) !== undefined ? [] : identityTypes;
}

function lightestType({ type, email, provider }: Asked, service: Service): IdentityType {
  const fitting: readonly IdentityType[] =
    type !== undefined
      ? [type]
      : provider !== undefined
        ? ['identity_assertion']
        : email !== undefined
          ? ['service_auth', 'anonymous']
          : ['anonymous', 'service_auth', 'identity_assertion'];
  const found = fitting.find((each) => service.identityTypes.includes(each));
  if (found !== undefined) return found;
  throw typeNotOffered(fitting, service, service.resource);
}

function findKnown(
  record: ServiceRecord | undefined,
  asked: Asked,
  now: number,
): Registration | undefined {
  const fitting = (record?.registrations ?? []).filter(
    (one) => isLive(one, now) && fits(one, asked),
  );
  const isOfUser = (one: Registration) =>
    asked.email !== undefined && normalizeEmail(userOf(one) ?? '') === asked.email;
  const rank = (one: Registration) =>
    (isOfUser(one) ? 4 : 0) + (one.id === record?.current ? 2 : 0) + (one.claimed ? 1 : 0);
  // Of equals the newest.
  return fitting.reverse().sort((a, b) => rank(b) - rank(a))[0];
}

/** Whether a registration is one of those that are asked for. */
export function fits(registration: Registration, { type, email: given, provider }: Asked): boolean {
  const email = given && normalizeEmail(given);
  if (type !== undefined && registration.type !== type) return false;
  if (provider !== undefined) {
    if (registration.type !== 'identity_assertion' || registration.provider === null) return false;
    if (withoutFinalSlash(registration.provider) !== withoutFinalSlash(provider)) return false;
  }
  if (email === undefined) return true;
  const user = userOf(registration);
  // One that nobody was named for yet is there to be claimed.
  return user === null
    ? registration.type === 'anonymous' && !registration.claimed
    : normalizeEmail(user) === email;
}
