import {
  type CryptoKey,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  SignJWT,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { newMachine, runCli } from '../support/run-cli.ts';

const IDP = 'https://idp.example';
const SERVER = 'https://api.example';
const TYP = 'oauth-id-jag+jwt';
const MEANT = ['--audience', SERVER, '--client', 'app', '--resource', `${SERVER}/mcp`];

let pair: GenerateKeyPairResult;
let other: GenerateKeyPairResult;
beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true });
  other = await generateKeyPair('ES256');
});

type Members = Readonly<Record<string, unknown>>;

const right = (seconds: number): Members => ({
  iss: IDP,
  sub: 'usr_1',
  aud: SERVER,
  client_id: 'app',
  jti: 'jag_1',
  iat: seconds,
  exp: seconds + 300,
  resource: `${SERVER}/mcp`,
  scope: 'api.read api.write',
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Judges an ID-JAG with members changed; `undefined` leaves one out. */
async function lint(
  claims: Members = {},
  header: Members = {},
  line: readonly string[] = MEANT,
  raw?: string,
) {
  const machine = newMachine();
  const now = Math.floor(machine.clock.now() / 1000);
  const text =
    raw ??
    `${encode({ typ: TYP, alg: 'ES256', kid: 'k1', ...header })}.${encode({ ...right(now), ...claims })}.c2ln`;
  const run = await runCli(machine, ['lint', '--id-jag', '-', ...line, '--json'], { stdin: text });
  const [result = {}] = run.json();
  const checks = result['checks'] as readonly {
    name: string;
    verdict: string;
    message: string;
    instead: string | null;
    source: string;
  }[];
  const bad = checks.filter(({ verdict }) => verdict !== 'pass');
  return {
    code: run.code,
    result,
    checks,
    bad,
    told: bad.map((one) => `${one.verdict} ${one.name}`),
  };
}

it('passes an ID-JAG as the draft has it, and says so of each header and claim', async () => {
  const { code, told, checks } = await lint();
  expect([code, told]).toEqual([0, []]);
  expect(checks.map(({ name }) => name)).toEqual([
    ...['typ', 'alg', 'kid'],
    ...['iss', 'sub', 'aud', 'client_id', 'jti', 'iat', 'exp', 'resource', 'scope'],
  ]);
});

const now = Math.floor(newMachine().clock.now() / 1000);

describe('what servers refuse fails, alone, with its source', () => {
  const wrong: [string, Members, Members?][] = [
    ['typ', {}, { typ: 'JWT' }],
    ['typ', {}, { typ: undefined }],
    ['alg', {}, { alg: 'none' }],
    ['alg', {}, { alg: 'HS256' }],
    ['crit', {}, { crit: ['exp'] }],
    ['iss', { iss: 'idp' }],
    ['iss', { iss: `${IDP}?tenant=1` }],
    ['iss', { iss: 'http://idp.example' }],
    ['sub', { sub: undefined }],
    ['aud', { aud: [SERVER, 'https://other.example'] }],
    ['aud', { aud: [] }],
    ['aud', { aud: [1] }],
    ['aud', { aud: `${SERVER}/` }],
    ['aud', { aud: `${SERVER}.evil.example` }],
    ['client_id', { client_id: 'app-at-the-provider' }],
    ['client_id', { client_id: ['app'] }],
    ['jti', { jti: '' }],
    ['jti', { jti: {} }],
    ['iat', { iat: now + 600, exp: now + 900 }],
    ['exp', { exp: now - 61, iat: now - 300 }],
    ['exp', { exp: String(now + 300) }],
    ['exp', { exp: (now + 300) * 1000 }],
    ['exp', { exp: now + 7200 }],
    ['exp', { exp: undefined }],
    ['nbf', { nbf: now + 600 }],
    ['resource', { resource: `${SERVER}/mcp/` }],
    ['resource', { resource: `${SERVER}/mcp#x` }],
    ['resource', { resource: [`${SERVER}/mcp`, 'https://other.example/mcp'] }],
    ['scope', { scope: ['api.read'] }],
    ['scope', { scope: 'api.read  api.write' }],
    ['cnf', { cnf: 'a key' }],
    ['authorization_details', { authorization_details: {} }],
    ['sub_id', { sub_id: { iss: IDP } }],
  ];
  it.each(wrong)('%s of %j %j', async (name, claims, header = {}) => {
    const { code, told, bad } = await lint(claims, header);
    expect([code, told]).toEqual([1, [`fail ${name}`]]);
    expect(bad[0]?.source).toMatch(/§[\d.]+$/);
  });
});

describe('what some servers refuse is a warning', () => {
  const unsafe: [string, Members, Members?][] = [
    ['typ', {}, { typ: `application/${TYP}` }],
    ['kid', {}, { kid: undefined }],
    ['jku', {}, { jku: 'https://evil.example/keys' }],
    ['iss', { iss: 'http://127.0.0.1:4801' }],
    ['aud', { aud: [SERVER] }],
    ['exp', { exp: now + 301 }],
    ['exp', { iat: now - 290, exp: now - 1 }],
    ['resource', { resource: undefined }],
    ['scope', { scope: undefined }],
    ['cnf', { cnf: { jkt: 'thumbprint' } }],
    ['authorization_details', { authorization_details: [{ type: 'x' }] }],
    ['email', { email: 'alice@example.com', email_verified: false }],
    ['nonce', { nonce: 'n' }],
  ];
  it.each(unsafe)('%s of %j %j', async (name, claims, header = {}) => {
    const { code, told } = await lint(claims, header);
    expect([code, told]).toEqual([0, [`warn ${name}`]]);
  });
});

it('names the final slash by which an audience differs, and what to write', async () => {
  const { bad } = await lint({ aud: `${SERVER}/` });
  expect(bad[0]).toMatchObject({
    message: `It differs from ${SERVER} by the final slash.`,
    instead: SERVER,
  });
});

it.each([
  ['a.b', '2 parts'],
  ['a.b.c.d.e', 'encrypted'],
  ['Bearer a.b.c', 'scheme'],
  ['{"access_token":"a.b.c"}', 'JSON'],
  [
    `${encode({ alg: 'ES256' })}.${Buffer.from('{"aud":"a","aud":"b"}').toString('base64url')}.c2ln`,
    'different names',
  ],
])('what is no JWT fails, and is told why: %s', async (text, why) => {
  const { code, bad } = await lint({}, {}, [], text);
  expect([code, bad.length]).toEqual([1, 1]);
  expect(bad[0]?.message).toContain(why);
});

describe('--keys', () => {
  async function verified(keys: readonly Members[], signer: CryptoKey) {
    const machine = newMachine();
    const seen: string[] = [];
    machine.servers.set(IDP, async (request) => {
      const { pathname } = new URL(request.url);
      seen.push(`${request.method} ${pathname} ${await request.text()}`.trim());
      if (pathname === '/.well-known/openid-configuration') {
        return Response.json({ issuer: IDP, jwks_uri: `${IDP}/keys`, grant_types_supported: [] });
      }
      return pathname === '/keys' ? Response.json({ keys }) : new Response(null, { status: 404 });
    });
    const seconds = Math.floor(machine.clock.now() / 1000);
    const text = await new SignJWT(right(seconds))
      .setProtectedHeader({ alg: 'ES256', typ: TYP, kid: 'k1' })
      .sign(signer);
    const line = ['lint', '--id-jag', '-', ...MEANT, '--keys', '--json'];
    const run = await runCli(machine, line, { stdin: text });
    const [{ signature, checks } = {}] = run.json();
    const last = (checks as readonly { message: string }[]).at(-1)?.message;
    expect(seen.join()).not.toContain(text.slice(0, 20));
    return { code: run.code, signature, last };
  }

  it('verifies the signature with the keys that the issuer publishes', async () => {
    const key = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256' };
    expect(await verified([key], pair.privateKey)).toMatchObject({ code: 0, signature: 'pass' });
  });

  it('fails for the signature of another key, a key that is not there, a private key in public', async () => {
    const jwk = await exportJWK(pair.publicKey);
    const cases = [
      await verified([{ ...jwk, kid: 'k1' }], other.privateKey),
      await verified([{ ...jwk, kid: 'k2' }], pair.privateKey),
      await verified([{ ...(await exportJWK(pair.privateKey)), kid: 'k1' }], pair.privateKey),
    ];
    expect(cases.map(({ code, signature }) => [code, signature])).toEqual(
      cases.map(() => [1, 'fail']),
    );
    expect(cases.map(({ last }) => last)).toEqual([
      'It is not the signature of the key that kid and alg name.',
      'The issuer publishes no key for its kid and alg. It has k2 (EC).',
      'The issuer publishes a private key: anybody can sign as it does.',
    ]);
  });

  it('fails where the keys cannot be had: no server could verify it either', async () => {
    const { code, result, bad } = await lint({}, {}, [...MEANT, '--keys']);
    expect([code, result['signature']]).toEqual([1, 'fail']);
    expect(bad[0]?.message).toContain('cannot be had');
  });
});

it.each([
  [['--id-jag', 'eyJ.eyJ.c2ln'], 'never the ID-JAG itself'],
  [['--id-jag', '-', 'https://api.example'], 'no URL and no folder'],
  [['--id-jag', '-', '--fix'], '--fix is not for an ID-JAG'],
  [['--keys', 'https://api.example'], '--keys is for --id-jag'],
  [['--id-jag', '-'], 'empty'],
])('refuses %j', async (line, why) => {
  const run = await runCli(newMachine(), ['lint', ...line]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(why);
  expect(run.stderr).not.toContain('eyJ.eyJ');
});
