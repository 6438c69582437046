import { describe, expect, it } from 'vitest';
import {
  Agent,
  type AskForCode,
  type ConnectUser,
  createMemoryStore,
} from '../../src/agent/index.ts';
import { FakeClock, fakeSleep, SeededRandom } from '../../src/runtime/fake.ts';
import { Secret } from '../../src/runtime/index.ts';
import { silentLog } from '../../src/runtime/system.ts';
import { otherThan, ReadBackMock } from '../support/read-back-mock.ts';

const BASE = 'https://read-back.example';
const USER = 'alice@example.com';

async function bench() {
  const clock = new FakeClock();
  const service = await ReadBackMock.start({ baseUrl: BASE, dialect: 'nested', clock });
  const agent = new Agent({
    fetch: (url, { body, ...init } = {}) =>
      service.fetch(new Request(url, { ...init, ...(body !== undefined && { body }) })),
    clock,
    sleep: fakeSleep(clock),
    random: new SeededRandom(),
    log: silentLog,
    store: createMemoryStore(),
  });
  const connect = (user: ConnectUser) =>
    agent.connect({ service: BASE, email: USER, call: '/api/resource', user });
  return { clock, service, connect };
}

/** The page that a ceremony names. */
function pageOf({ ceremony }: Parameters<AskForCode>[0]): string {
  return ceremony.verificationUri ?? '';
}

describe('connect where the user reads the code back', () => {
  it('asks until the code is taken, says why it was not, and goes on to the call', async () => {
    const { service, connect } = await bench();
    const reasons: (string | undefined)[] = [];
    const outcome = await connect({
      claim: () => Promise.reject(new Error('nothing is polled')),
      code: async (_open, refused) => {
        reasons.push(refused?.status);
        if (refused === undefined) return new Secret('123456');
        const code = await service.confirm();
        if (refused.status !== 'wrong_code') return new Secret(otherThan(code));
        expect(refused.attemptsRemaining).toBe(4);
        return new Secret(code);
      },
    });
    expect(reasons).toEqual([undefined, 'not_confirmed', 'wrong_code']);
    expect(outcome).toMatchObject({
      status: 'connected',
      registration: { claimed: true, dialect: 'nested' },
      call: { status: 200 },
    });
  });

  it('stops with claim_pending where nobody has the code, or nobody is asked', async () => {
    const { connect } = await bench();
    expect(await connect({})).toMatchObject({ status: 'claim_pending' });
    expect(await connect({ code: async () => undefined })).toMatchObject({
      status: 'claim_pending',
      open: { ceremony: { kind: 'read_back' } },
    });
  });

  it('opens another attempt where the code has expired and that is wanted', async () => {
    const { clock, service, connect } = await bench();
    const pages = new Set<string>();
    const outcome = await connect({
      code: async (open) => {
        pages.add(pageOf(open));
        if (pages.size > 1) return new Secret(await service.confirm());
        clock.advance(11 * 60_000);
        return undefined;
      },
      anotherCode: async () => true,
    });
    expect(pages.size).toBe(2);
    expect(outcome).toMatchObject({ status: 'connected' });
  });

  it('ends with the last try, and with a denial', async () => {
    const { service, connect } = await bench();
    const wrong = await connect({
      code: async () => new Secret(otherThan(await service.confirm())),
    });
    expect(wrong.status).toBe('attempt_expired');
    const denied = await connect({
      code: async () => {
        await service.deny();
        return new Secret('123456');
      },
    });
    expect(denied.status).toBe('denied');
  });
});
