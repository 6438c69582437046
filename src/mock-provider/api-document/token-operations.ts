import {
  json,
  type Operation,
  oauthEnvelope,
  refusal,
  refusals,
  type SampleAnswer,
  sampleToken,
  unavailable,
  unreadable,
  wireProblem,
} from '../../mock/index.ts';
import {
  buildChallenge,
  type CodeAt,
  DEVICE_CODE_GRANT,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  MEDIA_TYPE,
  NOT_A_BEARER,
  SECOND,
  TOKEN_EXCHANGE_GRANT,
} from '../../protocol/index.ts';
import { PATHS } from '../config/paths.ts';
import { SIGN_IN_SCOPES } from '../mint/scopes.ts';
import {
  type DescribedProvider,
  SAMPLE_AUDIENCE,
  SAMPLE_DEVICE_CODE,
  sampleIdJag,
  sampleIdToken,
} from './samples.ts';

/** What an agent asks a provider for. */
export function tokenOperations(provider: DescribedProvider): readonly Operation[] {
  return [
    deviceAuthorization(provider),
    token(provider),
    userInfo(provider, 'GET'),
    userInfo(provider, 'POST'),
    revokeConsent(provider),
  ];
}

const CODE = 'BCDF-GHJK';

function deviceAuthorization({ config }: DescribedProvider): Operation {
  const { clientId: client_id, issuer, lifetimes } = config;
  const path = PATHS.deviceAuthorization;
  return {
    ...{ id: 'startSignIn', method: 'POST', path, tag: 'sign_in' },
    summary: 'Begin a sign-in',
    description:
      'Begins a sign-in by device code (RFC 8628). With `audience` the user is asked for the consent to be named to that service as well.',
    bodies: [
      {
        mediaType: MEDIA_TYPE.form,
        examples: {
          sign_in: { client_id, scope: SIGN_IN_SCOPES.join(' ') },
          with_consent: { client_id, scope: 'openid api.read', audience: SAMPLE_AUDIENCE },
          again: { client_id, prompt: 'login' },
          fresh: { client_id, max_age: '300' },
        },
      },
    ],
    answers: [
      {
        name: 'begun',
        description: 'The user goes to the page and types the code.',
        wire: 'device-authorization-response',
        response: json({
          device_code: SAMPLE_DEVICE_CODE,
          user_code: CODE,
          verification_uri: issuer + PATHS.device,
          verification_uri_complete: `${issuer}${PATHS.device}?user_code=${CODE}`,
          expires_in: Math.ceil(lifetimes.deviceCode / SECOND),
          interval: Math.ceil(lifetimes.interval / SECOND),
        }),
      },
      ...refused(issuer + path, [
        'invalid_request',
        'invalid_client',
        'invalid_scope',
        'invalid_target',
        'temporarily_unavailable',
      ]),
    ],
  };
}

function token(provider: DescribedProvider): Operation {
  const { config } = provider;
  const { clientId: client_id, issuer, lifetimes } = config;
  const path = PATHS.token;
  const session = sampleIdToken(provider);
  const exchange = {
    client_id,
    grant_type: TOKEN_EXCHANGE_GRANT,
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience: SAMPLE_AUDIENCE,
    subject_token: session,
    subject_token_type: ID_TOKEN_TYPE,
  };
  const minted = {
    access_token: sampleIdJag(provider),
    issued_token_type: ID_JAG_TOKEN_TYPE,
    token_type: NOT_A_BEARER,
    expires_in: Math.floor(lifetimes.idJag / SECOND),
  };
  const max_age = Math.floor(lifetimes.maxAuthAge / SECOND);
  return {
    ...{ id: 'requestToken', method: 'POST', path, tag: 'tokens' },
    summary: 'Poll a sign-in, or mint an ID-JAG',
    description:
      'The device grant is polled until the user has decided (RFC 8628 §3.4); its ID token is then exchanged for ID-JAGs (RFC 8693), one for each registration at a service.',
    bodies: [
      {
        mediaType: MEDIA_TYPE.form,
        examples: {
          poll: { client_id, grant_type: DEVICE_CODE_GRANT, device_code: SAMPLE_DEVICE_CODE },
          mint: exchange,
          narrowed: { ...exchange, scope: 'api.read', resource: `${SAMPLE_AUDIENCE}/api/resource` },
        },
      },
    ],
    answers: [
      {
        name: 'signed_in',
        description: 'The user has signed in: an ID token, and an access token for the user info.',
        wire: 'device-token-response',
        response: json({
          access_token: sampleToken('pat_'),
          token_type: 'Bearer',
          expires_in: Math.ceil(lifetimes.accessToken / SECOND),
          scope: SIGN_IN_SCOPES.join(' '),
          id_token: session,
        }),
      },
      {
        name: 'minted',
        description: 'The ID-JAG, as `access_token`.',
        wire: 'token-exchange-response',
        response: json(minted),
      },
      ...refused(issuer + path, undefined, {
        consent_required: {
          members: {
            consent_uri: `${issuer}${PATHS.consent}?request=${sampleToken('csr_')}`,
            expires_in: lifetimes.consentRequest / SECOND,
          },
        },
        insufficient_user_authentication: { members: { max_age } },
      }),
    ],
  };
}

