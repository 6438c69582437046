import { describe, expect, it } from 'vitest';
import { HOST, METADATA, RESOURCE, RESOURCE_METADATA, SERVER } from '../support/documents.ts';
import { registered, SERVICE } from '../support/mocks.ts';
import { type Handler, type Machine, newMachine, runCli } from '../support/run-cli.ts';

type Answer = {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

const json = (body: unknown, more: Answer = {}): Answer => ({
  body,
  headers: { 'content-type': 'application/json' },
  ...more,
});
const page: Answer = { body: '<!doctype html><p>App', headers: { 'content-type': 'text/html' } };
const skill: Answer = { body: '# How', headers: { 'content-type': 'text/markdown' } };

const challenge = (field: string): Answer => ({
  status: 401,
  headers: { 'www-authenticate': field },
});

/** A service as others run one: answers by path; what is not there is 404, or `fallback`. */
function site(answers: Readonly<Record<string, Answer>>, fallback: Answer = { status: 404 }) {
  const machine = newMachine();
  const seen: Request[] = [];
  const handler: Handler = (request) => {
    seen.push(request);
    const { status = 200, body, headers = {} } = answers[new URL(request.url).pathname] ?? fallback;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text ?? null, { status, headers });
  };
  machine.servers.set(HOST, handler);
  return { machine, seen };
}

const CLEAN: Readonly<Record<string, Answer>> = {
  [RESOURCE]: json(RESOURCE_METADATA),
  [SERVER]: json(METADATA),
  '/auth.md': skill,
};

async function lint(machine: Machine, url = HOST) {
  const run = await runCli(machine, ['lint', url, '--json']);
  const [result = {}] = run.json();
  const findings = (result['findings'] ?? []) as readonly { rule: string; message: string }[];
  return { ...run, result, findings, rules: findings.map(({ rule }) => rule) };
}

