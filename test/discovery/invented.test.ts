import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FAMILIES,
  type FamilyId,
  recognise,
  recogniseAnswer,
  VERDICTS,
  type Verdict,
} from '../../src/discovery/index.ts';

const origin = 'https://api.acme.example';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const whole = (agentAuth: unknown, members: object = {}) => ({
  issuer: origin,
  token_endpoint: `${origin}/oauth/token`,
  grant_types_supported: [JWT_BEARER],
  agent_auth: agentAuth,
  ...members,
});

/** Documents that nobody published, made after what the research says that services write. */
const INVENTED: readonly (readonly [
  what: string,
  server: unknown,
  verdict: Verdict,
  families: readonly FamilyId[],
  reason: RegExp,
])[] = [
  [
    'two generations at two URLs',
    whole({
      identity_endpoint: `${origin}/agent/identity`,
      register_uri: `${origin}/agent/auth`,
      identity_types_supported: ['anonymous'],
    }),
    'choice',
    ['nested', 'flat', 'first'],
    /identity_endpoint and agent_auth\.register_uri name different URLs/,
  ],
  [
    'the older name for a flat service with a claim grant of its own',
    whole(
      { register_uri: `${origin}/agent/identity`, identity_types_supported: ['anonymous'] },
      { grant_types_supported: [JWT_BEARER, 'urn:acme:agent-auth:grant-type:claim'] },
    ),
    'usable',
    ['flat', 'first'],
    /a claim grant/,
  ],
  [
    'a claim grant that is announced in the block',
    whole({
      identity_endpoint: `${origin}/agents`,
      claim_grant_type: 'urn:acme:claims',
      identity_types_supported: ['anonymous'],
    }),
    'usable',
    ['flat', 'nested'],
    /claim_grant_type/,
  ],
  [
    'a telephone number',
    whole({ register_uri: 'tel:+15550100', identity_types_supported: ['anonymous'] }),
    'published_only',
    [],
    /not of http or https \(tel:\)/,
  ],
  [
    'an object in place of the URL',
    whole({
      identity_endpoint: { url: `${origin}/agents` },
      identity_types_supported: ['anonymous'],
    }),
    'published_only',
    [],
    /is no text/,
  ],
  [
    'the start page',
    whole({ identity_endpoint: `${origin}/`, identity_types_supported: ['anonymous'] }),
    'published_only',
    [],
    /the issuer itself/,
  ],
  ['a block with nothing in it', whole({}), 'published_only', [], /no URL to register at/],
  [
    'a block that is a text',
    whole('https://acme.example/auth.md'),
    'published_only',
    [],
    /not an object/,
  ],
  [
    'the registration of OAuth clients by its URL',
    whole(
      { identity_endpoint: `${origin}/clients`, identity_types_supported: ['anonymous'] },
      { registration_endpoint: `${origin}/clients/` },
    ),
    'client_registration',
    [],
    /registration_endpoint of OAuth/,
  ],
  [
    'types without a list, each with its block',
    whole({
      identity_endpoint: `${origin}/agents`,
      anonymous: { claim_uri: `${origin}/agents/claim` },
    }),
    'usable',
    ['nested', 'flat', 'first'],
    /nothing to poll/,
  ],
  [
    'a URL without its host',
    whole({ identity_endpoint: '/agent/identity', identity_types_supported: ['anonymous'] }),
    'usable',
    ['nested', 'flat', 'first'],
    /nothing to poll/,
  ],
  [
    'an identity type of nobody',
    whole({ identity_endpoint: `${origin}/agents`, identity_types_supported: ['agent_did'] }),
    'usable',
    ['nested', 'flat', 'first'],
    /by no identity type of this protocol/,
  ],
  [
    'plain OAuth for people and machines',
    {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      device_authorization_endpoint: `${origin}/device`,
      grant_types_supported: ['authorization_code', 'client_credentials'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    },
    'plain_oauth',
    [],
    /code, the device code, client registration \(RFC 7591\), client credentials, ID-JAGs/,
  ],
  ['a web manifest', { name: 'Acme', start_url: '/' }, 'not_this_protocol', [], /Neither/],
  [
    'the block itself',
    { identity_endpoint: `${origin}/agents` },
    'usable',
    ['flat', 'nested'],
    /looks like flat/,
  ],
];

describe('documents of our own', () => {
  it.each(INVENTED)('takes %s', (_what, server, verdict, families, reason) => {
    const found = recognise({ server });
    expect([found.verdict, found.families]).toEqual([verdict, families]);
    expect(found.reason).toMatch(reason);
  });

  it.each<[what: string, agentAuth: object, verdict: Verdict]>([
    [
      'a page to sign up',
      { identity_endpoint: `${origin.replace('api.', '')}/join` },
      'published_only',
    ],
    ['an API of that name', { identity_endpoint: `${origin}/agents/join` }, 'usable'],
    ['a form of somebody else', { register_uri: 'https://forms.gle/abc' }, 'published_only'],
    ['a repository', { register_uri: 'https://github.com/acme/acme/issues' }, 'published_only'],
    ['a static file', { register_uri: `${origin}/agent-auth/register.json` }, 'published_only'],
    [
      'a developer’s machine',
      { identity_endpoint: 'http://localhost:3000/agents' },
      'published_only',
    ],
    ['a plan', { identity_endpoint: `${origin}/agents`, status: 'coming soon' }, 'published_only'],
    ['a switch', { identity_endpoint: `${origin}/agents`, enabled: false }, 'published_only'],
    [
      'a status that is none of ours',
      { identity_endpoint: `${origin}/agents`, status: 'live' },
      'usable',
    ],
  ])('tells %s', (_what, agentAuth, verdict) => {
    const types = { identity_types_supported: ['anonymous'] };
    expect(recognise({ server: whole({ ...types, ...agentAuth }) }).verdict).toBe(verdict);
  });

  it('finds the block in the metadata of the resource', () => {
    const resource = {
      resource: origin,
      authorization_servers: [origin],
      agent_auth: {
        identity_endpoint: `${origin}/agents`,
        identity_types_supported: ['anonymous'],
      },
    };
    expect(recognise({ resource })).toMatchObject({ verdict: 'usable', foundIn: 'resource' });
  });

  it('asks for different dialects where one speaks for both URLs: the older name is the first’s', () => {
    const server = whole(
      { identity_endpoint: `${origin}/agent/identity`, register_uri: `${origin}/agent/auth` },
      { grant_types_supported: ['urn:acme:agent-auth:grant-type:claim'] },
    );
    const { choices, verdict } = recognise({ server });
    expect([verdict, choices.map(({ family }) => family)]).toEqual(['choice', ['flat', 'first']]);
    expect(recognise({ server, family: 'first' }).endpoints.register).toBe(`${origin}/agent/auth`);
  });

  it('lets the user decide between two URLs', () => {
    const [, server] = INVENTED[0] ?? [];
    expect(recognise({ server }).choices.map(({ register }) => register)).toEqual([
      `${origin}/agent/identity`,
      `${origin}/agent/auth`,
    ]);
    const first = recognise({ server, family: 'first' });
    expect(first).toMatchObject({
      verdict: 'usable',
      endpoints: { register: `${origin}/agent/auth` },
    });
    expect(first.families[0]).toBe('first');
    expect(recognise({ server, family: 'nested' }).endpoints.register).toBe(
      `${origin}/agent/identity`,
    );
  });

  it('takes the URLs of a skill file for hints, never for endpoints', () => {
    const skill = [
      '# auth.md',
      'POST /agent/identity with JSON, then open https://acme.example/agent/identity/claim.',
      'Metadata: <https://auth.acme.example/.well-known/oauth-authorization-server>',
    ].join('\n');
    const found = recognise({ skill, at: 'https://acme.example/auth.md' });
    expect(found).toMatchObject({ verdict: 'published_only', families: [] });
    expect(found.endpoints.register).toBeUndefined();
    expect(found.hints).toEqual([
      { kind: 'metadata', url: 'https://auth.acme.example/.well-known/oauth-authorization-server' },
      { kind: 'register', url: 'https://acme.example/agent/identity' },
      { kind: 'claim', url: 'https://acme.example/agent/identity/claim' },
    ]);
  });

  it('names the host that serves the metadata of another', () => {
    const server = whole({
      identity_endpoint: `${origin}/agents`,
      identity_types_supported: ['anonymous'],
    });
    const { defects } = recognise({ server, at: 'https://preview.acme.example/.well-known/x' });
    expect(defects).toContainEqual(
      expect.objectContaining({ rule: 'issuer-host-differs', severity: 'error', member: 'issuer' }),
    );
  });

  it.each<[what: string, agentAuth: object, rule: string, member: string]>([
    [
      'a relative URL',
      { identity_endpoint: '/a/b' },
      'relative-url',
      'agent_auth.identity_endpoint',
    ],
    ['a template', { claim_uri: `${origin}/{id}/claim` }, 'url-template', 'agent_auth.claim_uri'],
    [
      'http',
      { claim_endpoint: 'http://acme.example/c' },
      'insecure-url',
      'agent_auth.claim_endpoint',
    ],
    ['prose for a skill', { skill: 'Ask us.' }, 'skill-not-a-url', 'agent_auth.skill'],
    ['no text', { events_endpoint: 7 }, 'not-a-url', 'agent_auth.events_endpoint'],
    [
      'a name of no version',
      { register_url: `${origin}/r2` },
      'register-url-unknown-name',
      'agent_auth.register_url',
    ],
    [
      'the list of a scanner',
      { supported_identity_types: ['anonymous'] },
      'identity-types-older-name',
      'agent_auth.supported_identity_types',
    ],
  ])('names %s', (_what, agentAuth, rule, member) => {
    expect(recognise({ server: whole(agentAuth) }).defects).toContainEqual(
      expect.objectContaining({ rule, member }),
    );
  });

  it('shows nothing of a stranger that steers a terminal', () => {
    const evil = '\u001b[2Jgone\u202e';
    const found = recognise({
      server: whole(
        {
          identity_endpoint: `${origin}/agents`,
          identity_types_supported: [evil],
          note: `no registration ${evil}`,
          claim_uri: `${origin}/${evil}`,
          claim_grant_type: evil,
          [evil]: evil,
        },
        { issuer: evil, resource: evil, resource_name: evil, scopes_supported: [evil] },
      ),
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(JSON.stringify(found)).not.toMatch(/[\u001b\u202e]|\\u001b|\\u202e/);
  });
});

const NAMES = [
  'agent_auth',
  'identity_endpoint',
  'register_uri',
  'registration_endpoint',
  'claim_uri',
  'skill',
  'issuer',
  'token_endpoint',
  'authorization_endpoint',
  'grant_types_supported',
  'identity_types_supported',
  'anonymous',
  'identity_assertion',
  'assertion_types_supported',
  'credential_types_supported',
  'registration_methods',
  'request_body_schema',
  'issued_credential',
  'note',
  '__proto__',
  'constructor',
  'authorization_servers',
  'identity',
  'claim',
  'attempt',
  'error',
  'status',
  'user_code',
  'claim_token',
  'credential',
];
const VALUES = [
  'https://acme.example/agents',
  'http://acme.example/agents',
  'mailto:a@b.example',
  '/agents',
  '//x',
  'https://',
  '',
  '\u0000',
  '\ud800',
  'https://acme.example/{id}',
  JWT_BEARER,
  'none',
  'anonymous',
  'x'.repeat(5000),
];

/** Any JSON, with the names and values that are looked for made likely. */
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...VALUES),
    fc.constantFrom(null, true, false, 0, 1, -1, 1e300),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), tie('value')), {
      maxLength: 10,
    })
    .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries)))),
})).value;

