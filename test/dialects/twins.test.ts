import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv-8/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { readable } from '../../scripts/docs/openapi-documents.js';
import { DIALECT_ABOUT, DIALECT_FLOWS, type DialectFlow } from '../../src/agent/dialects/about.ts';
import { transcript } from '../../src/exchanges/index.ts';
import { DIALECT_IDS } from '../../src/protocol/index.ts';
import { told } from '../conformance/passive/judge-exchanges.ts';
import { transcriptFile } from '../contract/transcript.ts';
import { FLOWS } from './flows.ts';
import { Twin } from './twin.ts';

const DIALECTS = DIALECT_IDS;

const DOCS = join(import.meta.dirname, '../../docs');
const PUBLISHED = join(DOCS, 'transcripts');

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

/** What the package publishes of a flow: a transcript, in which names stand for secrets. */
function publishedOf(dialect: string, flow: DialectFlow): string {
  return join(PUBLISHED, basename(goldenOf(dialect, flow)));
}

/** Why a value is no transcript by the published schema. */
function transcriptProblem(value: object): string | undefined {
  const ajv = new Ajv2020({ strict: false });
  const schema: object = JSON.parse(readFileSync(join(DOCS, 'schemas/transcript.json'), 'utf8'));
  return ajv.validate(schema, value) ? undefined : ajv.errorsText();
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
      const recorded = await twin.recorded();
      expect(told(recorded)).toEqual([]);
      const published = transcript(recorded);
      expect(transcriptProblem(published)).toBeUndefined();
      await expect(`${readable(published)}\n`).toMatchFileSnapshot(publishedOf(dialect, flow));
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
  expect(readdirSync(PUBLISHED).toSorted()).toEqual(KNOWN.toSorted());
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
