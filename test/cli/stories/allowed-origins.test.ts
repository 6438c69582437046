import { afterEach, describe, expect, it } from 'vitest';
import { Bench, failure } from '../../agent/support/bench.ts';
import { Twin } from '../../dialects/twin.ts';
import { Host } from '../../mcp/support/host.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const MOCK = 'http://mock:4801';
const API = 'https://api.example';

/** A network in which nothing is found, and whom it was asked for. */
function nothingThere() {
  const asked = new Set<string>();
  const fetch = async (url: string) => {
    asked.add(new URL(url).origin);
    return new Response(null, { status: 404 });
  };
  return { asked, fetch };
}

describe('an origin of plain http, at the program', () => {
  it.each([
    [`register ${API} --provider ${MOCK}`, API],
    [`connect ${API} --provider ${MOCK}`, API],
    [`provider login ${MOCK}`, MOCK],
    [`provider mint ${MOCK} --audience ${API}`, MOCK],
    [`provider consent ${MOCK} --audience ${API}`, MOCK],
    [`call ${MOCK}/api/resource --yes`, MOCK],
  ])('is refused before a byte is sent, and taken where it is allowed: %s', async (line, first) => {
    const { asked, fetch } = nothingThere();
    const machine = { ...newMachine(), network: fetch };
    const run = (more: string) => runCli(machine, `${line} --json${more}`.split(' '));
    expect((await run('')).json().at(-1)).toMatchObject({ error: { code: 'bad_address' } });
    expect([...asked]).toEqual([]);
    const allowed = await run(` --allow-origin ${MOCK}`);
    expect(allowed.json().at(-1)).not.toMatchObject({ error: { code: 'bad_address' } });
    expect([...asked]).toEqual([first]);
  });
});

describe('an origin of plain http, at the MCP server', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });

  it.each([
    ['discover', { service: MOCK }],
    ['connect', { service: MOCK }],
    ['register', { service: MOCK }],
    ['sign_in', { provider: MOCK }],
  ])('is refused before a byte is sent, and taken where it is allowed: %s', async (tool, given) => {
    const twin = await Twin.start({ dialect: 'flat' });
    open.push(twin);
    for (const allowOrigins of [[], [MOCK]]) {
      const { asked, fetch } = nothingThere();
      const host = await Host.start({ ...twin.options, fetch, allowOrigins });
      open.push(host);
      const { data } = await host.call(tool, given);
      const isAllowed = allowOrigins.length > 0;
      expect([data.error.code === 'bad_address', ...asked]).toEqual([
        !isAllowed,
        ...(isAllowed ? [MOCK] : []),
      ]);
    }
  });
});

describe('an origin that is allowed beside the service', () => {
  it.each([MOCK, API])('is sent no token of the service all the same: %s', async (origin) => {
    const bench = new Bench({ allowOrigins: [origin] });
    await bench.anonymous();
    const sent = bench.web.requests.length;
    const error = await failure(bench.agent.call(`${origin}/api/resource`));
    expect([error.code, bench.web.requests.length]).toEqual(['call_elsewhere', sent]);
  });
});
