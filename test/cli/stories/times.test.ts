import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { localTime } from '../../../src/cli/terminal/time.ts';
import { createMockProvider } from '../../../src/mock-provider/index.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { isJsonObject } from '../../../src/protocol/json.ts';
import { FakeClock, SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { ALICE, ceremonyOf, PROVIDER, SERVICE, shell, userApproves } from '../support/mocks.ts';
import { type Machine, newMachine, type Run, routeTo } from '../support/run-cli.ts';

/** How far the clock of the mocks was moved. No multiple of a second: `Date` is one. */
const AHEAD = 4_621_337;

let machine: Machine;
let servers: FakeClock;
let run: ReturnType<typeof shell>;

beforeEach(async () => {
  machine = newMachine();
  servers = new FakeClock(machine.clock.now() + AHEAD);
  const parts = { random: new SeededRandom(7), fetch: routeTo(machine.servers), log: silentLog };
  const service = await createMockService({
    ...parts,
    baseUrl: SERVICE,
    clock: servers,
    trust: [{ issuer: PROVIDER, name: 'Test Provider' }],
  });
  machine.servers.set(SERVICE, service.fetch);
  const provider = await createMockProvider({
    ...parts,
    baseUrl: PROVIDER,
    clock: servers,
    autoApprove: ALICE,
  });
  machine.servers.set(PROVIDER, provider.fetch);
  machine.onSleep = (ms) => servers.advance(ms);
  const line = shell(machine);
  run = async (text, options) => {
    // Time passes between two commands, and never by whole seconds.
    machine.clock.advance(1_318);
    servers.advance(1_318);
    return line(`${text} --json`, options);
  };
});

type Instants = Readonly<Record<string, unknown>>;

/** Every member that is an end of something, by its path: `claim.expires_at`. */
function endsOf(value: unknown, path = ''): Instants {
  if (Array.isArray(value)) {
    return Object.assign({}, ...value.map((each, at) => endsOf(each, `${path}${at}.`)));
  }
  if (!isJsonObject(value)) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, member]) =>
      /(?:_expires|expires_at)$/.test(name)
        ? { [path + name]: member }
        : endsOf(member, `${path}${name}.`),
    ),
  );
}

function last(ran: Run): Record<string, unknown> {
  const line = ran.json().at(-1);
  if (line === undefined) throw new Error(`Nothing was printed: ${ran.stderr}`);
  return line;
}

function registrationIn(status: Run): Record<string, unknown> {
  const services = last(status)['services'];
  if (!Array.isArray(services)) throw new Error('No services were printed.');
  return services[0].registrations[0];
}

/** Seconds between the server's clock and an instant. */
function secondsTo(instant: unknown): number {
  return (Date.parse(String(instant)) - servers.now()) / 1000;
}

describe('a time for people', () => {
  it('is that of the JSON, in their zone (it went by the clock of this machine)', async () => {
    await run(`register ${SERVICE} --type anonymous`);
    const opened = endsOf(last(await run(`claim --email ${ALICE} --no-wait`)));
    const line = shell(machine);
    const shown = (instant: unknown) =>
      expect.stringContaining(localTime(Date.parse(String(instant))));
    expect((await line('claim --no-wait')).stdout).toEqual(shown(opened['claim.expires_at']));
    const { token_expires } = registrationIn(await run('status'));
    expect((await line('status')).stdout).toEqual(shown(token_expires));
    const connected = await line(`connect ${SERVICE}`);
    expect(connected.stdout).toEqual(shown(token_expires));
  });
});

