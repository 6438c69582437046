import { agentScenario, changeJson, changeMembers } from '../../agent-world.ts';
import { changeRedirect, eachStops, type RefusedCase } from '../../steps/cross-app.ts';

export const wrongServerIssuer = agentScenario({
  id: 'agent-cross-app-issuer',
  title: 'The metadata of a server is of another issuer',
  checks: {
    service:
      'The agent sends no token request to a server whose `issuer` is not the one asked for.',
    provider: 'The agent sends no code to a provider whose `issuer` is not the one asked for.',
  },
  blockedBy: ['agent-cross-app.redeems'],
  async run(judge, world) {
    const { invented } = world;
    await eachStops(judge, world, [
      [
        'service',
        'another host',
        {
          until: 'redemption',
          asked: ['server_metadata'],
          forbidden: ['exchange'],
          wrong: ({ service }) =>
            service.on('server_metadata', changeMembers({ issuer: invented.origin() })),
        },
      ],
      [
        'provider',
        'another host',
        {
          until: 'code',
          asked: ['server_metadata'],
          forbidden: ['code', 'mint'],
          wrong: ({ provider }) => {
            // Whoever takes the issuer from there finds it again in the redirect.
            const issuer = invented.origin();
            provider.on('server_metadata', changeMembers({ issuer }));
            provider.on(
              'authorize',
              changeRedirect(({ searchParams }) => searchParams.set('iss', issuer)),
            );
          },
        },
      ],
    ]);
  },
});

export const wrongRedirect = agentScenario({
  id: 'agent-cross-app-redirect',
  title: 'The answer to the authorization request is not for this request, or of another server',
  checks: {
    state: 'The agent sends no code that came with another `state`, or without one.',
    iss: 'The agent sends no code that came with another `iss`, or without the one that was announced.',
  },
  blockedBy: ['agent-cross-app.signs-in'],
  async run(judge, world) {
    const { invented } = world;
    const redirected = (change: (query: URLSearchParams) => void) =>
      ({
        until: 'code',
        asked: ['authorize'],
        forbidden: ['code'],
        wrong: ({ provider }) => {
          provider.on(
            'authorize',
            changeRedirect(({ searchParams }) => change(searchParams)),
          );
        },
      }) satisfies RefusedCase;
    await eachStops(judge, world, [
      ['state', 'another one', redirected((query) => query.set('state', invented.token()))],
      ['state', 'none', redirected((query) => query.delete('state'))],
      ['iss', 'another one', redirected((query) => query.set('iss', invented.origin()))],
      ['iss', 'none', redirected((query) => query.delete('iss'))],
    ]);
  },
});

export const wrongIdToken = agentScenario({
  id: 'agent-cross-app-id-token',
  title: 'The ID token is not for this agent, or not of this provider',
  checks: {
    nonce: 'The agent uses no ID token with another `nonce`, or without one.',
    audience: 'The agent uses no ID token whose `aud` is another client.',
    issuer: 'The agent uses no ID token of another issuer.',
    expired: 'The agent uses no ID token that has expired.',
    signature: 'The agent uses no ID token whose signature is wrong.',
  },
  blockedBy: ['agent-cross-app.mints'],
  async run(judge, world) {
    const { invented } = world;
    const about = {
      until: 'mint',
      asked: ['code'],
      forbidden: ['mint'],
    } satisfies RefusedCase;
    const claimed = (claims: Readonly<Record<string, unknown>>): RefusedCase => ({
      ...about,
      claims: [{ of: 'id_token', claims }],
    });
    const past = Math.floor(world.harness.clock.now() / 1000) - 3600;
    await eachStops(judge, world, [
      ['nonce', 'another one', claimed({ nonce: invented.token() })],
      ['nonce', 'none', { ...about, claims: [{ of: 'id_token', omit: ['nonce'] }] }],
      ['audience', 'another client', claimed({ aud: invented.word() })],
      ['issuer', 'another host', claimed({ iss: invented.origin() })],
      ['expired', 'an hour ago', claimed({ iat: past - 600, exp: past })],
      [
        'signature',
        'another payload',
        {
          ...about,
          wrong: ({ provider }) =>
            provider.on(
              'code',
              changeJson((body) => ({ ...body, id_token: resigned(String(body['id_token'])) })),
            ),
        },
      ],
    ]);
  },
});

/** The same claims, with another `sub`, below the old signature. */
function resigned(jwt: string): string {
  const [header, claims = '', signature] = jwt.split('.');
  const read: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const changed = JSON.stringify({ ...(read as object), sub: 'somebody-else' });
  return `${header}.${Buffer.from(changed).toString('base64url')}.${signature}`;
}

export const noPkce = agentScenario({
  id: 'agent-cross-app-pkce',
  title: 'The provider does not say that it knows PKCE by S256',
  checks: {
    stops: 'The agent begins no sign-in at a provider that does not list S256.',
  },
  blockedBy: ['agent-cross-app.signs-in'],
  async run(judge, world) {
    await eachStops(
      judge,
      world,
      (
        [
          ['absent', null],
          ['plain alone', ['plain']],
        ] as const
      ).map(([what, methods]) => [
        'stops',
        what,
        {
          until: 'code',
          asked: ['server_metadata'],
          forbidden: ['authorize', 'code'],
          provider: { code_challenge_methods_supported: methods },
        },
      ]),
    );
  },
});

export const wrongIdJag = agentScenario({
  id: 'agent-cross-app-id-jag',
  title: 'The provider answers the exchange with something else than was asked for',
  checks: {
    type: 'The agent redeems nothing whose `issued_token_type` is not that of an ID-JAG.',
    audience: 'The agent redeems no ID-JAG for another server.',
    resource: 'The agent redeems no ID-JAG for another resource.',
    client: 'The agent redeems no ID-JAG of another client.',
  },
  blockedBy: ['agent-cross-app.redeems'],
  async run(judge, world) {
    const { invented } = world;
    const about = {
      until: 'redemption',
      asked: ['mint'],
      forbidden: ['exchange'],
    } satisfies RefusedCase;
    const claimed = (claims: Readonly<Record<string, unknown>>): RefusedCase => ({
      ...about,
      claims: [{ of: 'id_jag', claims }],
    });
    const type = 'urn:ietf:params:oauth:token-type:access_token';
    await eachStops(judge, world, [
      [
        'type',
        'an access token',
        {
          ...about,
          wrong: ({ provider }) => provider.on('mint', changeMembers({ issued_token_type: type })),
        },
      ],
      ['audience', 'another issuer', claimed({ aud: invented.origin() })],
      ['resource', 'another resource', claimed({ resource: `${invented.origin()}/mcp` })],
      ['client', 'another client', claimed({ client_id: invented.word() })],
    ]);
  },
});
