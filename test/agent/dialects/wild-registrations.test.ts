import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Registration } from '../../../src/agent/index.ts';
import { Secret } from '../../../src/runtime/index.ts';
import { ANSWER, Bench, ENDPOINT, failure, jwt, later, SERVICE } from '../support/bench.ts';
import { json } from '../support/fake-web.ts';

const folder = join(import.meta.dirname, '../../../fixtures/wild');

/** A published answer, of the service of the bench. */
function published(name: string): Record<string, unknown> {
  const text = readFileSync(join(folder, `${name}.json`), 'utf8');
  return JSON.parse(text.replaceAll(/https:\/\/(?:auth|service)\.example\.com/g, SERVICE));
}

type Type = Registration['type'];

/** What services answered to a registration, and what the agent has of it. Described ones have no sample. */
const REGISTERED: readonly (readonly [
  who: string,
  type: Type,
  status: number,
  body: Record<string, unknown>,
  has: string,
])[] = [
  [
    'the reference, 0.1',
    'anonymous',
    200,
    published('resp-workos-v01-register-anonymous'),
    'first: credential, claim',
  ],
  [
    'agtls',
    'anonymous',
    201,
    published('resp-agtls-register-anonymous'),
    'first: credential, claim',
  ],
  [
    'AuthKit, anonymous',
    'anonymous',
    200,
    published('resp-authkit-docs-register-anonymous'),
    'nested: assertion, claim',
  ],
  [
    'AuthKit, by email',
    'service_auth',
    200,
    published('resp-authkit-docs-register-service-auth'),
    'nested: code of a page',
  ],
  [
    'DermaScope',
    'service_auth',
    200,
    published('resp-dermascope-register'),
    'flat: code for a page',
  ],
  [
    'justhtml',
    'service_auth',
    200,
    published('resp-just-html-register'),
    'flat: code by mail, handed in at a URL of its own',
  ],
  ['Neon', 'anonymous', 201, published('resp-neon-register'), 'flat: assertion'],
  [
    'the reference, a link to confirm',
    'identity_assertion',
    401,
    published('resp-workos-v06-interaction-required'),
    'flat: code for a page',
  ],
  [
    'the reference, a link to confirm, reconciled',
    'identity_assertion',
    401,
    published('resp-workos-reconciled-interaction-required'),
    'nested: code of a page',
  ],
  [
    'the reference, 0.1, by email',
    'service_auth',
    202,
    {
      registration_id: 'reg_1',
      registration_type: 'email-verification',
      claim_url: `${SERVICE}/agent/auth/claim`,
      claim_token: 'clm_1',
      claim_token_expires: later(60),
      post_claim_scopes: ['api.read'],
    },
    'first: code by mail',
  ],
  [
    'the reference, 0.2, anonymous',
    'anonymous',
    200,
    {
      registration_id: 'reg_1',
      registration_type: 'anonymous',
      identity_assertion: 'eyJ.x.y',
      assertion_expires: later(60),
      claim_token: 'clm_1',
      claim_token_expires: later(60),
    },
    'flat: assertion, claim',
  ],
  [
    'the reference, 0.1, by ID-JAG',
    'identity_assertion',
    200,
    {
      registration_id: 'reg_1',
      registration_type: 'agent-provider',
      credential_type: 'api_key',
      credential: 'sk_test_1',
      credential_expires: null,
      scopes: ['api.read'],
    },
    'first: credential',
  ],
  [
    'stella: a token at once',
    'anonymous',
    200,
    {
      registration_id: 'reg_1',
      access_token: 'at_1',
      token_type: 'Bearer',
      expires_in: 3600,
      claim_token: 'clm_1',
      claim_uri: `${SERVICE}/agent/identity/claim`,
    },
    'flat: credential, claim',
  ],
  [
    'stella: an end in seconds',
    'anonymous',
    200,
    { registration_id: 'reg_1', identity_assertion: 'a', assertion_expires: 3600 },
    'flat: assertion',
  ],
  [
    'vidjutsu: ends in milliseconds',
    'anonymous',
    200,
    {
      registration_id: 'rgn_1',
      credential_type: 'api_key',
      credential: 'vj_1',
      credential_expires: Date.parse(later(60)),
      claim_token: 'clm_1',
      claim_token_expires: Date.parse(later(60)),
    },
    'first: credential, claim',
  ],
  [
    'PageSpace: an opaque assertion',
    'anonymous',
    201,
    {
      registration_id: 'reg_1',
      identity_assertion: 'ps_agent_1',
      assertion_expires: later(60),
      claim_token: 'clm_1',
    },
    'flat: assertion, claim',
  ],
  [
    'Custos: letters in its code, and no URL to claim at',
    'service_auth',
    200,
    {
      registration_id: 'reg_1',
      claim_token: 'clm_1',
      claim: {
        user_code: 'A7K2QX',
        verification_uri: `${SERVICE}/agent/claim`,
        expires_in: 600,
        interval: 5,
      },
    },
    'flat: code for a page',
  ],
  [
    'arananet',
    'service_auth',
    202,
    { registration_id: 'reg_1', claim_token: 'clm_1', claim_token_expires: later(60) },
    'first: code by mail',
  ],
  [
    'Hopper: a trial key',
    'anonymous',
    200,
    { registration_id: 'reg_1', api_key: 'hk_1', claim_token: 'clm_1', scopes: ['speak'] },
    'first: credential, claim',
  ],
  [
    'AgentModus: a code by mail',
    'service_auth',
    200,
    { registration_id: 'reg_1', status: 'initiated', claim_token: 'clm_1' },
    'first: code by mail',
  ],
  [
    'the endpoint sandbox: flat and nested in one',
    'anonymous',
    200,
    {
      ...ANSWER.anonymous(),
      id: 'reg_1',
      type: 'anonymous',
      identity: { assertion: 'a', expires_at: later(60) },
      claim: { token: 'clm_1', expires_at: later(60), url: `${SERVICE}/agent/identity/claim` },
      sandbox: { note: 'not for production' },
    },
    'flat: assertion, claim',
  ],
  [
    'absolutejs',
    'anonymous',
    200,
    ANSWER.anonymous({ registration_id: 'air_1' }),
    'flat: assertion, claim',
  ],
];

