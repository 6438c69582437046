import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../support/test-folder.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const HOST = 'https://app.example.com';
const PLACE = `${HOST}/client.json`;
const CLIENT = {
  client_id: PLACE,
  client_name: 'App',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
};

async function lint(response: () => Response) {
  const machine = newMachine();
  const seen: string[] = [];
  machine.servers.set(HOST, ({ url, method }) => {
    seen.push(`${method} ${url}`);
    return url === PLACE ? response() : new Response(null, { status: 404 });
  });
  const run = await runCli(machine, ['lint', PLACE, '--json']);
  const [result = {}] = run.json();
  const findings = result['findings'] as readonly { rule: string }[];
  return { code: run.code, result, rules: findings.map(({ rule }) => rule), seen };
}

const typed = (body: unknown, type: string) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': type } });

describe('lint of the URL of a client’s document', () => {
  it('names it, and looks for nothing else there', async () => {
    const { code, result, rules, seen } = await lint(() => Response.json(CLIENT));
    expect([code, rules]).toEqual([0, []]);
    expect(result['documents']).toEqual([{ name: PLACE, kind: 'client', url: PLACE }]);
    expect(result['reason']).toMatch(/^It is the metadata document of a client/);
    expect(seen).toEqual([`GET ${PLACE}`]);
  });

  it.each<[what: string, response: () => Response, code: number, rules: readonly string[]]>([
    ['a type of JSON', () => typed(CLIENT, 'application/client+json'), 0, []],
    ['another type', () => typed(CLIENT, 'text/plain'), 1, ['media-type']],
    [
      'more than 5 kB',
      () => Response.json({ ...CLIENT, software_statement: 'x'.repeat(5000) }),
      0,
      ['client-too-large'],
    ],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '/elsewhere' } }),
      1,
      ['document-redirected'],
    ],
  ])('judges how it is served: %s', async (_what, response, code, rules) => {
    const found = await lint(response);
    expect(found.code).toBe(code);
    for (const rule of rules) expect(found.rules).toContain(rule);
    if (code === 0) expect(found.rules).toEqual(rules);
  });
});

describe('lint of a file with a client’s document', () => {
  let folder: string;
  beforeEach(() => {
    folder = testFolder();
  });

  it('takes it to be at its client_id, or at --base', async () => {
    const file = join(folder, 'client.json');
    writeFileSync(file, JSON.stringify(CLIENT));
    expect((await runCli(newMachine(), ['lint', file])).code).toBe(0);
    expect((await runCli(newMachine(), ['lint', file, '--base', PLACE])).code).toBe(0);
    const other = await runCli(newMachine(), ['lint', file, '--base', `${HOST}/other.json`]);
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('client-id-differs')]);
  });

  const KEY = { kty: 'OKP', crv: 'Ed25519', x: 'x' };
  const s = 's3cret';
  it.each<[what: string, given: object, fixed: object, told: string]>([
    ['a secret', { client_secret: s }, {}, 'change the secret'],
    [
      'private members, and a shared key',
      { jwks: { keys: [KEY, { ...KEY, d: s }, { kty: 'oct', k: s }, { ...KEY, d: s }] } },
      { jwks: { keys: [KEY, KEY, KEY] } },
      'make a new key',
    ],
    ['a private key where a set should be', { jwks: { ...KEY, d: s } }, {}, 'make a new key'],
    ['a list of them', { jwks: [{ ...KEY, d: s }] }, {}, 'make a new key'],
  ])(
    '--fix takes out %s, shows it nowhere, and says what has to be done',
    async (_what, given, fixed, told) => {
      const file = join(folder, 'client.json');
      writeFileSync(file, JSON.stringify({ ...CLIENT, ...given }));
      const json = await runCli(newMachine(), ['lint', file, '--fix', '--json']);
      const { code, stdout, stderr } = await runCli(newMachine(), [
        'lint',
        file,
        '--fix',
        '--write',
      ]);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...CLIENT, ...fixed });
      expect([code, stderr]).toEqual([1, expect.stringContaining(told)]);
      expect(json.stdout + json.stderr + stdout + stderr).not.toContain(s);
    },
  );

  const profiles = {
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  };
  const pair = ['token-exchange', 'jwt-bearer'].map(
    (each) => `urn:ietf:params:oauth:grant-type:${each}`,
  );
  const many = Array.from({ length: 70 }, (_, index) => `urn:example:${index}`);
  it.each<[what: string, given: object, grants: unknown]>([
    ['the code, which is the default', {}, ['authorization_code', ...pair]],
    ['all that are listed', { grant_types: many }, [...many, ...pair]],
    ['what is no list, as it is', { grant_types: 'authorization_code' }, 'authorization_code'],
  ])('--fix adds the grants of the profile, and keeps %s', async (_what, given, grants) => {
    const file = join(folder, 'client.json');
    writeFileSync(file, JSON.stringify({ ...CLIENT, ...profiles, ...given }));
    await runCli(newMachine(), ['lint', file, '--fix', '--write']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ grant_types: grants });
  });
});
