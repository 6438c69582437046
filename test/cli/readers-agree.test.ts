import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT_CODES } from '../../src/agent/agent-codes.ts';
import { CODE_OF_VERDICT } from '../../src/agent/discovery/find-service.ts';
import { exitCode, OUTCOME_OF_KIND } from '../../src/cli/shell/exit-codes.ts';
import type { Verdict } from '../../src/discovery/index.ts';
import { RULES, type RuleId } from '../../src/discovery/rules/rule-table.ts';
import {
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/constants.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { testFolder } from '../support/test-folder.ts';
import { HOST, METADATA, RESOURCE, RESOURCE_METADATA, SERVER } from './support/documents.ts';
import { newMachine, runCli } from './support/run-cli.ts';

const OPENID = '/.well-known/openid-configuration';
const WILD = join(import.meta.dirname, '../../fixtures/wild');

const OAUTH = {
  issuer: HOST,
  authorization_endpoint: `${HOST}/oauth2/authorize`,
  token_endpoint: `${HOST}/oauth2/token`,
  response_types_supported: ['code'],
};

const CROSS_APP = {
  ...OAUTH,
  grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
  authorization_grant_profiles_supported: [ID_JAG_GRANT_PROFILE],
};
const FOR_CLAIMS = {
  ...CROSS_APP,
  grant_types_supported: [
    ...CROSS_APP.grant_types_supported,
    'urn:vendor:agent-auth:grant-type:claim',
  ],
};
const PROVIDER = {
  ...OAUTH,
  device_authorization_endpoint: `${HOST}/oauth2/device`,
  grant_types_supported: [DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT],
};

/** What is published, by path, and the URL that readers are given. */
interface Published {
  readonly files: Readonly<Record<string, JsonObject>>;
  readonly path?: string;
  /** What the 401 of the path names. */
  readonly challenge?: string;
}

interface Seen {
  readonly verdict: unknown;
  readonly rules: readonly string[];
  readonly code: number;
}

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

function machineOf({ files, path = '/', challenge }: Published) {
  const machine = newMachine();
  machine.servers.set(HOST, ({ url }) => {
    const { pathname } = new URL(url);
    const json = files[pathname];
    if (json !== undefined) return Response.json(json);
    if (pathname !== path || challenge === undefined) return new Response(null, { status: 404 });
    const named = `Bearer resource_metadata="${HOST}${challenge}"`;
    return new Response(null, { status: 401, headers: { 'www-authenticate': named } });
  });
  return machine;
}

type Json = Readonly<Record<string, unknown>>;

/** How a document is served differs between a URL and a folder: compared is what stands in it. */
const sorted = (found: readonly { readonly rule: string; readonly severity: string }[]) =>
  [
    ...new Set(
      found
        .filter(({ rule }) => RULES[rule as RuleId].find !== undefined)
        .map(({ rule, severity }) => `${rule} (${severity})`),
    ),
  ].sort();

async function readBy(reader: string, published: Published, ...more: readonly string[]) {
  const url = HOST + (published.path ?? '');
  const target = more.length === 0 ? url : folder;
  const run = await runCli(machineOf(published), [reader, target, ...more, '--json']);
  return { code: run.code, lines: run.json() as readonly Json[] };
}

async function seenByAgent(reader: string, published: Published): Promise<Seen> {
  const { code, lines } = await readBy(reader, published);
  for (const line of lines) {
    const recognition = (line['recognition'] ??
      (line['error'] as Json | undefined)?.['recognition']) as Json | undefined;
    if (recognition === undefined) continue;
    const defects = recognition['defects'] as readonly { rule: string; severity: string }[];
    return { code, verdict: recognition['verdict'], rules: sorted(defects) };
  }
  throw new Error(`${reader} told nothing: ${JSON.stringify(lines)}`);
}

async function seenByDoctor(published: Published): Promise<Seen> {
  const { code, lines } = await readBy('doctor', published);
  const checks = lines[0]?.['checks'] as readonly { id: string; details: Json }[];
  const [verdict] = checks
    .filter(({ id }) => id === 'discovery')
    .map((each) => each.details['verdict']);
  const rules = checks.filter(({ id }) => id === 'rule').map(({ details }) => details);
  return { code, verdict, rules: sorted(rules as never) };
}

async function seenByLint(published: Published, ...more: readonly string[]): Promise<Seen> {
  const { code, lines } = await readBy('lint', published, ...more);
  const findings = lines[0]?.['findings'] as readonly { rule: string; severity: string }[];
  return { code, verdict: lines[0]?.['verdict'], rules: sorted(findings) };
}

/** What discover ends with, by the verdict; doctor fails where it does. */
const exitOf = (verdict: Verdict) =>
  verdict === 'usable' ? 0 : exitCode(OUTCOME_OF_KIND[AGENT_CODES[CODE_OF_VERDICT[verdict]].kind]);

/** The agent asks no URL of these: its user has to allow it. */
const REFUSED = /^(?:foreign-endpoint|insecure-url|issuer-host-differs|resource-not-served) /;

async function agree(published: Published): Promise<Seen> {
  for (const [path, json] of Object.entries(published.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(json, null, 1));
  }
  const { code, ...seen } = await seenByLint(published);
  const { code: exit, ...discover } = await seenByAgent('discover', published);
  const { code: _, ...connect } = await seenByAgent('connect', published);
  const { code: health, ...doctor } = await seenByDoctor(published);
  const { code: __, ...inFolder } = await seenByLint(published, '--base', HOST);
  const rules = seen.rules.filter((rule) => !rule.endsWith('(note)'));
  expect({ discover, connect, doctor, inFolder }).toEqual({
    ...{ discover: seen, connect: seen, inFolder: seen },
    doctor: { ...seen, rules },
  });
  const isRefused = rules.some((rule) => REFUSED.test(rule));
  const expected = isRefused ? exit : exitOf(seen.verdict as Verdict);
  expect({ exit, health }).toEqual({ exit: expected, health: expected === 0 ? 0 : 1 });
  return { code, ...seen };
}

describe('discover, connect, doctor and lint, of a URL and a folder, say the same of', () => {
  const published = readdirSync(WILD).filter((file) => /^(?:as|agent-auth|prm)-/.test(file));
  it.each(published)('%s', async (file) => {
    const text = readFileSync(join(WILD, file), 'utf8');
    const { issuer, resource } = JSON.parse(text) as JsonObject;
    const own = new URL(String(issuer ?? resource ?? HOST));
    const path = own.pathname.replace(/\/$/, '');
    const moved = JSON.parse(text.replaceAll(own.origin, HOST)) as JsonObject;
    const place = (file.startsWith('prm-') ? RESOURCE : SERVER) + path;
    await agree({ files: { [place]: moved }, path });
  });

  const { issuer: _, ...unnamed } = METADATA;
  const ofResource = (path: string, resource: string): Published => ({
    files: {
      [RESOURCE + path]: { ...RESOURCE_METADATA, resource },
      [SERVER]: METADATA,
    },
    ...{ path, challenge: RESOURCE + path },
  });
  it.each<[what: string, published: Published, verdict: Verdict, rules: readonly string[]]>([
    [
      'metadata of the resource above',
      ofResource('/mcp/oauth', `${HOST}/mcp`),
      'usable',
      ['resource-differs (error)'],
    ],
    ['metadata of the origin', ofResource('/v3/x', HOST), 'usable', ['resource-differs (error)']],
    [
      'metadata with one final slash more',
      ofResource('/slash', `${HOST}/slash/`),
      'usable',
      ['resource-differs (error)'],
    ],
    [
      'an origin with a final slash',
      ofResource('', `${HOST}/`),
      'usable',
      ['resource-differs (error)'],
    ],
    [
      'a scheme in capitals',
      ofResource('', HOST.replace('https', 'HTTPS')),
      'usable',
      ['resource-differs (error)'],
    ],
    [
      'a server that serves another resource',
      {
        files: {
          [`${RESOURCE}/api`]: { ...RESOURCE_METADATA, resource: `${HOST}/api` },
          [SERVER]: { ...METADATA, resource: `${HOST}/other` },
        },
        path: '/api',
      },
      'usable',
      ['resource-not-served (error)'],
    ],
    [
      'metadata at openid-configuration alone',
      { files: { [OPENID]: METADATA } },
      'usable',
      ['metadata-place (warning)'],
    ],
    [
      'OAuth at openid-configuration alone',
      { files: { [OPENID]: OAUTH } },
      'plain_oauth',
      ['agent-auth-missing (error)', 'metadata-place (warning)'],
    ],
    [
      'a server without an issuer',
      { files: { [SERVER]: unnamed, [RESOURCE]: RESOURCE_METADATA } },
      'usable',
      ['issuer-missing (warning)'],
    ],
    ['cross-app access alone', { files: { [SERVER]: CROSS_APP } }, 'plain_oauth', []],
    ['a provider', { files: { [SERVER]: PROVIDER } }, 'plain_oauth', []],
    [
      'a grant for claims beside cross-app access',
      { files: { [SERVER]: FOR_CLAIMS } },
      'plain_oauth',
      ['agent-auth-missing (error)'],
    ],
    [
      'a claim grant of a vendor',
      {
        files: {
          [SERVER]: {
            ...METADATA,
            grant_types_supported: [...METADATA.grant_types_supported, 'urn:vendor:collect'],
            agent_auth: { ...METADATA.agent_auth, claim_grant_type: 'urn:vendor:collect' },
          },
        },
      },
      'usable',
      [],
    ],
  ])('%s', async (_what, published, verdict, rules) => {
    const seen = await agree(published);
    expect([seen.verdict, seen.rules]).toEqual([verdict, rules]);
  });
});

describe('discover, connect, doctor and lint, of a URL and a file, say the same of the document of a client', () => {
  const right = {
    ...{ client_id: `${HOST}/client.json`, client_name: 'App' },
    ...{ redirect_uris: [`${HOST}/callback`], token_endpoint_auth_method: 'none' },
  };
  type OfClient = [what: string, document: JsonObject, rules: readonly string[], path?: string];
  it.each<OfClient>([
    ['that is right', right, []],
    [
      'with a secret, of another URL',
      { ...right, client_id: `${HOST}/client`, client_secret: 'x' },
      ['client-id-differs (error)', 'client-secret-published (error)'],
    ],
    ...['/client.json?id=1', ':443/client.json'].flatMap((rest): OfClient[] => [
      [`at ${rest}`, { ...right, client_id: HOST + rest }, [], rest],
      [`at ${rest}, of another`, right, ['client-id-differs (error)'], rest],
    ]),
  ])('%s', async (_what, document, rules, path = '/client.json') => {
    const published = { files: { '/client.json': document }, path };
    const file = join(folder, 'client.json');
    writeFileSync(file, JSON.stringify(document));
    const url = HOST + path;
    const inFile = await runCli(newMachine(), ['lint', file, '--base', url, '--json']);
    const [result] = inFile.json();
    const verdict = 'not_this_protocol';
    const exit = exitOf(verdict);
    const lint = { verdict, rules, code: rules.length > 0 ? 1 : 0 };
    expect({
      lint: await seenByLint(published),
      code: inFile.code,
      rules: sorted(result?.['findings'] as never),
      discover: await seenByAgent('discover', published),
      connect: await seenByAgent('connect', published),
      doctor: await seenByDoctor(published),
    }).toEqual({
      ...{ lint, code: lint.code, rules },
      discover: { verdict, rules, code: exit },
      connect: { verdict, rules, code: exit },
      doctor: { verdict, rules, code: 1 },
    });
    const discovered = await runCli(machineOf(published), ['discover', url]);
    expect(discovered.stderr).toContain('the metadata document of a client, no service');
    const checked = await runCli(machineOf(published), ['doctor', url]);
    for (const { stdout, stderr } of [discovered, checked]) {
      expect(stdout + stderr).toContain('✓ The document names the client for people.');
      expect(stdout + stderr).not.toContain('✓ The keys');
    }
  });
});

describe('what registers no agents is called by what it is, with what to do next,', () => {
  it.each([
    [
      'cross-app access',
      CROSS_APP,
      /cross-app access alone/,
      /agent-auth connect https:\/\/api\.example\.com --client-id ID/,
    ],
    ['a provider', PROVIDER, /an agent provider/, /agent-auth provider login/],
  ])('as %s', async (_what, document, name, next) => {
    const machine = machineOf({ files: { [SERVER]: document } });
    const discovered = await runCli(machine, ['discover', HOST]);
    const checked = await runCli(machine, ['doctor', HOST]);
    expect(discovered.stderr).toMatch(name);
    expect(discovered.stderr).not.toContain('found wrong');
    expect(discovered.stderr).toMatch(next);
    expect(checked.stdout).toMatch(next);
  });

  it('does not say cross-app access alone where there is a grant for claims', async () => {
    const machine = machineOf({ files: { [SERVER]: FOR_CLAIMS } });
    const { code, stderr } = await runCli(machine, ['discover', HOST]);
    expect([code === 0, stderr]).toEqual([
      false,
      expect.not.stringContaining('cross-app access alone'),
    ]);
  });
});
