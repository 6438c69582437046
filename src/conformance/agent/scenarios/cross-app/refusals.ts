import { agentScenario, changeJson, changeMembers } from '../../agent-world.ts';
import { type CrossApp, changeRedirect, eachStops } from '../../steps/cross-app.ts';

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
    const atService = {
      until: 'redemption',
      forbidden: ['exchange'],
      wrong: ({ service }: CrossApp) =>
        service.on('server_metadata', changeMembers({ issuer: invented.origin() })),
    } as const;
    const atProvider = {
      until: 'code',
      forbidden: ['code', 'mint'],
      wrong: ({ provider }: CrossApp) => {
        // Whoever takes the issuer from there finds it again in the redirect.
        const issuer = invented.origin();
        provider.on('server_metadata', changeMembers({ issuer }));
        provider.on(
          'authorize',
          changeRedirect((query) => query.set('iss', issuer)),
        );
      },
    } as const;
    await eachStops(judge, world, { ...atService, asked: ['server_metadata'] }, [
      ['service', 'another host', atService],
      ['provider', 'another host', atProvider],
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
    const redirected = (change: (query: URLSearchParams) => void) => ({
      wrong: ({ provider }: CrossApp) => provider.on('authorize', changeRedirect(change)),
    });
    const common = { until: 'code', asked: ['authorize'], forbidden: ['code'] } as const;
    await eachStops(judge, world, common, [
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
    const common = { until: 'mint', asked: ['code'], forbidden: ['mint'] } as const;
    const claimed = (claims: Readonly<Record<string, unknown>>) =>
      ({ claims: [{ of: 'id_token', claims }] }) as const;
    const unsigned = changeJson((body) => ({
      ...body,
      id_token: resigned(String(body['id_token'])),
    }));
    const past = Math.floor(world.harness.clock.now() / 1000) - 3600;
    await eachStops(judge, world, common, [
      ['nonce', 'another one', claimed({ nonce: invented.token() })],
      ['nonce', 'none', { claims: [{ of: 'id_token', omit: ['nonce'] }] }],
      ['audience', 'another client', claimed({ aud: invented.word() })],
      ['issuer', 'another host', claimed({ iss: invented.origin() })],
      ['expired', 'an hour ago', claimed({ iat: past - 600, exp: past })],
      ['signature', 'another payload', { wrong: ({ provider }) => provider.on('code', unsigned) }],
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
    const common = {
      until: 'code',
      asked: ['server_metadata'],
      forbidden: ['authorize', 'code'],
    } as const;
    const listing = (methods: readonly string[] | null) => ({
      provider: { code_challenge_methods_supported: methods },
    });
    await eachStops(judge, world, common, [
      ['stops', 'absent', listing(null)],
      ['stops', 'plain alone', listing(['plain'])],
    ]);
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
    const common = { until: 'redemption', asked: ['mint'], forbidden: ['exchange'] } as const;
    const claimed = (claims: Readonly<Record<string, unknown>>) =>
      ({ claims: [{ of: 'id_jag', claims }] }) as const;
    const type = 'urn:ietf:params:oauth:token-type:access_token';
    const typed = changeMembers({ issued_token_type: type });
    await eachStops(judge, world, common, [
      ['type', 'an access token', { wrong: ({ provider }) => provider.on('mint', typed) }],
      ['audience', 'another issuer', claimed({ aud: invented.origin() })],
      ['resource', 'another resource', claimed({ resource: `${invented.origin()}/mcp` })],
      ['client', 'another client', claimed({ client_id: invented.word() })],
    ]);
  },
});
