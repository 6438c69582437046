import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfigText } from '../../../../src/cli/mock/servers/config/config-file.ts';
import {
  CONFIG_SCHEMAS,
  type ConfigPart,
} from '../../../../src/cli/mock/servers/config/config-schema.ts';
import { readMockOptions } from '../../../../src/cli/mock/servers/config/read-mock-options.ts';
import type { MockOptions } from '../../../../src/cli/mock/servers/mock-options.ts';
import { buildProgram } from '../../../../src/cli/program.ts';
import type { CliError } from '../../../../src/cli/shell/cli-error.ts';
import { newMachine, runCli } from '../../support/run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const { signal } = new AbortController();

let serial = 0;
function file(text: string | Uint8Array): string {
  serial += 1;
  const path = join(folder, `mock-${serial}.yaml`);
  writeFileSync(path, text);
  return path;
}

function read(text: string | Uint8Array, part: ConfigPart = 'up', flags: MockOptions = {}) {
  return readMockOptions({ ...flags, config: file(text) }, part, signal);
}

async function mistakes(text: string | Uint8Array, part: ConfigPart = 'up'): Promise<string[]> {
  try {
    await read(text, part);
  } catch (error) {
    const { code, message } = error as CliError;
    expect(code).toBe('bad_config');
    return message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().replace(/^.*\.yaml:/, ''));
  }
  throw new Error('It was taken.');
}