describe('a time in JSON', () => {
  it('is the same in register, claim, claim wait, token and status', async () => {
    const registered = endsOf(last(await run(`register ${SERVICE} --type anonymous`)));
    const first = registrationIn(await run('status'));
    expect(first).toMatchObject({
      assertion_expires: registered['registration.assertion_expires'],
      claim_token_expires: registered['registration.claim_token_expires'],
      token_expires: registered['token.expires_at'],
    });
    expect(last(await run('token'))['expires_at']).toBe(registered['token.expires_at']);

    const opened = await run(`claim --email ${ALICE} --no-wait`);
    const open = endsOf(last(opened));
    expect(open).toMatchObject({
      'registration.assertion_expires': registered['registration.assertion_expires'],
      'registration.claim_token_expires': registered['registration.claim_token_expires'],
    });
    expect(endsOf(last(await run('claim wait --timeout 1s')))).toEqual(open);
    expect(endsOf(last(await run('claim --no-wait')))).toEqual(open);
    expect(registrationIn(await run('status'))['attempt_expires']).toBe(open['claim.expires_at']);

    await userApproves(machine, ceremonyOf(opened));
    const claimed = endsOf(last(await run('claim wait')));
    expect(last(await run('token'))['expires_at']).toBe(claimed['token.expires_at']);
    expect(registrationIn(await run('status'))).toMatchObject({
      assertion_expires: claimed['registration.assertion_expires'],
      token_expires: claimed['token.expires_at'],
    });
  });

  it('is the same at a provider in login and status', async () => {
    const signedIn = last(await run(`provider login ${PROVIDER}`));
    expect(signedIn).toMatchObject({ status: 'signed_in' });
    expect(last(await run('status'))['providers']).toMatchObject([
      { issuer: PROVIDER, expires_at: signedIn['expires_at'] },
    ]);
  });

  it('stands still between two calls of status, also when the servers are gone', async () => {
    await run(`register ${SERVICE} --type service_auth --email ${ALICE}`);
    await run(`provider login ${PROVIDER}`);
    const before = await run('status');
    await run('token');
    const later = await run('status');
    expect(endsOf(last(later))).toEqual(endsOf(last(before)));
    expect(Object.keys(endsOf(last(before)))).not.toHaveLength(0);
    const offset = (ran: Run) => JSON.stringify(last(ran)).match(/"clock_offset_ms":\d+/)?.[0];
    expect(offset(later)).toBe(offset(before));
    machine.servers.clear();
    expect(endsOf(last(await run('status')))).toEqual(endsOf(last(before)));
  });

  it('counts from the Date of its answer alone', async () => {
    const { token } = last(await run(`register ${SERVICE}`));
    const { expires_at, expires_in } = token as Record<string, unknown>;
    expect(String(expires_at)).toMatch(/\.000Z$/);
    expect(Math.abs(Number(expires_in) - secondsTo(expires_at))).toBeLessThan(2);
  });

  it('counts a sign-in from there, too (it was counted from the last request’s clock)', async () => {
    const ends = Object.values(endsOf(last(await run(`provider login ${PROVIDER} --no-wait`))));
    expect(ends).toEqual([expect.stringMatching(/\.000Z$/)]);
  });

  it('has the seconds beside it that are left on the clock of the server', async () => {
    await run(`register ${SERVICE}`);
    const before = registrationIn(await run('status'));
    servers.advance(100_000);
    machine.clock.advance(100_000);
    const later = registrationIn(await run('status'));
    for (const name of ['token_expires', 'assertion_expires', 'claim_token_expires']) {
      expect(later[name]).toBe(before[name]);
      const seconds = Number(later[`${name}_in`]);
      expect(Number.isInteger(seconds)).toBe(true);
      expect(Math.abs(seconds - secondsTo(later[name]))).toBeLessThan(2);
      expect(Number(before[`${name}_in`]) - seconds).toBeGreaterThanOrEqual(101);
    }
  });

  it('is named in the docs, with the seconds beside it', async () => {
    const docs = readFileSync('docs/json.md', 'utf8');
    const printed = [
      last(await run(`register ${SERVICE}`)),
      last(await run(`claim --email ${ALICE} --no-wait`)),
      ...(await run(`provider login ${PROVIDER}`)).json(),
      last(await run('status')),
      last(await run('forget')),
    ];
    const paths = new Set(printed.flatMap((each) => Object.keys(endsOf(each))));
    expect(paths.size).toBeGreaterThan(8);
    for (const path of paths) {
      const name = path.split('.').at(-1) ?? '';
      expect(docs).toContain(`${name}\``);
      expect(docs).toContain(`\`${name === 'expires_at' ? 'expires_in' : `${name}_in`}\``);
    }
  });

  it('counts no seconds below nothing', async () => {
    await run(`register ${SERVICE}`);
    servers.advance(90_000_000);
    machine.clock.advance(90_000_000);
    expect(registrationIn(await run('status'))).toMatchObject({ token_expires_in: 0 });
  });
});
