import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DIALECT_ABOUT, DIALECT_FLOWS, type DialectFlow } from '../../src/agent/dialects/about.ts';
import { DIALECT_IDS } from '../../src/protocol/index.ts';
import { told } from '../conformance/passive/judge-exchanges.ts';
import { transcriptFile } from '../contract/transcript.ts';
import { FLOWS } from './flows.ts';
import { Twin } from './twin.ts';

const DIALECTS = DIALECT_IDS;

/** dialect → flow → what came of it. */
const table = new Map<string, Map<DialectFlow, string>>();

/** What comes of a flow that is not possible: neither anything else, nor nothing. */
const WITHOUT: Readonly<Record<string, string>> = {
  'flat code before its confirmation': 'The agent has no code to hand in',
  'flat assertion renewed': 'its assertion is expired or was revoked',
  'first code before its confirmation': 'There is no page to confirm on',
  'first link confirmed': 'Expected claim_pending, got registered',
  'first token revoked by the agent': 'The service has no revocation endpoint',
  'first assertion renewed': 'The assertion has no end',
};

const CASES = DIALECTS.flatMap((dialect) =>
  DIALECT_FLOWS.filter((flow) => DIALECT_ABOUT[dialect].notPossible[flow] === undefined).map(
    (flow) => goldenOf(dialect, flow),
  ),
);

function goldenOf(dialect: string, flow: DialectFlow): string {
  return transcriptFile(`${dialect} ${flow}`.toLowerCase(), 'dialects');
}

/** Before anything is written. */
const KNOWN = readdirSync(dirname(CASES[0] ?? ''));

const written = (exchanges: unknown) => `${JSON.stringify(exchanges, null, 2)}\n`;

describe.each(DIALECTS)('the agent and the mock in %s', (dialect) => {
  const { notPossible } = DIALECT_ABOUT[dialect];
  const cells = new Map<DialectFlow, string>();
  table.set(dialect, cells);

  it.each(DIALECT_FLOWS.filter((flow) => notPossible[flow] === undefined))('%s', async (flow) => {
    const twin = await Twin.start({ dialect });
    try {
      await FLOWS[flow](twin);
      await expect(written(twin.exchanges)).toMatchFileSnapshot(goldenOf(dialect, flow));
      expect(told(await twin.recorded())).toEqual([]);
      cells.set(flow, 'yes');
    } finally {
      await twin.close();
    }
  });

  it.each(DIALECT_FLOWS.filter((flow) => notPossible[flow] !== undefined))(
    'has no %s',
    async (flow) => {
      const twin = await Twin.start({ dialect });
      try {
        const reason = WITHOUT[`${dialect} ${flow}`];
        if (reason === undefined) throw new Error('Say in WITHOUT what comes of it.');
        await expect(FLOWS[flow](twin)).rejects.toThrow(reason);
        cells.set(flow, '–');
      } finally {
        await twin.close();
      }
    },
  );
});

it('has a transcript of each flow, and no other', () => {
  expect(KNOWN.toSorted()).toEqual(CASES.map((golden) => basename(golden)).toSorted());
});

afterAll(() => {
  const width = Math.max(...DIALECT_FLOWS.map((flow) => flow.length));
  const columns = [...table.keys()];
  const lines = DIALECT_FLOWS.map((flow) => {
    const cells = columns.map((name) => (table.get(name)?.get(flow) ?? 'FAILED').padEnd(7));
    return `${flow.padEnd(width)}  ${cells.join(' ')}`;
  });
  const head = `${''.padEnd(width)}  ${columns.map((name) => name.padEnd(7)).join(' ')}`;
  process.stdout.write(`\n${[head, ...lines].join('\n')}\n`);
});
