import {
  CLAIM_GRANT_ENDINGS,
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  TOKEN_EXCHANGE_GRANT,
} from '../protocol/index.ts';
import type { Found } from './find-block.ts';
import type { Endpoints, Offer, Role } from './model.ts';
import { memberOf, namesOf, textOf } from './read.ts';

/** What OAuth the server offers, by RFC 8414 §2. */
export function readOffers({ server }: Found, endpoints: Endpoints): readonly Offer[] {
  const grants = grantTypes(server);
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

/** What a server without a registration of agents is for. */
export function roleOf(offers: readonly Offer[]): Role | undefined {
  const gives = ['token_exchange', 'device_code'] as const;
  if (gives.every((offer) => offers.includes(offer))) return 'provider';
  return offers.includes('id_jag_profile') ? 'cross_app' : undefined;
}

export function grantTypes(server: Found['server']): readonly string[] {
  return namesOf(memberOf(server, 'grant_types_supported'), 200);
}

/** The grant by which a claim is collected, with any vendor's label (wire contract §1). */
export function claimGrant({ block, server }: Found): string | undefined {
  return (
    textOf(memberOf(block ?? {}, 'claim_grant_type')) ??
    grantTypes(server).find((grant) => CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending)))
  );
}