/** Those whose answers show no family, and whose metadata has the first names. */
const OLDER = ['arananet', 'AgentModus: a code by mail'];

const OLDER_METADATA = {
  issuer: SERVICE,
  agent_auth: {
    skill: `${SERVICE}/auth.md`,
    register_uri: `${SERVICE}/agent/identity`,
    claim_uri: `${SERVICE}/agent/identity/claim`,
    identity_types_supported: ['anonymous', 'identity_assertion'],
    identity_assertion: { assertion_types_supported: ['verified_email'] },
  },
};

/** Successes that give nothing of this protocol: kept, with the reason. */
const KEPT: readonly (readonly [
  who: string,
  status: number,
  body: Record<string, unknown>,
  why: RegExp,
])[] = [
  ['Cloudinary', 200, published('resp-cloudinary-provision'), /usable|anything to use/],
  ['ezkey: no credential', 200, { ok: true }, /usable|anything to use/],
  [
    'a site without a service',
    200,
    published('resp-public-stub-token'),
    /the word “anonymous” to everybody/,
  ],
];

function hasOf({ assertion, claim, dialect, refresh, token }: Registration): string {
  const attempt = claim?.attempt;
  const code =
    attempt?.kind === 'type_there'
      ? 'code for a page'
      : attempt?.kind === 'read_back'
        ? `${attempt.verificationUri === null ? 'code by mail' : 'code of a page'}${
            attempt.submitUrl === null ? '' : ', handed in at a URL of its own'
          }`
        : undefined;
  const parts = [
    token?.direct && 'credential',
    assertion && 'assertion',
    refresh && 'refresh token',
    code ?? (claim && 'claim'),
  ].filter(Boolean);
  return `${dialect}: ${parts.join(', ')}`;
}

const register = (bench: Bench, type: Type) => {
  switch (type) {
    case 'anonymous':
      return bench.agent.register({ service: SERVICE, type });
    case 'service_auth':
      return bench.agent.register({ service: SERVICE, type, loginHint: 'alice@example.com' });
    case 'identity_assertion': {
      const assertion = jwt({ iss: 'https://idp.example', sub: 'u', aud: SERVICE });
      return bench.agent.register({ service: SERVICE, type, assertion: new Secret(assertion) });
    }
  }
};

describe('an answer to a registration that succeeded', () => {
  it.each(REGISTERED)('of %s (%s, %i) is stored', async (who, type, status, body, has) => {
    const bench = new Bench();
    if (OLDER.includes(who)) bench.web.on(ENDPOINT.serverMetadata, json(OLDER_METADATA));
    bench.web.on(ENDPOINT.identity, json(body, status));
    await register(bench, type);
    expect(hasOf(await bench.stored())).toBe(has);
    expect((await bench.store.read()).notUnderstood ?? []).toEqual([]);
  });

  it.each(KEPT)('of %s (%i) is kept, and said to be', async (_who, status, body, why) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json(body, status));
    const error = await failure(register(bench, 'anonymous'));
    expect(error.message).toMatch(why);
    const { notUnderstood = [], services } = await bench.store.read();
    expect(services).toEqual([]);
    expect(notUnderstood.map(({ body: kept }) => JSON.parse(kept.reveal()))).toEqual([body]);
  });
});