describe('a configuration file', () => {
  it('gives every option of the mocks', async () => {
    const options = await read(`
port: 9000
host: localhost
base_url: http://localhost:9000
db: data/mock.db
tls: true
control: false
live: false
exchanges: 50
rate_limit: true
code_format: letters:8
pre_claim_scopes: [orders.read]
post_claim_scopes: [orders.read, orders.write]
resources:
  - { path: "/v1/orders/{id}", scope: orders.read, body: { id: 7 } }
  - { path: /v1/export, method: POST, open: true, status: 202, body: late, content_type: text/csv }
cors: [http://localhost:5173, '*']
metadata: { server: { service_documentation: https://d.example }, client: { contacts: [a] } }
vendor: [acme, vendor]
types: [anonymous, service_auth]
service_name: Acme API
provider_name: Acme ID
event_base: https://schemas.acme.example
accept_resource_audience: true
algorithm: EdDSA
client_id: my-agent
client_name: My Agent
auto_approve: alice@example.com
faults: [noSlowDown, unavailable]
lifetimes: { userCode: 30s, idJag: 2m }
trust:
  - https://one.example
  - issuer: https://two.example
    name: Two
    jwks_uri: https://keys.two.example/jwks
    client_ids: [https://two.example/agent.json]
    mail_domains: [two.example]
audiences:
  - https://api.example
  - { issuer: https://other.example, name: Other, scopes: [read] }
users:
  - email: Alice@example.com
    name: Alice
    phone: "+15551234567"
    email_verified: false
    tenant: acme
`);
    expect(options).toEqual({
      config: expect.any(String),
      port: 9000,
      host: 'localhost',
      baseUrl: 'http://localhost:9000',
      db: join(folder, 'data/mock.db'),
      tls: true,
      control: false,
      live: false,
      exchanges: 50,
      rateLimit: true,
      codeFormat: 'letters:8',
      preClaimScopes: ['orders.read'],
      postClaimScopes: ['orders.read', 'orders.write'],
      resources: [
        { path: '/v1/orders/{id}', scope: 'orders.read', body: { id: 7 } },
        {
          path: '/v1/export',
          method: 'POST',
          open: true,
          status: 202,
          body: 'late',
          contentType: 'text/csv',
        },
      ],
      cors: ['http://localhost:5173', '*'],
      metadata: ['server.service_documentation="https://d.example"', 'client.contacts=["a"]'],
      vendor: ['acme', 'vendor'],
      type: ['anonymous', 'service_auth'],
      serviceName: 'Acme API',
      providerName: 'Acme ID',
      eventBase: 'https://schemas.acme.example',
      acceptResourceAudience: true,
      algorithm: 'EdDSA',
      clientId: 'my-agent',
      clientName: 'My Agent',
      autoApprove: 'alice@example.com',
      fault: ['noSlowDown', 'unavailable'],
      lifetime: ['userCode=30s', 'idJag=2m'],
      trust: [
        { issuer: 'https://one.example' },
        {
          issuer: 'https://two.example',
          name: 'Two',
          jwksUri: 'https://keys.two.example/jwks',
          clientIds: ['https://two.example/agent.json'],
          mailDomains: ['two.example'],
        },
      ],
      audience: [
        { issuer: 'https://api.example' },
        { issuer: 'https://other.example', name: 'Other', scopes: ['read'] },
      ],
      users: [
        {
          email: 'Alice@example.com',
          name: 'Alice',
          phone: '+15551234567',
          emailVerified: false,
          tenant: 'acme',
        },
      ],
    });
  });

  it('is beaten by the flags; a lifetime by the one of its name', async () => {
    const flags = { port: 1, trust: ['https://flag.example'], lifetime: ['userCode=1m'] };
    expect(
      await read(
        'port: 2\nhost: "::1"\ntrust: [https://file.example]\nlifetimes: {interval: 1s}',
        'up',
        flags,
      ),
    ).toMatchObject({
      port: 1,
      host: '::1',
      trust: ['https://flag.example'],
      lifetime: ['interval=1s', 'userCode=1m'],
    });
  });

  it('closes the controls unless it says nothing of them', async () => {
    // Commander hands over `control: true` when --no-control is not there.
    expect((await read('control: false', 'up', { control: true })).control).toBe(false);
    expect((await read('port: 1', 'up', { control: false })).control).toBe(false);
    expect((await read('port: 1', 'up', { control: true })).control).toBe(true);
  });

  it('lets a kind of certificate on the line replace the other kind', async () => {
    expect(await read('tls: true', 'up', { tlsCert: 'a', tlsKey: 'b' })).toMatchObject({
      tls: false,
    });
    expect((await read('tls_cert: a\ntls_key: b', 'up', { tls: true })).tlsCert).toBeUndefined();
  });

  it.each(['', '# nothing\n', '{}'])('may be empty: %j', async (text) => {
    expect(await read(text)).toMatchObject({ lifetime: [] });
  });

  it('may use an anchor', async () => {
    expect((await read('client_id: &n agent\nclient_name: *n')).clientName).toBe('agent');
  });

  it.each<[string, string, string[], ConfigPart?]>([
    [
      'a key that there is not, with the nearest',
      'port: 1\ntrsut: []\nbase-url: http://127.0.0.1\n',
      [
        '2:1  unknown key "trsut"; did you mean trust?',
        '3:1  unknown key "base-url"; did you mean base_url?',
      ],
    ],
    [
      'a key of a trusted issuer',
      'trust:\n  - issuer: https://a.example\n    jwksUri: https://a.example/keys\n',
      ['3:5  unknown key "jwksUri"; did you mean jwks_uri?'],
    ],
    [
      'a key of another command',
      'auto_approve: alice@example.com',
      ['1:1  "auto_approve" is for mock provider, not for mock service'],
      'service',
    ],
    [
      'values of the wrong type, all of them',
      'port: "4800"\ntls: yes\ntrust: https://a.example\nlifetimes:\n  userCode: 30\n',
      [
        '1:7  port: expected a port, a number from 0 to 65535, not "4800"',
        '2:6  tls: expected true or false, not "yes"',
        '3:8  trust: expected a list, not "https://a.example"',
        '5:13  lifetimes.userCode: expected a duration like 90s, 10m or 1h30m, not 30',
      ],
    ],
    [
      'a duration that is none',
      'lifetimes: { userCode: soon }',
      ['1:24  lifetimes.userCode: expected a duration like 90s, 10m or 1h30m, not "soon"'],
    ],
    [
      'a lifetime that there is not',
      'lifetimes:\n  usercode: 30s',
      ['2:3  unknown key "usercode"; did you mean userCode?'],
    ],
    [
      'URLs that are none',
      'base_url: http://127.0.0.1:1/x\ntrust: [http://a.example, 7]',
      [
        '1:11  base_url: expected a URL without a path, like http://127.0.0.1:4800, not "http://127.0.0.1:1/x"',
        '2:9  trust.0.issuer: expected a URL, https or on this machine, like https://provider.example, not "http://a.example"',
        '2:27  trust.1: expected keys and values, not 7',
      ],
    ],
    [
      'a fault that there is not',
      'faults:\n  - noSlowdwn\n  - wobbly\n',
      [
        '2:5  faults.0: there is no fault "noSlowdwn"; did you mean noSlowDown?',
        expect.stringMatching(
          /^3:5 {2}faults\.1: there is no fault "wobbly"; known: wrongResource, .*… \(\d{3}\)$/,
        ),
      ] as string[],
    ],
    [
      'users without an email',
      'users:\n  - name: Alice\n  - email: nobody\n',
      [
        '2:5  users.0.email: expected an email address',
        '3:12  users.1.email: expected an email address, not "nobody"',
      ],
    ],
    ['a key that is there twice', 'port: 1\nport: 2', ['2:1  duplicate key']],
    ['a list instead of keys', '- port: 1', ['1:1  expected keys and values']],
    ['an anchor that there is not', 'client_id: *nobody', ['1:12  there is no anchor &nobody']],
    [
      'an alias without an end',
      'metadata: {server: &m {x: *m}}',
      ['1:27  the alias stands within its own anchor &m'],
    ],
    [
      'a port that is too large',
      'port: 70000',
      ['1:7  port: expected a port, a number from 0 to 65535, not 70000'],
    ],
    [
      'a value that was left out',
      'host:\n',
      ['1:6  host: expected a host name or an IP address, without a scheme or a port'],
    ],
  ])('names line and column of %s', async (_what, text, expected, part = 'up') => {
    expect(await mistakes(text, part)).toEqual(expected);
  });

  it.each([
    ['unclosed brackets', 'port: [1'],
    ['a tab', 'trust:\n\t- https://a.example'],
    ['two documents', 'port: 1\n---\nport: 2'],
    ['a tag that there is not', 'port: !number 1'],
  ])('says that it is not YAML, and where: %s', async (_what, text) => {
    expect((await mistakes(text))[0]).toMatch(/^\d+:\d+ {2}not YAML: /);
  });

  it('calls a broken .json file no JSON, not no YAML', () => {
    const read = () => readConfigText('{"port": [1', 'mock.json', 'up');
    expect(read).toThrow(/not JSON: /);
    expect(read).not.toThrow(/YAML/);
  });

  it('does not unfold aliases without end', async () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh'].map((pair) => [...pair])) {
      lines.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]`);
    }
    expect(await mistakes(lines.join('\n'))).toEqual(['2:8  too many aliases']);
  });

  it.each(['[', '{a: ', '- ', '? ', 'a: '])(
    'reads no %j in one another without end',
    async (unit) => {
      expect(await mistakes(unit.repeat(60_000))).toEqual([
        '1:1  not YAML: it is nested too deeply',
      ]);
    },
  );

  it('reads no lines that are indented without end', async () => {
    const lines = Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}a:\n`);
    expect(await mistakes(lines.join(''))).toEqual(['1:1  not YAML: it is nested too deeply']);
  });

  it('says what the reader of YAML throws, too', async () => {
    expect((await mistakes('%YAML 1.1\n---\n<<: 3\n'))[0]).toMatch(
      /^1:1 {2}not YAML: Merge sources/,
    );
  });

  it('does not take __proto__ for a key', async () => {
    expect((await mistakes('__proto__: { port: 1 }'))[0]).toContain('unknown key "__proto__"');
  });

  it.each([
    ['is not there', () => join(folder, 'nowhere.yaml'), 'it does not exist'],
    ['has no name', () => '', '--config cannot be "". Name a file.'],
    ['is a folder', () => folder, 'it is a folder'],
    ['is no text', () => file(new Uint8Array([0xff, 0xfe, 0x00])), 'UTF-8'],
    ['is too large', () => file('#'.repeat(300_000)), '256 KiB'],
  ])('is refused when it %s', async (_what, path, text) => {
    await expect(readMockOptions({ config: path() }, 'up', signal)).rejects.toThrow(text);
  });

  it('lists every mistake in one message, and as JSON', async () => {
    const path = file('prot: 1\nrate_limit: maybe\n');
    const plain = await runCli(newMachine(), ['mock', 'up', '--config', path]);
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).toContain(`${path}:1:1  unknown key "prot"; did you mean port?`);
    const { json } = await runCli(newMachine(), ['mock', 'up', '--config', path, '--json']);
    expect(json()[0]).toMatchObject({
      error: { code: 'bad_config' },
      file: path,
      mistakes: [
        { line: 1, column: 1, message: 'unknown key "prot"; did you mean port?' },
        { line: 2, column: 13, message: 'rate_limit: expected true or false, not "maybe"' },
      ],
    });
  });

  it('knows every option of the command line', () => {
    const program = buildProgram(async () => {}, { stdout: () => {}, stderr: () => {} });
    const mock = program.commands.find((command) => command.name() === 'mock');
    const plural: Record<string, string> = {
      type: 'types',
      audience: 'audiences',
      client: 'clients',
      lifetime: 'lifetimes',
      fault: 'faults',
      allow_host: 'allow_hosts',
      no_control: 'control',
      no_live: 'live',
      protect: 'resources',
      quirk: 'quirks',
    };
    for (const part of ['service', 'provider', 'up'] as const) {
      const command = mock?.commands.find((each) => each.name() === part);
      const keys = (command?.options ?? [])
        .map(({ long }) => (long ?? '').slice(2).replaceAll('-', '_'))
        // A transcript is played again as it was recorded: `--from` takes no configuration.
        // A process is started by whoever types its options.
        .filter((key) => !['config', 'from', 'auto', 'provider', 'until_stdin_ends'].includes(key))
        .map((key) => plural[key] ?? key);
      const known = Object.keys(CONFIG_SCHEMAS[part].shape);
      expect(keys.filter((key) => !known.includes(key))).toEqual([]);
      expect(keys.length).toBeGreaterThan(5);
    }
  });
});