function userInfo({ config, decisions }: DescribedProvider, method: 'GET' | 'POST'): Operation {
  const path = PATHS.userInfo;
  const request = new Request(config.issuer + path);
  const user = {
    email: 'alice@example.com',
    emailVerified: true,
    name: 'Alice',
    phone: undefined,
    tenant: undefined,
  };
  const claims = decisions.userInfo({ config, user, scopes: [...SIGN_IN_SCOPES] });
  const challenged = (code: CodeAt<'resource'>): SampleAnswer => {
    const challenge = buildChallenge('Bearer', {
      realm: 'userinfo',
      error: code === 'missing_token' ? undefined : code,
      scope: code === 'insufficient_scope' ? 'openid' : undefined,
    });
    const problem = wireProblem('resource', code, { headers: { 'www-authenticate': challenge } });
    return refusal(code, problem, oauthEnvelope, request);
  };
  return {
    ...{ method, path, tag: 'sign_in' },
    id: method === 'GET' ? 'getUserInfo' : 'postUserInfo',
    summary: 'Read who signed in',
    description: `The claims about the user, for the access token of the device grant (OpenID Connect Core §5.3)${method === 'POST' ? '; the token may be in a form instead of the header' : ''}.`,
    ...(method === 'POST' && {
      bodies: [
        {
          mediaType: MEDIA_TYPE.form,
          examples: { token: { access_token: sampleToken('pat_') }, none: {} },
        },
      ],
      bodyOptional: true as const,
    }),
    security: method === 'POST' ? [{ accessToken: [] }, {}] : [{ accessToken: [] }],
    answers: [
      { name: 'user', description: 'What the scopes allow.', response: json(claims) },
      { name: 'user_id', description: 'At the least.', response: json({ sub: claims['sub'] }) },
      ...(['invalid_request', 'missing_token', 'invalid_token', 'insufficient_scope'] as const).map(
        challenged,
      ),
      ...(method === 'POST' ? unreadable(oauthEnvelope, request, MEDIA_TYPE.form).slice(0, 2) : []),
      unavailable(oauthEnvelope, request),
    ],
  };
}

function revokeConsent(provider: DescribedProvider): Operation {
  const { clientId: client_id, issuer } = provider.config;
  const path = PATHS.consentRevocation;
  const audience = SAMPLE_AUDIENCE;
  const told = (name: string, description: string, more: object): SampleAnswer => ({
    ...{ name, description },
    wire: 'consent-revocation-response',
    response: json({ audience, ...more }),
  });
  return {
    ...{ id: 'revokeConsent', method: 'POST', path, tag: 'consents' },
    summary: 'Take a consent back',
    description:
      'Takes the consent back to name the user to a service, and tells the service. In no standard; the parameters are those of RFC 8693. The same request again sends an event again that the service refused.',
    bodies: [
      {
        mediaType: MEDIA_TYPE.form,
        examples: {
          revoke: {
            client_id,
            audience,
            subject_token: sampleIdToken(provider),
            subject_token_type: ID_TOKEN_TYPE,
          },
        },
      },
    ],
    answers: [
      told('told', 'The service knows.', { revoked: true, event: 'delivered' }),
      told('refused', 'The service did not take the event.', {
        revoked: true,
        event: 'parked',
        event_problem: { code: 'invalid_key', status: 400 },
      }),
      told('nothing', 'There was no consent.', { revoked: false, event: 'none' }),
      ...refused(issuer + path, [
        'invalid_request',
        'invalid_client',
        'invalid_grant',
        'temporarily_unavailable',
      ]),
    ],
  };
}

/** What a form is refused for. */
function refused(
  url: string,
  codes?: readonly CodeAt<'provider'>[],
  more: Parameters<typeof refusals<'provider'>>[0]['more'] = {},
): readonly SampleAnswer[] {
  const request = new Request(url, { method: 'POST' });
  return [
    ...refusals({
      ...{ surface: 'provider', envelope: oauthEnvelope, request, more },
      ...(codes && { codes }),
    }),
    ...unreadable(oauthEnvelope, request, MEDIA_TYPE.form),
  ];
}
