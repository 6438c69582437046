import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { LIMITED } from '../../support/limited.ts';
import { testFolder } from '../../support/test-folder.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const ISSUER = 'https://www.example.com';
const SERVER = '.well-known/oauth-authorization-server';
const RESOURCE = '.well-known/oauth-protected-resource';

const CLEAN = {
  issuer: ISSUER,
  token_endpoint: `${ISSUER}/oauth2/token`,
  revocation_endpoint: `${ISSUER}/oauth2/revoke`,
  response_types_supported: [],
  grant_types_supported: [
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:example:agent-auth:grant-type:claim',
  ],
  agent_auth: {
    skill: `${ISSUER}/auth.md`,
    identity_endpoint: `${ISSUER}/agent/identity`,
    claim_endpoint: `${ISSUER}/agent/identity/claim`,
    identity_types_supported: ['anonymous', 'service_auth'],
  },
};

const CLEAN_RESOURCE = {
  resource: ISSUER,
  authorization_servers: [ISSUER],
  scopes_supported: ['api.read'],
  bearer_methods_supported: ['header'],
};

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

function put(path: string, content: JsonObject | string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(file, isText ? content : JSON.stringify(content, null, 2));
}

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly document: string | null;
  readonly member: string | null;
  readonly line: number | null;
}

async function lint(...options: readonly string[]) {
  const run = await runCli(newMachine(), ['lint', folder, '--json', ...options]);
  const [json = {}] = run.json();
  const findings = (json['findings'] ?? []) as readonly Finding[];
  return { code: run.code, json, findings, rules: findings.map(({ rule }) => rule) };
}

function putClean(prefix = ''): void {
  put(`${prefix}${SERVER}`, CLEAN);
  put(`${prefix}${RESOURCE}`, CLEAN_RESOURCE);
  put(`${prefix}auth.md`, '# How agents register\n');
}

describe('a folder', () => {
  it.each(['', 'public/', 'docs/site/'])('that is clean below %j is said to be', async (prefix) => {
    putClean(prefix);
    put('node_modules/other/.well-known/oauth-authorization-server', '{');
    const { code, json, findings } = await lint();
    expect(findings).toEqual([]);
    expect([code, json['verdict'], json['families']]).toEqual([0, 'usable', ['flat', 'nested']]);
    expect(json['documents']).toEqual([
      { name: `${prefix}${SERVER}`, kind: 'server', url: `${ISSUER}/${SERVER}` },
      { name: `${prefix}${RESOURCE}`, kind: 'resource', url: `${ISSUER}/${RESOURCE}` },
      { name: `${prefix}auth.md`, kind: 'skill', url: null },
    ]);
  });

  it('is told of by rule, member and line', async () => {
    putClean();
    put(SERVER, { ...CLEAN, agent_auth: { ...CLEAN.agent_auth, identity_endpoint: null } });
    const { code, findings } = await lint();
    expect(code).toBe(1);
    expect(findings[0]).toMatchObject({
      rule: 'register-url-unusable',
      severity: 'error',
      document: SERVER,
      member: '/agent_auth/identity_endpoint',
      line: 12,
    });
  });

  it('is judged as if it were served at --base', async () => {
    putClean();
    expect((await lint('--base', 'https://www.example.com/')).rules).toEqual([]);
    expect((await lint('--base', 'https://preview.example.net')).rules).toEqual([
      'issuer-host-differs',
      'resource-differs',
    ]);
    expect((await lint('--base', 'https://www.example.com/shop')).rules).toEqual([
      'issuer-path-differs',
      'resource-differs',
    ]);
  });

  it('has an issuer with a path at the inserted place, and is warned elsewhere', async () => {
    const issuer = `${ISSUER}/shop`;
    put(`${SERVER}/shop`, { ...CLEAN, issuer });
    put('auth.md', '# How\n');
    expect((await lint()).rules).toEqual([]);
    rmSync(join(folder, '.well-known'), { recursive: true });
    put(`shop/${SERVER}`, { ...CLEAN, issuer });
    expect((await lint()).rules).toEqual(['metadata-place']);
  });

  it('says so when it has nothing', async () => {
    put('index.html', '<h1>Hello</h1>');
    const { code, rules, json } = await lint();
    expect([code, rules, json['verdict']]).toEqual([1, ['server-metadata-missing'], null]);
  });

  it('passes where the documents say themselves that nobody registers', async () => {
    put(SERVER, {
      issuer: ISSUER,
      response_types_supported: [],
      agent_auth: {
        skill: `${ISSUER}/auth.md`,
        register_uri: `${ISSUER}/auth.md`,
        'x-no-registration': true,
      },
    });
    const { code, json, findings } = await lint();
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['says-no-registration', 'note'],
    ]);
    expect([code, json['documents_only']]).toEqual([0, true]);
  });
});

