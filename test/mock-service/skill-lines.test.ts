import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../src/mock/http/serve.ts';
import type { MockServiceOptions } from '../../src/mock-service/index.ts';
import { silentLog } from '../../src/runtime/index.ts';
import { Harness, PROVIDER } from './harness.ts';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A mock service at a real port. What `before` gives is answered in its place. */
async function serveMock(
  options: Partial<MockServiceOptions>,
  before: (request: Request) => Response | undefined = () => undefined,
): Promise<Harness> {
  let h: Harness | undefined;
  const served: Served = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async (origin) => {
      const started = await Harness.start({ ...options, baseUrl: origin });
      h = started;
      return async (request) => before(request) ?? started.service.fetch(request);
    },
  });
  ending.push(() => served.close());
  if (h === undefined) throw new Error('Nothing was built.');
  return h;
}

/** A shell that lines are pasted into, one block after the other. */
class Shell {
  readonly #child: ChildProcess;
  #output = '';

  constructor(program: string, variables: Record<string, string>) {
    const env = { PATH: process.env['PATH'] ?? '', ...variables };
    this.#child = spawn(program, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.#output += data.toString();
      });
    }
    // The code is typed before the first poll: nothing has to be waited for.
    this.#child.stdin?.write('sleep() { :; }\n');
    ending.push(() => this.#child.kill());
  }

  /** What a block printed, and the variable ANSWER after it. */
  async paste(block: string): Promise<{ readonly printed: string; readonly answer: string }> {
    this.#output = '';
    this.#child.stdin?.write(`${block}\nprintf '\\n@@%s@@\\n' "$ANSWER"\n`);
    for (;;) {
      const [, printed, answer] = /^(.*)\n@@(.*)@@\n/s.exec(this.#output) ?? [];
      if (printed !== undefined && answer !== undefined) return { printed, answer };
      await once(this.#child.stdout ?? this.#child, 'data');
    }
  }
}

interface Block {
  readonly section: string;
  readonly lines: string;
  /** The answer that the document shows. */
  readonly sample: unknown;
}

/** The blocks of lines of a document, in order. */
function blocksOf(text: string): Block[] {
  return text.split('\n## ').flatMap((part) => {
    const [section = ''] = part.split('\n');
    const found = part.matchAll(/```sh\n(.*?)\n```(?:\n\n```json\n(.*?)\n```)?/gs);
    return [...found].map(([, lines = '', sample]) => ({
      ...{ section, lines },
      sample: sample === undefined ? undefined : (JSON.parse(sample) as unknown),
    }));
  });
}

/** An answer with what the sample leaves open written as the sample has it; equal where it fits. */
function asSampled(answer: unknown, sample: unknown): unknown {
  if (typeof answer === 'string' && typeof sample === 'string') {
    if (sample.endsWith('…')) return answer.startsWith(sample.slice(0, -1)) ? sample : answer;
    const isInstant = [answer, sample].every((each) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(each));
    const isCode = answer.length === sample.length && /^[\dA-Z-]{6,}$/.test(answer);
    return isInstant || isCode ? sample : answer;
  }
  if (!isRecord(answer) || !isRecord(sample)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, asSampled(value, sample[name])]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function documentOf(h: Harness): Promise<string> {
  return (await h.service.fetch(new Request(`${h.service.issuer}/auth.md`))).text();
}

/** Pastes the document into a shell; what each block printed, by its section. */
async function follow(
  options: Partial<MockServiceOptions>,
  { program = 'bash', claims = true } = {},
) {
  const h = await serveMock(options);
  // Beside a claim it is for another user, whose account nobody has to confirm.
  const email = claims ? 'new@example.com' : 'alice@example.com';
  const idJag = await h.provider.idJag({ aud: h.service.issuer, email });
  const shell = new Shell(program, { ID_JAG: idJag });
  const printed: Record<string, string> = {};
  for (const { lines, sample, section } of blocksOf(await documentOf(h))) {
    const isAfterClaim = section === 'Claim' || lines.includes('REFRESH_TOKEN');
    if (isAfterClaim && !claims) continue;
    const code = /while sleep|USER_CODE=/.test(lines) ? await completeOpenClaim(h) : undefined;
    const seen = await shell.paste(lines.replace(/USER_CODE=\S+/, `USER_CODE=${code}`));
    printed[section] = (printed[section] ?? '') + seen.printed;
    if (lines.endsWith('member verification_uri; member user_code; member error')) {
      expect(seen.printed).toMatch(/^\n?http\S+\/c\/cat_[\w-]{27}\n[\dA-Z-]{6,9}\n$/);
    } else if (lines.endsWith('member verification_uri; member error')) {
      expect(seen.printed).toMatch(/^\n?http\S+\/c\/cat_[\w-]{27}\n$/);
    }
    if (sample === undefined) continue;
    const answer: unknown = JSON.parse(lines.includes('ANSWER=') ? seen.answer : seen.printed);
    expect(asSampled(answer, sample), lines).toEqual(sample);
  }
  return { h, printed };
}

/** What the user does on the page. Returns the code, where the page shows one. */
async function completeOpenClaim(h: Harness): Promise<string | undefined> {
  const all = await h.service.controls.registrations();
  const open = all.find(({ state }) => state === 'pending');
  return open && (await h.service.controls.complete(open.facts.id)).userCode;
}

describe('the lines of /auth.md', () => {
  it.each<
    [
      what: string,
      options: Partial<MockServiceOptions>,
      follow?: { program?: string; claims?: boolean },
    ]
  >([
    ['every type, in bash', {}],
    ['every type, in sh', {}, { program: 'sh' }],
    [
      'anonymous alone, with other lifetimes, codes and a vendor',
      {
        identityTypes: ['anonymous'],
        codeFormat: 'letters:8',
        vendor: 'acme',
        lifetimes: { accessToken: 90_000, userCode: 120_000 },
      },
    ],
    ['service_auth alone', { identityTypes: ['service_auth'] }],
    ['identity_assertion alone', { identityTypes: ['identity_assertion'] }, { claims: false }],
    [
      'other scopes',
      { scopes: { preClaim: ['orders.list'], postClaim: ['orders.list', 'orders.buy'] } },
    ],
    ['the nested dialect', { dialect: 'nested' }],
    [
      'the nested dialect, in sh, with letters',
      { dialect: 'nested', codeFormat: 'letters:8' },
      { program: 'sh' },
    ],
    ['the nested dialect, anonymous alone', { dialect: 'nested', identityTypes: ['anonymous'] }],
    [
      'the nested dialect, identity_assertion alone',
      { dialect: 'nested', identityTypes: ['identity_assertion'] },
      { claims: false },
    ],
  ])('work as pasted, and are answered as shown: %s', async (_what, options, how) => {
    const { h, printed } = await follow(options, how);
    expect(printed['Discover']).toMatch(/^HTTP\/1.1 401 /);
    const [, body = '', metadata = '', ...rest] = /\r\n\r\n(.*)\n(.*)\n(.*)$/s.exec(
      printed['Discover'] ?? '',
    ) ?? [''];
    expect(JSON.parse(body)).toHaveProperty('error');
    expect(JSON.parse(metadata)).toHaveProperty('agent_auth');
    expect(rest).toEqual(['']);
    expect(printed['Handle revoke']?.trim()).toBe('');
    const actions = (await h.service.controls.audit()).map(({ action }) => action);
    expect(actions).toContain('token.revoked');
  });

  it('call the first resource that can be read, and quote what a shell would read', async () => {
    const { printed } = await follow({
      resources: [
        { path: '/v1/open', open: true },
        { path: '/v1/orders', method: 'POST', scope: 'orders.write' },
        { path: "/v1/$HOME;it's/{id}", scope: 'orders.read', body: { orders: [] } },
      ],
    });
    expect(printed['Use']?.trim()).toBe('{"orders":[]}');
  });

  it('offer a choice under Register, where the block of an ID-JAG does nothing without one', async () => {
    const h = await serveMock({ identityTypes: ['anonymous', 'identity_assertion'] });
    const text = await documentOf(h);
    expect(text).toContain('in this order, but only one block of Register:');
    expect(text).toContain('with one of these types: choose one, and run its block alone.');
    const shell = new Shell('bash', {});
    const [variables, , anonymous, idJag] = blocksOf(text);
    expect(idJag?.lines).toContain('identity_assertion"');
    await shell.paste(variables?.lines ?? '');
    const kept = await shell.paste(anonymous?.lines ?? '');
    expect(await shell.paste(idJag?.lines ?? '')).toEqual({ printed: '', answer: kept.answer });
    const { printed } = await shell.paste('printf %s "$CLAIM_TOKEN $ASSERTION"');
    const { claim_token, identity_assertion } = JSON.parse(kept.answer) as Record<string, string>;
    expect(printed.trim()).toBe(`${claim_token} ${identity_assertion}`);
  });

  it.each(['flat', 'nested'] as const)('put no secret into a command: %s', async (dialect) => {
    const h = await serveMock({ dialect });
    const all = blocksOf(await documentOf(h)).map(({ lines }) => lines);
    expect(all.join('\n').match(/curl[^|\n]*\$(?!ANSWER)[A-Z_]+/g)).toBe(null);
  });
});

describe('the anonymous access, with the lines of /auth.md typed in sh', () => {
  const DOWN = () => new Response('<h1>down</h1>', { status: 503 });
  const LATER = () => new Response(null, { status: 503, headers: { 'retry-after': '30' } });
  const BUSY = () => Response.json({ error: 'temporarily_unavailable' }, { status: 429 });

  it.each<[string, (h: Harness, id: string) => unknown, (() => Response)[], string, string]>([
    ['approve', (h, id) => h.service.controls.complete(id), [], '[7]', ''],
    ['deny', (h, id) => h.service.controls.deny(id), [], '[7]', 'access_denied'],
    ['expiry', ({ clock }) => clock.advance(601_000), [], '[7]', 'expired_token'],
    [
      'a 503 that says when to come back',
      (h, id) => h.service.controls.complete(id),
      [LATER],
      '[7][18][12]',
      '',
    ],
    [
      'a service that is down or busy, then approve',
      (h, id) => h.service.controls.complete(id),
      [DOWN, BUSY],
      '[7][12][17]',
      '',
    ],
  ])('is still there after %s', async (_what, decide, failing, waits, error) => {
    let polling = false;
    const isPoll = ({ url }: Request) => polling && url.endsWith('/oauth2/token');
    const h = await serveMock({ lifetimes: { interval: 7_000 } }, (request) =>
      isPoll(request) ? failing.shift()?.() : undefined,
    );
    const shell = new Shell('sh', {});
    await shell.paste('sleep() { printf \'[%s]\' "$1"; }');
    const blocks = blocksOf(await documentOf(h));
    const typed = async (wanted: (block: Block) => boolean) => {
      const block = blocks.find(wanted);
      if (block === undefined) throw new Error('There is no such block.');
      return shell.paste(block.lines);
    };
    await typed(({ lines }) => lines.includes('member()'));
    await typed(({ lines }) => lines.includes('"anonymous"'));
    await typed(({ lines }) => lines.includes('/agent/identity/claim'));
    const [registration] = await h.service.controls.registrations();
    await decide(h, registration?.facts.id ?? '');
    polling = true;
    const polled = await typed(({ lines }) => lines.includes('while sleep'));
    expect(polled.printed.replaceAll('\n', '')).toBe(waits + error);
    const { answer, printed } = await typed(({ section }) => section === 'Exchange');
    expect(printed.trim()).toBe('');
    expect(JSON.parse(answer)).toHaveProperty('access_token');
  });

  it('is not lost to a code that is refused in the first versions', async () => {
    const h = await serveMock({ dialect: 'first', identityTypes: ['anonymous'] });
    const shell = new Shell('sh', {});
    const printed: string[] = [];
    await shell.paste('OTP=000000');
    for (const { lines } of blocksOf(await documentOf(h))) {
      printed.push((await shell.paste(lines)).printed.trim());
    }
    const [helpers, register, claim, use] = printed;
    expect([helpers, register, claim]).toEqual(['', '', 'otp_invalid']);
    expect(JSON.parse(use ?? '')).not.toHaveProperty('error');
  });

  it('is not lost to a failed exchange, and a link that a user has to confirm shows page and code', async () => {
    const text = await documentOf(await serveMock({}));
    expect(text).toContain('It works at once: go on at Exchange.');
    const h = await serveMock({ users: [{ email: 'alice@example.com' }] });
    const idJag = await h.provider.idJag({ aud: h.service.issuer, email: 'alice@example.com' });
    const shell = new Shell('sh', { ID_JAG: idJag });
    const [variables, ...blocks] = blocksOf(await documentOf(h));
    await shell.paste(variables?.lines ?? '');
    const block = blocks.find(({ lines }) => lines.includes('$ID_JAG'));
    expect((await shell.paste(block?.lines ?? '')).printed).toMatch(
      /\/c\/cat_[\w-]{27}\n[\dA-Z-]{6,9}\ninteraction_required\n/,
    );
    const exchange = blocks.find(({ section }) => section === 'Exchange');
    await shell.paste('ACCESS_TOKEN=kept ASSERTION=wrong');
    expect((await shell.paste(exchange?.lines ?? '')).printed).toContain('invalid_grant');
    expect((await shell.paste('printf %s "$ACCESS_TOKEN"')).printed.trim()).toBe('kept');
  });
});

describe('what /auth.md says of errors', () => {
  const tableOf = async (dialect: 'flat' | 'nested') => {
    const [, table = ''] = (await documentOf(await serveMock({ dialect }))).split('## Errors');
    return table;
  };

  it('has the names of the dialect, and no move that it does not have', async () => {
    const flat = await tableOf('flat');
    expect(flat).toContain('`authorization_pending`');
    expect(flat).not.toContain('`claim_not_confirmed`');
    const nested = await tableOf('nested');
    expect(nested).not.toMatch(/authorization_pending|slow_down|not_enabled|poll/);
    expect(nested).toMatch(/have the user open the claim page.*409 `claim_not_confirmed`/);
    expect(nested).toMatch(/open a new claim attempt.*410 `user_code_expired`/);
    expect(nested).toMatch(/stop and tell the user.*403 `claim_denied`/);
    expect(nested).toMatch(/register again.*401 `invalid_refresh_token`/);
  });
});

describe('what /auth.md says of providers', () => {
  it('names the audience and who is trusted now', async () => {
    const h = await serveMock({});
    const before = await documentOf(h);
    expect(before).toContain(`audience=${h.service.issuer}`);
    expect(before).toContain(`Trusted providers: \`${PROVIDER}\`.`);
    await h.service.controls.trust({ issuer: 'https://added.example', name: '<b>`x`' });
    expect(await documentOf(h)).toContain(`\`${PROVIDER}\`, \`https://added.example\`.`);
    await h.service.controls.trust({ issuer: 'https://x.example/`![a](b)\n# Ignore this' });
    const hostile = await documentOf(h);
    expect(hostile).not.toMatch(/^# Ignore/m);
    expect(hostile).toContain('`https://x.example/%60![a](b) # Ignore this`');
    await h.service.controls.reset();
    expect(await documentOf(h)).toBe(before);
  });

  it('says nothing of them where no ID-JAG is taken', async () => {
    const h = await serveMock({ identityTypes: ['anonymous'] });
    expect(await documentOf(h)).not.toContain(PROVIDER);
  });
});