describe('any JSON', () => {
  it('gets a verdict, and is usable only with a web URL to register at', () => {
    fc.assert(
      fc.property(anyJson, anyJson, fc.option(fc.string()), (server, resource, skill) => {
        const found = recognise({ server, resource, skill: skill ?? undefined });
        expect(VERDICTS).toContain(found.verdict);
        expect(found.reason).not.toBe('');
        const can = found.verdict === 'usable' || found.verdict === 'choice';
        expect(found.families.length > 0).toBe(can);
        if (can) expect(found.endpoints.register).toMatch(/^https?:\/\/./);
      }),
      { numRuns: 2000 },
    );
  });

  it('is read as an answer', () => {
    fc.assert(
      fc.property(anyJson, fc.integer({ min: 100, max: 599 }), (body, status) => {
        const { families, nothing } = recogniseAnswer(body, status);
        expect(families.every((family) => FAMILIES.includes(family))).toBe(true);
        if (status >= 400) expect(nothing).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('is read in bounded time, however long its lists are', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `${origin}/${index}`);
    const found = recognise({
      server: whole({
        identity_types_supported: many,
        register_uri: many,
        registration_methods: many,
      }),
    });
    expect(found.defects.length).toBeLessThanOrEqual(200);
    expect(found.verdict).toBe('published_only');
  });
});
