import { ID_JAG_TOKEN_TYPE, revokedEventType } from '../../../protocol/constants.ts';
import { PATHS } from '../../config/paths.ts';
import type { MetadataConfig, ServerMembers } from '../dialect.ts';
import { CREDENTIAL_TYPE, EMAIL_ASSERTION } from './requests.ts';

/**
 * The members of v0.1: no token endpoint and no grants, since a registration is its credential. An email is a kind
 * of assertion there, so that `service_auth` is none of the types.
 */
export function firstMetadata(config: MetadataConfig): ServerMembers {
  const { eventBase, identityTypes, issuer } = config;
  const takes = {
    anonymous: identityTypes.includes('anonymous'),
    email: identityTypes.includes('service_auth'),
    idJag: identityTypes.includes('identity_assertion'),
  };
  const byAssertion = takes.email || takes.idJag;
  const credentials = { credential_types_supported: [CREDENTIAL_TYPE] };
  return {
    issuer,
    // Required by RFC 8414 §2 although there is no authorization endpoint.
    response_types_supported: [],
    agent_auth: {
      skill: issuer + PATHS.skill,
      register_uri: issuer + PATHS.identity,
      claim_uri: issuer + PATHS.claim,
      revocation_uri: issuer + PATHS.events,
      identity_types_supported: [
        ...(takes.anonymous ? ['anonymous'] : []),
        ...(byAssertion ? ['identity_assertion'] : []),
      ],
      ...(takes.anonymous && { anonymous: credentials }),
      ...(byAssertion && {
        identity_assertion: {
          assertion_types_supported: [
            ...(takes.idJag ? [ID_JAG_TOKEN_TYPE] : []),
            ...(takes.email ? [EMAIL_ASSERTION] : []),
          ],
          ...credentials,
        },
      }),
      events_supported: [revokedEventType(eventBase)],
    },
  };
}
