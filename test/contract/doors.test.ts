import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/mock/store/database.ts';
import { QUIRK_NAMES } from '../../src/mock-service/dialects/index.ts';
import { DIALECT_IDS } from '../../src/protocol/index.ts';
import { FLOWS } from '../dialects/flows.ts';
import { flowsOf } from '../dialects/possible-flows.ts';
import { nameOf, runOf, runsBefore } from '../dialects/recorded-flows.ts';
import { Twin } from '../dialects/twin.ts';
import { describeWithDatabases } from '../support/postgres.ts';
import { postgresStores } from '../support/stores.ts';
import { DOORS, type Door } from './doors.ts';
import { type Flow, RAW_FLOWS } from './flows.ts';
import { golden, goldenFile } from './golden.ts';
import type { Exchange } from './recorder.ts';

const RAW = Object.entries(RAW_FLOWS);
/** Rows of the specification that the golden transcript of a flow shows in full. */
const SHOWN: Readonly<Record<string, string>> = {
  discovery:
    '[AR-EP-1, AR-EP-3, AR-DISC-1, AR-DISC-2, AR-DISC-3, AR-DISC-4, AR-ERR-1, AR-AUTH-1, AR-AGENT-1, AR-AGENT-2, AR-AGENT-3, AR-AGENT-4, AR-AGENT-5, AR-AGENT-6, AR-AGENT-7]',
  'polls too early and too late': '[AR-STATE-6, AR-ERR-2]',
};
const BY_AGENT = flowsOf('flat');
const [PLAIN_CALL, ...OTHER_DOORS] = DOORS;

async function behind(
  door: Door,
  flow: (twin: Twin) => Promise<void>,
  db?: Database,
): Promise<readonly Exchange[]> {
  const twin = await Twin.start({ dialect: 'flat' }, db);
  const seen: (readonly Exchange[])[] = [];
  try {
    await door.use(twin.harness.service, async (fetch) => {
      const there = twin.through(fetch);
      seen.push(there.exchanges);
      await flow(there);
    });
  } finally {
    await twin.close();
  }
  return seen.flat();
}

const byHand = (flow: Flow) => (twin: Twin) =>
  flow({ fetch: twin.fetch, clock: twin.harness.clock, provider: twin.harness.provider });

async function expectGolden(name: string, exchanges: readonly Exchange[]): Promise<void> {
  const text = golden({ exchanges }, await runsBefore('flat'));
  await expect(text).toMatchFileSnapshot(goldenFile(nameOf('flat', name)));
}

describe.each(DOORS)('through $name', (door) => {
  const named = RAW.map(([name, flow]) => [name, SHOWN[name] ?? '', flow] as const);
  it.each(named)('%s is the golden transcript %s', async (name, _rows, flow) => {
    await expectGolden(name, await behind(door, byHand(flow)));
  });
});

describe.each(OTHER_DOORS)('through $name', (door) => {
  it.each(BY_AGENT)('the agent has the same exchanges: %s', async (flow) => {
    const exchanges = await behind(door, FLOWS[flow]);
    expect(exchanges).toEqual((await runOf('flat', flow)).exchanges);
  });
});

describeWithDatabases('on PostgreSQL', (server) => {
  const newStore = postgresStores(server);

  it.each(RAW)('%s is the golden transcript', async (name, flow) => {
    const db = await (await newStore())();
    await expectGolden(name, await behind(PLAIN_CALL, byHand(flow), db));
  });

  it.each(BY_AGENT)('the agent has the same exchanges: %s', async (flow) => {
    const db = await (await newStore())();
    const exchanges = await behind(PLAIN_CALL, FLOWS[flow], db);
    expect(exchanges).toEqual((await runOf('flat', flow)).exchanges);
  });
});

/** Before anything is written. */
const KNOWN = readdirSync(join(goldenFile('flat'), '..'), { recursive: true, encoding: 'utf8' });

it('has a golden transcript of each flow and dialect and of each quirk, and no other', () => {
  const wanted = [
    ...DIALECT_IDS.flatMap((dialect) => flowsOf(dialect).map((flow) => nameOf(dialect, flow))),
    ...RAW.map(([name]) => nameOf('flat', name)),
    ...QUIRK_NAMES.map((quirk) => `quirks/${nameOf('flat', quirk)}`),
  ];
  const names = KNOWN.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  expect(names.toSorted()).toEqual(wanted.toSorted());
});
