import { afterAll, describe, expect, it } from 'vitest';
import { QUIRK_NAMES, QUIRKS, type QuirkName } from '../../src/mock-service/dialects/index.ts';
import { told } from '../conformance/passive/judge-exchanges.ts';
import { golden, goldenFile } from '../contract/golden.ts';
import { FLOWS } from './flows.ts';
import { type DialectFlow, NOT_POSSIBLE } from './possible-flows.ts';
import { nameOf, runsBefore } from './recorded-flows.ts';
import { Twin } from './twin.ts';

/** What an agent has to be told beforehand. */
const MEMBERS: Readonly<Partial<Record<QuirkName, Readonly<Record<string, string>>>>> = {
  'required-client-id': { client_id: 'twin' },
  'required-member': { source: 'twin' },
};

/** The flows that each quirk goes through: both ways into a claim, and what can go wrong in one. */
const TRIED: readonly DialectFlow[] = [
  'claimed afterwards',
  'by email',
  'wrong code',
  // With the expiry before it.
  're-open',
  'denial',
  'revocation',
];

/** The one whose transcript is kept: from the registration to what a claim is good for. */
const KEPT: DialectFlow = 'claimed afterwards';

/** What a quirk changes only in another flow. */
const KEPT_OTHERWISE: Readonly<Partial<Record<QuirkName, DialectFlow>>> = {
  // The errors of an endpoint, not of an API.
  'err-description': 're-open',
  'nested-errors': 're-open',
};

/** Flows that a quirk takes away, with what the agent says then. */
const TAKEN_AWAY: Readonly<
  Partial<Record<QuirkName, Readonly<Partial<Record<DialectFlow, string>>>>>
> = {
  'claim-by-token-only': {
    'claimed afterwards': 'The claim was refused',
    revocation: 'The claim was refused',
  },
};

const cases = QUIRK_NAMES.flatMap((quirk) =>
  QUIRKS[quirk].fits.map((dialect) => ({
    dialect,
    quirk,
    // All fit `flat`; what one changes is seen there.
    kept: dialect === 'flat' ? (KEPT_OTHERWISE[quirk] ?? KEPT) : undefined,
  })),
);

/** dialect and quirk → flow → what came of it. */
const table = new Map<string, Map<DialectFlow, string>>();

describe.each(cases)('the quirk $quirk of $dialect', ({ dialect, kept, quirk }) => {
  const members = MEMBERS[quirk];
  const choice = { dialect, quirks: [quirk], ...(members && { members }) };
  const away = { ...NOT_POSSIBLE[dialect], ...TAKEN_AWAY[quirk] };
  const cells = new Map<DialectFlow, string>();
  table.set(`${dialect}, ${quirk}`, cells);

  it.each(TRIED)('%s', async (flow) => {
    const refusal = away[flow];
    const twin = await Twin.start(choice);
    try {
      if (refusal === undefined) await FLOWS[flow](twin);
      else await expect(FLOWS[flow](twin)).rejects.toThrow(refusal);
      expect(told(await twin.recorded())).toEqual([]);
      if (flow === kept) {
        const text = golden(twin, await runsBefore(dialect));
        // A quirk that changed nothing there would have a transcript of names alone.
        expect(text).toContain('"request"');
        await expect(text).toMatchFileSnapshot(goldenFile(`quirks/${nameOf(dialect, quirk)}`));
      }
      cells.set(flow, refusal === undefined ? 'yes' : '–');
    } finally {
      await twin.close();
    }
  });
});

afterAll(() => {
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(30)} ${cells.map((cell) => cell.padEnd(20)).join('')}`;
  const lines = [...table].map(([name, cells]) =>
    line(
      name,
      TRIED.map((flow) => cells.get(flow) ?? 'FAILED'),
    ),
  );
  process.stdout.write(`\n${[line('', TRIED), ...lines].join('\n')}\n`);
});
