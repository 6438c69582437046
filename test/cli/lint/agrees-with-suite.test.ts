import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import { serve } from '../../../src/mock-service/index.ts';
import { isJsonObject, type JsonObject } from '../../../src/protocol/json.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { SEED } from '../../conformance/support/seed.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const catalog = new Catalog(readRequirements());
const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
const SCENARIOS = SERVICE_SCENARIOS.filter(({ id }) =>
  ['resource-metadata', 'server-metadata', 'agent-auth'].includes(id),
);

/** Documents that a mock publishes, with one member of them made wrong. */
type Change = (document: JsonObject) => JsonObject;
let change: Change = (document) => document;

const serveChanged: typeof serve = (options) =>
  serve({
    ...options,
    build: async (origin) => {
      const handle = await options.build(origin);
      return async (request, ...more) => {
        const answer = await handle(request, ...more);
        if (!new URL(request.url).pathname.startsWith('/.well-known/oauth-')) return answer;
        const { headers, status } = answer;
        const document: unknown = await answer.json();
        return Response.json(isJsonObject(document) ? change(document) : document, {
          headers,
          status,
        });
      };
    },
  });

let mock: Awaited<ReturnType<typeof startMockTarget>>;
beforeAll(async () => {
  mock = await startMockTarget({ ...ports, fetch: createSystemFetch(), serve: serveChanged });
});
afterAll(() => mock.close());

/** The checks that fail: each of a requirement that says MUST. */
async function failedBySuite(): Promise<readonly string[]> {
  const results = await judgeService({
    ...ports,
    seed: SEED,
    target: mock.target,
    resource: '/api/resource',
    providers: mock.providers,
    provider: { trusted: true },
    catalog,
    repeat: false,
    timeout: 10_000,
    selection: { safe: true },
    scenarios: SCENARIOS,
  });
  return results.flatMap(({ checks }) =>
    checks.filter(({ status }) => status === 'fail').map(({ id }) => id),
  );
}

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly member: string | null;
}

async function errorsOfLint(): Promise<readonly Finding[]> {
  const machine = newMachine();
  machine.servers.set(mock.target, (request) => fetch(request));
  const run = await runCli(machine, ['lint', `${mock.target}/api/resource`, '--json']);
  const findings = (run.json()[0]?.['findings'] ?? []) as readonly Finding[];
  return findings.filter(({ severity }) => severity === 'error');
}

/** In both documents and in the block: which of them has it is not the point. */
function withMember(name: string, make: (before: unknown) => unknown): Change {
  const inObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
        if (key === name) {
          const made = make(value);
          return made === undefined ? [] : [[key, made]];
        }
        return [[key, key === 'agent_auth' && isJsonObject(value) ? inObject(value) : value]];
      }),
    );
  return inObject;
}

const URLS = [
  'resource',
  'issuer',
  'token_endpoint',
  'revocation_endpoint',
  'skill',
  'identity_endpoint',
  'claim_endpoint',
  'events_endpoint',
];
const LISTS = [
  'authorization_servers',
  'scopes_supported',
  'bearer_methods_supported',
  'grant_types_supported',
  'response_types_supported',
  'identity_types_supported',
  'events_supported',
];

const OF_ALL: readonly (readonly [how: string, make: (before: unknown) => unknown])[] = [
  ['left out', () => undefined],
  ['null', () => null],
  ['a number', () => 7],
];
const OF_URLS: typeof OF_ALL = [
  ...OF_ALL,
  ['empty', () => ''],
  ['of http', () => 'http://api.example.com/x'],
  ['relative', () => '/x'],
  ['with a fragment', (before) => `${before}#x`],
  ['with a password', (before) => String(before).replace('://', '://me:pass@')],
  ['with a query', (before) => `${before}?tenant=1`],
];
const OF_LISTS: typeof OF_ALL = [
  ...OF_ALL,
  ['an empty list', () => []],
  ['text', () => 'other'],
  ['a list of something else', () => ['other']],
  ['a list of numbers', () => [7]],
];
const OF_ASSERTIONS: typeof OF_ALL = [
  ...OF_ALL,
  ['an empty object', () => ({})],
  ['of another type', () => ({ assertion_types_supported: ['verified_email'] })],
];

const CHANGES = [
  ...URLS.flatMap((name) => OF_URLS.map(([how, make]) => ({ name, how, make }))),
  ...LISTS.flatMap((name) => OF_LISTS.map(([how, make]) => ({ name, how, make }))),
  ...OF_ASSERTIONS.map(([how, make]) => ({ name: 'identity_assertion', how, make })),
  ...OF_ALL.map(([how, make]) => ({ name: 'agent_auth', how, make })),
];

/** Agents take the origin that they asked for the issuer: lint warns, as every reader does. */
const isNoIssuer = ({ name, how }: { readonly name: string; readonly how: string }) =>
  name === 'issuer' && (how === 'left out' || how === 'null');

it.each(CHANGES.filter(isNoIssuer))('lint warns where issuer is $how', async ({ name, make }) => {
  change = withMember(name, make);
  const machine = newMachine();
  machine.servers.set(mock.target, (request) => fetch(request));
  const run = await runCli(machine, ['lint', mock.target, '--json']);
  expect(run.json()[0]).toMatchObject({ verdict: 'usable' });
  expect(run.json()[0]?.['findings']).toContainEqual(
    expect.objectContaining({ rule: 'issuer-missing', severity: 'warning' }),
  );
});

describe('what the suite fails in documents, lint calls an error', () => {
  it.each(CHANGES.filter((each) => !isNoIssuer(each)))(
    'where $name is $how',
    async ({ name, make }) => {
      change = withMember(name, make);
      const failed = await failedBySuite();
      const errors = await errorsOfLint();
      const about = errors.filter(({ member }) => member?.split('/').includes(name));
      expect({ failed, errors: about.length > 0 }).toEqual({ failed, errors: failed.length > 0 });
    },
  );
});
