import { empty, type Operation, SAMPLE_TIME, sampleJwt } from '../../mock/index.ts';
import {
  JWT_BEARER_GRANT,
  JWT_TYPE,
  MEDIA_TYPE,
  REVOKED_EVENT_ENDING,
  SECOND,
} from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import { tokenResponse } from '../tokens/grant.ts';
import type { EndpointTeller } from './endpoint-teller.ts';

export function token(teller: EndpointTeller): Operation {
  const { config, dialect, grants } = teller.service;
  const { accessToken, claimedAssertion } = config.lifetimes;
  const assertion = teller.samples.assertion(claimedAssertion);
  const known = [...grants(config).keys()];
  const claimGrants = known.filter((grant) => grant !== JWT_BEARER_GRANT);
  const issued = (scopes: readonly string[], more = {}) =>
    tokenResponse(
      { clock: { now: () => SAMPLE_TIME } },
      teller.samples.accessToken(),
      {
        kind: 'token',
        scopes,
        expiresAt: SAMPLE_TIME + accessToken,
        resource: config.issuer,
      },
      more,
    );
  const { claimGrant } = dialect;
  const examples = {
    exchange: { grant_type: JWT_BEARER_GRANT, assertion: assertion.jwt },
    narrowed: {
      grant_type: JWT_BEARER_GRANT,
      assertion: assertion.jwt,
      scope: config.scopes.postClaim[0] ?? '',
      resource: config.issuer,
    },
    ...Object.fromEntries(
      claimGrants.map((grant, at) => [
        at === 0 ? 'poll' : `poll_${at + 1}`,
        { grant_type: grant, claim_token: teller.samples.claimToken },
      ]),
    ),
  };
  return {
    ...teller.endpoint(PATHS.token, 'requestToken'),
    tag: 'tokens',
    summary: claimGrant ? 'Exchange an assertion, or poll a claim' : 'Exchange an assertion',
    description: `An identity assertion is exchanged for an access token${claimGrant ? ', and a claim is polled until its user has decided' : ''}. Clients are public: credentials of a client are refused.`,
    bodies: [{ mediaType: MEDIA_TYPE.form, examples }],
    answers: teller.spelled(PATHS.token, [
      {
        name: 'token',
        description: 'An access token.',
        wire: 'token-response',
        response: issued(config.scopes.postClaim),
      },
      ...(claimGrant
        ? [
            {
              name: 'claimed',
              description: 'The claim is complete: an access token and the next assertion.',
              wire: 'token-response' as const,
              response: issued(config.scopes.postClaim, claimGrant.members(assertion)),
            },
          ]
        : []),
      ...teller.refused(PATHS.token, dialect.problems.oauth, 'token'),
      ...teller.transport(PATHS.token, dialect.problems.oauth, MEDIA_TYPE.form),
    ]),
  };
}

export function revoke(teller: EndpointTeller): Operation {
  const { oauth } = teller.service.dialect.problems;
  const token = teller.samples.accessToken();
  return {
    ...teller.endpoint(PATHS.revocation, 'revokeToken'),
    tag: 'tokens',
    summary: 'End an access token',
    description: 'Ends an access token at once (RFC 7009). Its assertion stays good.',
    bodies: [
      {
        mediaType: MEDIA_TYPE.form,
        examples: { token: { token }, hinted: { token, token_type_hint: 'access_token' } },
      },
    ],
    answers: teller.spelled(PATHS.revocation, [
      {
        name: 'ended',
        description: 'The token is ended, or was none: both look alike.',
        response: empty(200),
      },
      ...teller.refused(PATHS.revocation, oauth, 'revocation'),
      ...teller.transport(PATHS.revocation, oauth, MEDIA_TYPE.form),
    ]),
  };
}

export function receiveEvent(teller: EndpointTeller): Operation {
  const { config, dialect } = teller.service;
  const { event } = dialect.problems;
  const iat = SAMPLE_TIME / SECOND;
  const type = `${config.eventBase}/events/agent/auth${REVOKED_EVENT_ENDING}`;
  const token = sampleJwt(JWT_TYPE.securityEvent, {
    iss: 'https://provider.example',
    aud: config.issuer,
    iat,
    jti: 'example',
    sub: 'user-1',
    events: { [type]: {} },
  });
  return {
    ...teller.endpoint(PATHS.events, 'receiveEvent'),
    tag: 'events',
    summary: 'Tell that a user took a consent back',
    description: `A trusted provider pushes a security event token (RFC 8935). An event whose type ends in \`${REVOKED_EVENT_ENDING}\` ends what rests on the ID-JAGs of its user.`,
    bodies: [
      {
        mediaType: MEDIA_TYPE.securityEvent,
        examples: { revoked: token },
        schema: { type: 'string', description: 'A compact JWT of the type secevent+jwt.' },
      },
    ],
    answers: teller.spelled(PATHS.events, [
      {
        name: 'accepted',
        description: 'The event is stored, or was received before.',
        response: empty(202),
      },
      ...teller.refused(PATHS.events, event, 'events'),
      ...teller.transport(PATHS.events, event, MEDIA_TYPE.securityEvent),
    ]),
  };
}
