import {
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  type JsonObject,
  TOKEN_EXCHANGE_GRANT,
} from '../protocol/index.ts';
import { type Found, typesIn } from './found.ts';
import type { Endpoints, Offer, Role } from './model.ts';
import { memberOf, namesOf, textAt } from './read.ts';
import { absolute, isSamePlace, webUrl } from './url.ts';

/** Every URL of the documents under one name; what is no URL of http or https is left out. */
export function readEndpoints({ server, block = {}, path, base }: Found): Endpoints {
  const first = (object: JsonObject, ...names: readonly string[]) =>
    names
      .map((name) => textAt(object, name))
      .flatMap((text) => (text === undefined ? [] : absolute(text, base)))
      .find((url) => webUrl(url) !== undefined);
  const revocation =
    first(server, 'revocation_endpoint') ?? first(block, 'revocation_endpoint', 'revocation_url');
  // The older name of where providers report; some mean the revocation of tokens by it.
  const older = first(block, 'revocation_uri');
  const [ofType] = typesIn(block).flatMap(([, its]) => first(its, 'claim_uri') ?? []);
  return {
    register: undefined,
    claim:
      first(block, 'claim_endpoint', 'claim_uri') ??
      ofType ??
      first(block, 'claim_url', 'claims_url'),
    complete: first(block, 'complete_endpoint', 'complete_uri', 'claim_complete_endpoint'),
    token: first(server, 'token_endpoint') ?? first(block, 'token_endpoint'),
    revocation,
    events: first(block, 'events_endpoint') ?? (isSamePlace(older, revocation) ? undefined : older),
    skill: first(block, 'skill', 'skill_uri', 'skill_url'),
    authorization: first(server, 'authorization_endpoint'),
    clientRegistration:
      path.length === 0 && server === block ? undefined : first(server, 'registration_endpoint'),
    deviceAuthorization: first(server, 'device_authorization_endpoint'),
    jwks: first(server, 'jwks_uri'),
  };
}

/** What OAuth the server offers, by RFC 8414 §2. */
export function readOffers(
  { server }: Found,
  endpoints: Endpoints,
  grants: readonly string[],
): readonly Offer[] {
  const profiles = namesOf(memberOf(server, 'authorization_grant_profiles_supported'), 200);
  // RFC 8414 §2: where no grants are listed, the code is one of them.
  const unlisted = memberOf(server, 'grant_types_supported') === undefined;
  const has: Readonly<Record<Offer, boolean>> = {
    authorization_code:
      endpoints.authorization !== undefined && (unlisted || grants.includes('authorization_code')),
    device_code: endpoints.deviceAuthorization !== undefined || grants.includes(DEVICE_CODE_GRANT),
    client_registration: endpoints.clientRegistration !== undefined,
    client_credentials: grants.includes('client_credentials'),
    token_exchange: grants.includes(TOKEN_EXCHANGE_GRANT),
    id_jag_profile: profiles.includes(ID_JAG_GRANT_PROFILE),
  };
  return (Object.keys(has) as Offer[]).filter((offer) => has[offer]);
}

/** What a server without a registration of agents is for. Where there is a grant for claims, agents were to register. */
export function roleOf({
  offers,
  claimGrant,
}: {
  readonly offers: readonly Offer[];
  readonly claimGrant: string | undefined;
}): Role | undefined {
  const gives = ['token_exchange', 'device_code'] as const;
  if (gives.every((offer) => offers.includes(offer))) return 'provider';
  const isForClients = offers.includes('id_jag_profile') && claimGrant === undefined;
  return isForClients ? 'cross_app' : undefined;
}
