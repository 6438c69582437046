import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv-8/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { QUIRKS } from '../../src/mock-service/dialects/index.ts';
import { DIALECT_IDS } from '../../src/protocol/index.ts';
import { transcript } from '../../src/traffic/index.ts';
import { told } from '../conformance/passive/judge-exchanges.ts';
import { golden, goldenFile } from '../contract/golden.ts';
import { FLOWS } from './flows.ts';
import { DIALECT_FLOWS, type DialectFlow, flowsOf, NOT_POSSIBLE } from './possible-flows.ts';
import { runOf, runsBefore } from './recorded-flows.ts';
import { Twin } from './twin.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const SCHEMA = join(import.meta.dirname, '../../dist/docs/schemas/transcript.json');

/** Rows of the specification that the golden transcript of a flow shows in full. */
const SHOWN: Readonly<Partial<Record<DialectFlow, string>>> = {
  anonymous:
    '[AR-EP-2, AR-EP-4, AR-EP-7, AR-DOES-2, AR-DOES-3, AR-DISC-5, AR-DISC-6, AR-DISC-7, AR-DISC-8, AR-DISC-9]',
  'claimed afterwards':
    '[AR-STATE-1, AR-STATE-4, AR-STATE-5, AR-EP-5, AR-EP-8, AR-OBJ-3, AR-OBJ-4, AR-OBJ-6, AR-VER-1, AR-AUTH-2]',
  'by email': '[AR-STATE-2, AR-DOES-4, AR-AUTH-4]',
  'by ID-JAG': '[AR-STATE-3, AR-OBJ-1]',
  expiry: '[AR-STATE-7, AR-ERR-3]',
  're-open': '[AR-STATE-8]',
};

const ajv = new Ajv2020({ strict: false });
const isTranscript = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')));

/** Why a value is no transcript by the published schema. */
function transcriptProblem(value: object): string | undefined {
  return isTranscript(value) ? undefined : ajv.errorsText(isTranscript.errors);
}

describe.each(DIALECT_IDS)('the agent and the mock in %s', (dialect) => {
  const shown = (flow: DialectFlow) => (dialect === 'flat' ? SHOWN[flow] : undefined) ?? '';
  it.each(flowsOf(dialect).map((flow) => [flow, shown(flow)] as const))('%s %s', async (flow) => {
    const run = await runOf(dialect, flow);
    const text = golden(run, await runsBefore(dialect, flow));
    await expect(text).toMatchFileSnapshot(goldenFile(run.name));
    expect(told(run.recorded)).toEqual([]);
    expect(transcriptProblem(transcript(run.recorded))).toBeUndefined();
  });

  const missing = Object.entries(NOT_POSSIBLE[dialect]) as [DialectFlow, string][];
  it.runIf(missing.length > 0).each(missing)('has no %s', async (flow, met) => {
    const twin = await Twin.start({ dialect });
    try {
      await expect(FLOWS[flow](twin)).rejects.toThrow(met);
    } finally {
      await twin.close();
    }
  });
});

it('has a page that says of each flow which dialects have it', () => {
  const page = readFileSync(join(DOCS, 'dialects.md'), 'utf8');
  for (const flow of DIALECT_FLOWS) {
    const cells = DIALECT_IDS.map((dialect) => (flowsOf(dialect).includes(flow) ? 'yes' : '–'));
    expect(page).toContain(`| ${[flow, ...cells].join(' | ')} |`);
  }
});

it('has a page that names each quirk with its dialects and what it does, and no other', () => {
  const [, quirks = ''] = readFileSync(join(DOCS, 'dialects.md'), 'utf8').split('## Quirks');
  const named = [...quirks.matchAll(/^\| `([\w-]+)` \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)];
  const listed = named.map(([, name, ...cells]) => [name, ...cells]);
  const wanted = Object.entries(QUIRKS).map(([name, { description, fits }]) => {
    const own: readonly string[] = fits;
    const cells = DIALECT_IDS.map((dialect) => (own.includes(dialect) ? 'yes' : '–'));
    return [name, ...cells, description];
  });
  expect(listed).toEqual(wanted);
});
