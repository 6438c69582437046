import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { connectProvider } from '../../../src/conformance/provider/provider-facts.ts';
import { listen } from '../services/support.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunningProvider } from '../support/judge-running-provider.ts';

const TARGET = 'https://id.example';
const KEYS = `${TARGET}/.well-known/jwks.json`;
const CLAIMS = { client_id: 'agent-auth', email_verified: true };
const get = async (url: string) =>
  url === KEYS ? new Answer(200, [], '{"keys":[]}', 0, 0) : new Answer(404, [], '', 0, 0);

it('a provider that publishes its key set alone is told that a mint command is enough', async () => {
  await expect(connectProvider(get, TARGET)).rejects.toThrow(
    `It publishes keys at ${KEYS}: with --mint-command they are judged.`,
  );
});

it('a provider that publishes its key set alone is judged by every scenario, and told of it', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };
  let issuer = '';
  const results = await judgeRunningProvider(
    async () => {
      const { origin, close } = await listen(async () => ({
        '/.well-known/jwks.json': { GET: async () => Response.json({ keys: [jwk] }) },
      }));
      issuer = origin;
      return { url: origin, consentsPage: `${origin}/consents`, close };
    },
    () => ({
      mintCommand: async (email, { audience }) =>
        new SignJWT({
          ...CLAIMS,
          resource: audience,
          email,
          auth_time: Math.floor(Date.now() / 1000),
        })
          .setProtectedHeader({ alg: 'ES256', kid: 'key-1', typ: 'oauth-id-jag+jwt' })
          .setIssuer(issuer)
          .setAudience(audience)
          .setSubject(email)
          .setIssuedAt()
          .setExpirationTime('5m')
          .setJti(crypto.randomUUID())
          .sign(privateKey),
    }),
  );
  const passed = withStatus(results, ['pass']).map(({ id }) => id);
  const scenarios = new Set(passed.map((id) => id.split('.')[0]));
  expect([...scenarios]).toEqual(
    expect.arrayContaining(['provider-discovery', 'mint', 'session-age', 'provider-stays-up']),
  );
  expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
  const place = `${issuer}/.well-known/oauth-authorization-server`;
  const told = withStatus(results, ['warn']).filter(({ findings }) =>
    findings[0]?.expected.startsWith(`Metadata is published at ${place} or `),
  );
  expect(told.map(({ id, level }) => [id, level])).toEqual([
    ['provider-discovery.metadata', 'should'],
    ['provider-discovery.id-jag-advertised', 'should'],
  ]);
  expect(passed).not.toContain('provider-discovery.issuer');
});
