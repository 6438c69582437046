import { describe, expect, it } from 'vitest';
import type { FetchInit } from '../../../src/runtime/ports.ts';
import { registered, SERVICE, shell } from '../support/mocks.ts';
import { newMachine, routeTo } from '../support/run-cli.ts';

const ELSEWHERE = 'https://elsewhere.example';

/** A machine whose network follows redirects, whatever it is asked: everything came from elsewhere. */
function led() {
  const network = async () =>
    Object.defineProperty(Response.json({ meta: { status: 200 }, data: [] }), 'redirected', {
      value: true,
    });
  return shell({ ...newMachine(), network });
}

describe('a network that follows redirects', () => {
  it.each([
    [`services ${ELSEWHERE}`, 'network_redirected', 7],
    [`services ${ELSEWHERE} --format xml`, 'network_redirected', 7],
    [`skill ${ELSEWHERE}`, 'redirected', 1],
    [`discover ${ELSEWHERE}`, 'redirected', 1],
    [`register --type anonymous --service ${ELSEWHERE}`, 'redirected', 1],
    [`provider login ${ELSEWHERE}`, 'redirected', 1],
  ])('is not believed: %s', async (line, code, exit) => {
    const run = await led()(line.includes('--format') ? line : `${line} --json`);
    expect(run.code).toBe(exit);
    if (line.includes('--format'))
      expect([run.stdout, run.stderr]).toEqual(['', expect.any(String)]);
    else expect(run.json()[0]).toMatchObject({ error: { code } });
  });

  it('is a failure of doctor', async () => {
    const run = await led()(`doctor ${ELSEWHERE} --json`);
    expect(run.code).toBe(1);
    expect(run.json()[0]).toMatchObject({
      status: 'fail',
      checks: expect.arrayContaining([
        expect.objectContaining({ id: 'discovery', details: { code: 'redirected' } }),
      ]),
    });
  });
});

it('every request of the program asks not to be redirected', async () => {
  const { machine } = await registered();
  const asked: FetchInit[] = [];
  const route = routeTo(machine.servers);
  const run = shell({
    ...machine,
    connect: () => (url, init) => {
      asked.push(init ?? {});
      return route(url, init);
    },
  });
  for (const line of ['call /api/resource', `services ${SERVICE}`, 'skill', 'doctor', 'revoke']) {
    asked.length = 0;
    await run(line);
    expect([line, asked.length > 0]).toEqual([line, true]);
    expect(new Set(asked.map(({ redirect }) => redirect))).toEqual(new Set(['manual']));
  }
});