describe('a URL', () => {
  it('that serves clean documents is said to be clean', async () => {
    const { code, result, rules } = await lint(site(CLEAN).machine);
    expect([code, rules, result['verdict']]).toEqual([0, [], 'usable']);
  });

  it('whose documents do not tell its dialect was said to be in doubt, as if that were wrong', async () => {
    const { machine } = site({
      ...CLEAN,
      [SERVER]: json({ ...METADATA, grant_types_supported: undefined }),
    });
    const { result } = await lint(machine);
    expect(result['reason']).toMatch(
      /; it may as well be .*, which is no mistake: the first answer shows it\.$/,
    );
    const { stdout } = await runCli(machine, ['lint', HOST]);
    expect(stdout).toContain('These names are dialects of the protocol: docs/dialects.md.');
  });

  it.each<[string, Record<string, Answer>, string[]]>([
    [
      'a byte order mark',
      { [SERVER]: json(`\uFEFF${JSON.stringify(METADATA)}`) },
      ['byte-order-mark'],
    ],
    [
      'a URL without quotes',
      { '/v1': challenge(`Bearer resource_metadata=${HOST}${RESOURCE}`) },
      ['challenge-unquoted'],
    ],
    ['DPoP', { '/v1': challenge(`DPoP resource_metadata="${HOST}${RESOURCE}"`) }, []],
  ])('is read with %s', async (_what, answers, expected) => {
    const { rules } = await lint(site({ ...CLEAN, ...answers }).machine, `${HOST}/v1`);
    for (const rule of expected) expect(rules).toContain(rule);
    expect(rules).not.toContain('challenge-without-metadata');
  });

  it('says what is no JSON, and where', async () => {
    const text = '{\n "issuer": "https://x.test",\n}';
    const { machine } = site({ ...CLEAN, [SERVER]: json(text) });
    const { stdout } = await runCli(machine, ['lint', HOST]);
    expect(stdout).toMatch(/It is not JSON: Expected double-quoted property name, in line 3\./);
  });

  it('is asked by GET, and as an MCP server, without credentials, each place once', async () => {
    const { machine, seen } = site(CLEAN);
    await lint(machine, `${HOST}/v1?key=secret`);
    expect(seen.length).toBeGreaterThan(3);
    const posted = seen.filter(({ method }) => method !== 'GET');
    // What was typed is asked as it was typed, as by discover.
    const typed = `${HOST}/v1?key=secret`;
    expect(posted.map(({ method, url }) => [method, url])).toEqual([['POST', typed]]);
    for (const { headers, url } of seen) {
      const own = ['accept', 'content-type'];
      expect([...headers.keys()].filter((name) => !own.includes(name))).toEqual([]);
      if (url !== typed) expect(url).not.toContain('secret');
    }
    expect(new Set(seen.map(({ url }) => url)).size).toBe(seen.length - posted.length);
  });

  it.each([`${HOST}${SERVER}`, `${HOST}${RESOURCE}`, `${HOST}/auth.md`, 'api.example.com'])(
    'may be typed as %s',
    async (typed) => {
      const { code, rules } = await lint(site(CLEAN).machine, typed);
      expect([code, rules]).toEqual([0, []]);
    },
  );

  it('without the metadata of a resource fails', async () => {
    const { code, rules } = await lint(site({ ...CLEAN, [RESOURCE]: { status: 404 } }).machine);
    expect([code, rules]).toEqual([1, ['resource-metadata-missing']]);
  });

  it('with nothing fails', async () => {
    const { code, rules } = await lint(site({}).machine);
    expect([code, rules]).toEqual([1, ['resource-metadata-missing', 'server-metadata-missing']]);
  });

  it.each([200, 404])(
    'with a path that answers %i looked like one with a right challenge',
    async (status) => {
      const answers = { ...CLEAN, '/orders': { status } };
      const { code, findings, stdout } = await lint(site(answers).machine, `${HOST}/orders`);
      expect(code).toBe(0);
      expect(findings).toMatchObject([
        {
          rule: 'no-challenge',
          severity: 'note',
          message: `${HOST}/orders answered ${status} without a token, so no challenge was judged.`,
        },
      ]);
      expect(stdout).toContain('"notes":1');
      const right = {
        status: 401,
        headers: { 'www-authenticate': `Bearer resource_metadata="${HOST}${RESOURCE}"` },
      };
      expect(
        (await lint(site({ ...CLEAN, '/orders': right }).machine, `${HOST}/orders`)).rules,
      ).toEqual([]);
    },
  );

  it('with nothing but a 401 is led to what agents ask for first, and to one server for all paths', async () => {
    const { findings, rules } = await lint(
      site({ '/orders': { status: 401 } }).machine,
      `${HOST}/orders`,
    );
    expect(rules).toEqual([
      'challenge-without-metadata',
      'resource-metadata-missing',
      'server-metadata-missing',
    ]);
    const [, resource, server] = findings;
    expect(resource).toMatchObject({ instead: `Serve it at ${HOST}${RESOURCE}/orders.` });
    expect(server).toMatchObject({
      instead: `Name the server in authorization_servers of the protected resource metadata first. For ${HOST} as the server, serve it at ${HOST}${SERVER}.`,
    });
    const named = json({ resource: `${HOST}/orders`, authorization_servers: [HOST] });
    const later = await lint(site({ [`${RESOURCE}/orders`]: named }).machine, `${HOST}/orders`);
    expect(later.findings.find(({ rule }) => rule === 'server-metadata-missing')).toMatchObject({
      instead: `Serve it at ${HOST}${SERVER}: it is that of the server which the resource names in authorization_servers.`,
    });
  });

  it('with nothing gets whole documents to begin with, in which lint finds nothing', async () => {
    const { machine } = site({ '/orders': { status: 401 } });
    const line = ['lint', `${HOST}/orders`];
    const { stdout } = await runCli(machine, line);
    expect(stdout).toContain(`--fix prints whole documents to begin with.`);
    const { code, json: printed } = await runCli(machine, [...line, '--fix', '--json']);
    const [fixed] = printed();
    const documents = fixed?.['documents'] as readonly { name: string; json: unknown }[];
    expect([code, documents.map(({ name }) => name), fixed?.['left']]).toEqual([
      1,
      [`${HOST}${RESOURCE}/orders`, `${HOST}${SERVER}`],
      [],
    ]);
    const served = site({
      '/orders': {
        status: 401,
        headers: { 'www-authenticate': `Bearer resource_metadata="${HOST}${RESOURCE}/orders"` },
      },
      ...Object.fromEntries(
        documents.map((each) => [new URL(each.name).pathname, json(each.json)]),
      ),
      '/auth.md': skill,
    });
    const clean = await lint(served.machine, `${HOST}/orders`);
    expect([clean.code, clean.rules, clean.result['verdict']]).toEqual([0, [], 'usable']);
  });

  it('with one of the documents gets the other, for that one', async () => {
    const { machine } = site({ [SERVER]: json(METADATA), '/auth.md': skill });
    const [fixed] = (await runCli(machine, ['lint', HOST, '--fix', '--json'])).json();
    expect(fixed?.['documents']).toMatchObject([
      { json: { resource: HOST, authorization_servers: [HOST] } },
      { json: METADATA },
    ]);
    const elsewhere = json({ resource: HOST, authorization_servers: ['https://id.example.com'] });
    const foreign = await runCli(site({ [RESOURCE]: elsewhere }).machine, ['lint', HOST, '--fix']);
    expect(foreign.stdout).not.toContain('agent_auth');
  });

  it('where a single-page app answers everything fails, and names it', async () => {
    const { code, rules } = await lint(site({}, page).machine);
    expect([code, rules]).toEqual([1, ['resource-metadata-missing', 'html-for-json']]);
    const behind = await lint(site({ [SERVER]: json(METADATA), '/auth.md': skill }, page).machine);
    expect([behind.code, behind.rules]).toEqual([1, ['resource-metadata-missing']]);
  });

  it('that redirects is not followed', async () => {
    const away: Answer = { status: 308, headers: { location: 'https://www.example.com/x' } };
    const { machine, seen } = site({}, away);
    const { code, findings } = await lint(machine);
    expect(code).toBe(1);
    expect(findings.map(({ rule }) => rule)).toContain('document-redirected');
    expect(findings[0]?.message).toContain('https://www.example.com/x');
    expect(seen.every(({ url }) => url.startsWith(HOST))).toBe(true);
  });

  it.each<[what: string, answers: Readonly<Record<string, Answer>>, rule: string]>([
    ['another media type', { [SERVER]: { body: METADATA } }, 'media-type'],
    ['no JSON', { [SERVER]: json('{"issuer":') }, 'not-json'],
    ['an error', { [SERVER]: { status: 500 } }, 'document-unreachable'],
    ['a megabyte', { [SERVER]: json(`"${'x'.repeat(1024 * 1024)}"`) }, 'document-too-large'],
    ['a skill that is a page', { '/auth.md': page }, 'skill-not-markdown'],
    ['a skill that is not there', { '/auth.md': { status: 404 } }, 'document-unreachable'],
    [
      'a server that is named otherwise',
      { [RESOURCE]: json({ resource: HOST, authorization_servers: [`${HOST}/`] }) },
      'issuer-final-slash',
    ],
    [
      'the metadata of another resource',
      { [RESOURCE]: json({ resource: `${HOST}/v2`, authorization_servers: [HOST] }) },
      'resource-differs',
    ],
    [
      'a server on this machine',
      { [RESOURCE]: json({ resource: HOST, authorization_servers: ['http://127.0.0.1:9'] }) },
      'authorization-server-unusable',
    ],
    [
      'a server that gives no answer',
      { [RESOURCE]: json({ resource: HOST, authorization_servers: ['https://gone.example'] }) },
      'document-unreachable',
    ],
    [
      'a 401 that names no metadata',
      { '/v1': { status: 401, headers: { 'www-authenticate': 'Bearer' } } },
      'challenge-without-metadata',
    ],
    [
      'a 401 that names what cannot be asked',
      {
        '/v1': {
          status: 401,
          headers: { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1/x"' },
        },
      },
      'challenge-without-metadata',
    ],
  ])('with %s is told', async (_what, answers, rule) => {
    const { machine } = site({ ...CLEAN, ...answers });
    const plain = await lint(machine);
    const resource = await lint(machine, `${HOST}/v1`);
    expect([...plain.rules, ...resource.rules]).toContain(rule);
  });

  it('is followed from its 401', async () => {
    const { machine, seen } = site({
      ...CLEAN,
      '/v1': {
        status: 401,
        headers: { 'www-authenticate': `Bearer resource_metadata="${HOST}/metadata"` },
      },
      '/metadata': json({ ...RESOURCE_METADATA, resource: `${HOST}/v1` }),
    });
    expect((await lint(machine, `${HOST}/v1`)).rules).toEqual([]);
    expect(seen.map(({ url }) => new URL(url).pathname)).toEqual([
      '/v1',
      '/metadata',
      SERVER,
      '/auth.md',
    ]);
  });

  it('is not taken for another one by what its 401 names', async () => {
    const { machine } = site({
      ...CLEAN,
      '/v1': {
        status: 401,
        headers: { 'www-authenticate': `Bearer resource_metadata="${HOST}/metadata"` },
      },
      '/metadata': json({ ...RESOURCE_METADATA, resource: 'https://b.example' }),
    });
    expect((await lint(machine, `${HOST}/v1`)).rules).toEqual(['resource-differs']);
  });

  it('that gives no answer ends with exit 7', async () => {
    const { code, result } = await lint(newMachine());
    expect([code, result['error']]).toMatchObject([7, { code: 'unreachable', exit_code: 7 }]);
  });

  it('shows hostile texts of documents as text', async () => {
    const evil = '\u001b[2J\u202e';
    const { machine } = site({
      ...CLEAN,
      [SERVER]: json({ ...METADATA, agent_auth: { [`${evil}_uri`]: evil, register_uri: evil } }),
    });
    const { stdout } = await runCli(machine, ['lint', HOST]);
    expect(stdout).toContain('register-url');
    for (const character of evil.slice(0, 1) + evil.slice(-1))
      expect(stdout).not.toContain(character);
  });
});

it('finds nothing wrong with the mock service', async () => {
  const { machine } = await registered();
  for (const url of [SERVICE, `${SERVICE}/api/resource`]) {
    const { code, rules, result } = await lint(machine, url);
    expect([code, rules, result['verdict']]).toEqual([0, [], 'usable']);
  }
});
