import { afterAll, describe, expect, it } from 'vitest';
import type { DialectFlow } from '../../src/agent/dialects/about.ts';
import { DIALECT_ABOUT } from '../../src/agent/dialects/about.ts';
import { QUIRK_NAMES, QUIRKS, type QuirkName } from '../../src/mock-service/dialects/index.ts';
import { transcriptFile } from '../contract/transcript.ts';
import { FLOWS } from './flows.ts';
import { Twin } from './twin.ts';

/** What an agent has to be told beforehand. */
const MEMBERS: Readonly<Partial<Record<QuirkName, Readonly<Record<string, string>>>>> = {
  'required-client-id': { client_id: 'twin' },
  'required-member': { source: 'twin' },
};

/** The flows that each quirk goes through: both ways into a claim, and what can go wrong in one. */
const TRIED: readonly DialectFlow[] = ['claimed afterwards', 'by email', 'wrong code', 're-open'];

/** Flows that a quirk takes away, with what the agent says then. */
const TAKEN_AWAY: Readonly<
  Partial<Record<QuirkName, Readonly<Partial<Record<DialectFlow, string>>>>>
> = {
  'claim-by-token-only': { 'claimed afterwards': 'The claim was refused' },
};

const cases = QUIRK_NAMES.flatMap((quirk) =>
  QUIRKS[quirk].fits.map((dialect) => ({ dialect, quirk })),
);

const table: string[] = [];

describe.each(cases)('the quirk $quirk of $dialect', ({ dialect, quirk }) => {
  const members = MEMBERS[quirk];
  const spoken = { dialect, quirks: [quirk], ...(members && { members }) };
  const away = { ...DIALECT_ABOUT[dialect].notPossible, ...TAKEN_AWAY[quirk] };

  it('goes through the flows of a claim', async () => {
    const cells: string[] = [];
    for (const flow of TRIED) {
      const twin = await Twin.start(spoken);
      try {
        const refusal = away[flow];
        if (refusal === undefined) await FLOWS[flow](twin);
        else await expect(FLOWS[flow](twin)).rejects.toThrow(refusal);
        cells.push(refusal === undefined ? 'yes' : '–');
        if (flow !== TRIED[0]) continue;
        const golden = transcriptFile(`${dialect} ${quirk}`, 'quirks');
        const written = `${JSON.stringify(twin.exchanges, null, 2)}\n`;
        await expect(written).toMatchFileSnapshot(golden);
      } finally {
        await twin.close();
      }
    }
    table.push(`${`${dialect}, ${quirk}`.padEnd(36)} ${cells.map((c) => c.padEnd(20)).join('')}`);
  });
});

afterAll(() => {
  const head = `${''.padEnd(36)} ${TRIED.map((flow) => flow.padEnd(20)).join('')}`;
  process.stdout.write(`\n${[head, ...table].join('\n')}\n`);
});