describe('what lies in a folder', () => {
  it('is not read through a link that leads out of it', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'agent-auth-outside-'));
    try {
      writeFileSync(join(outside, 'secret'), '{"issuer": "https://secret.example"}');
      mkdirSync(join(folder, '.well-known'));
      symlinkSync(join(outside, 'secret'), join(folder, SERVER));
      const { rules, json } = await lint();
      expect(rules).toEqual(['server-metadata-missing', 'file-outside']);
      expect(JSON.stringify(json)).not.toContain('secret.example');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('may be a link inside it, even one that leads round in a circle', async () => {
    putClean('real/');
    symlinkSync('real/.well-known', join(folder, '.well-known'));
    symlinkSync('.', join(folder, 'round'));
    const { code, rules } = await lint();
    expect([code, rules]).toEqual([0, []]);
  });

  it('may be a pipe, which is not waited for', async () => {
    mkdirSync(join(folder, '.well-known'));
    execFileSync('mkfifo', [join(folder, SERVER)], LIMITED);
    expect((await lint()).rules).toEqual(['server-metadata-missing']);
  });

  it.each<[what: string, content: string | Uint8Array, rule: string]>([
    ['a page', '<!DOCTYPE html><title>x</title>', 'html-for-json'],
    ['no JSON', '{"issuer": }', 'not-json'],
    ['a list', '[]', 'not-json'],
    ['nothing', '', 'not-json'],
    ['a member that stands twice', '{"issuer": "a", "issuer": "b"}', 'not-json'],
    ['what is nested without end', '['.repeat(100_000), 'not-json'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'document-not-utf8'],
    ['a megabyte and more', `{"a": "${'x'.repeat(1024 * 1024)}"}`, 'document-too-large'],
  ])('may be %s: said, and no crash', async (_what, content, rule) => {
    put(SERVER, content);
    const { code, rules } = await lint();
    expect(code).toBe(1);
    expect(rules).toContain(rule);
  });
});

describe('what is typed', () => {
  it.each([
    ['no folder of that name', 'no/such/folder'],
    ['nothing', ''],
    ['another scheme', 'ftp://example.com'],
    ['an email address', 'mailto:a@example.com'],
    ['a device', '/dev/null'],
    ['http elsewhere', 'http://example.com'],
    ['a password in it', 'https://me:secret@example.com'],
    ['a missing file', 'nowhere.json'],
  ])('is refused with exit 2: %s', async (_what, target) => {
    const { code, stdout, stderr } = await runCli(newMachine(), ['lint', target]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^✗ /);
    expect(stderr).not.toContain('secret');
  });

  it('takes --base for a folder alone, and a URL in it', async () => {
    putClean();
    const machine = newMachine();
    expect((await runCli(machine, ['lint', folder, '--base', 'ftp://x'])).code).toBe(2);
    const line = ['lint', 'https://a.example', '--base', 'https://b.example'];
    expect((await runCli(machine, line)).code).toBe(2);
  });
});

it('tells of many alike once, with their number, and ends soon', async () => {
  const alike = Array.from({ length: 5000 }, (_, at) => [`x${at}_supported`, [at]]);
  put(SERVER, { ...CLEAN, ...Object.fromEntries(alike) });
  put('auth.md', '# How\n');
  const { findings } = await lint();
  expect(findings.map(({ rule }) => rule)).toEqual(Array(20).fill('list-not-strings'));
  expect(findings.at(-1)).toMatchObject({
    message: expect.stringMatching(/And 4980 more like it\.$/),
  });
  expect(findings.at(-1)?.line).toBeGreaterThan(30);
});

it('writes what --fix printed alone, with --write, and what needed no fixing stays as it was', async () => {
  putClean();
  const { response_types_supported: _, ...short } = CLEAN;
  put(SERVER, short);
  const untouched = readFileSync(join(folder, RESOURCE), 'utf8');
  await lint('--fix');
  expect(readFileSync(join(folder, SERVER), 'utf8')).not.toContain('response_types_supported');
  await lint('--fix', '--write');
  expect(readFileSync(join(folder, RESOURCE), 'utf8')).toBe(untouched);
  expect((await lint()).rules).toEqual([]);
  for (const line of [
    ['lint', folder, '--write'],
    ['lint', 'https://a.example', '--fix', '--write'],
  ]) {
    expect((await runCli(newMachine(), line)).code).toBe(2);
  }
});

it('asks OAuth as MCP uses it for no agent_auth, with --profile mcp', async () => {
  const { agent_auth: _, ...oauth } = CLEAN;
  put(SERVER, oauth);
  const { bearer_methods_supported: __, ...optional } = CLEAN_RESOURCE;
  put(RESOURCE, optional);
  expect((await lint()).rules).toEqual(['agent-auth-missing']);
  const { stdout } = await runCli(newMachine(), ['lint', folder]);
  expect(stdout).toContain('--profile mcp asks for no agent_auth.');
  const { code, rules } = await lint('--profile', 'mcp');
  expect([code, rules]).toEqual([0, []]);
});
