import type { Found } from './find-block.ts';
import type { Endpoints } from './model.ts';
import { memberOf, objectOf, textOf } from './read.ts';
import { absolute, isSamePlace, webUrl } from './url.ts';

const TYPES = ['anonymous', 'identity_assertion', 'service_auth', 'verified_email'];

/** Every URL of the documents under one name; what is no URL of http or https is left out. */
export function readEndpoints(found: Found, register: string | undefined): Endpoints {
  const { server } = found;
  const block = found.block ?? {};
  const first = (...given: readonly unknown[]) => {
    for (const value of given) {
      const text = textOf(value);
      const url = text === undefined ? undefined : absolute(text, found.base);
      if (webUrl(url) !== undefined) return url;
    }
    return undefined;
  };
  const revocation = first(
    memberOf(server, 'revocation_endpoint'),
    memberOf(block, 'revocation_endpoint'),
    memberOf(block, 'revocation_url'),
  );
  // The older name of where providers report; some mean the revocation of tokens by it.
  const older = first(memberOf(block, 'revocation_uri'));
  return {
    register,
    claim: first(
      memberOf(block, 'claim_endpoint'),
      memberOf(block, 'claim_uri'),
      ...TYPES.map((type) => memberOf(objectOf(memberOf(block, type)), 'claim_uri')),
      memberOf(block, 'claim_url'),
      memberOf(block, 'claims_url'),
    ),
    complete: first(
      memberOf(block, 'complete_endpoint'),
      memberOf(block, 'complete_uri'),
      memberOf(block, 'claim_complete_endpoint'),
    ),
    token: first(memberOf(server, 'token_endpoint'), memberOf(block, 'token_endpoint')),
    revocation,
    events: first(
      memberOf(block, 'events_endpoint'),
      isSamePlace(older, revocation) ? undefined : older,
    ),
    skill: first(
      memberOf(block, 'skill'),
      memberOf(block, 'skill_uri'),
      memberOf(block, 'skill_url'),
    ),
    authorization: first(memberOf(server, 'authorization_endpoint')),
    clientRegistration: first(
      found.at === '' && server === block ? undefined : memberOf(server, 'registration_endpoint'),
    ),
    deviceAuthorization: first(memberOf(server, 'device_authorization_endpoint')),
    jwks: first(memberOf(server, 'jwks_uri')),
  };
}
