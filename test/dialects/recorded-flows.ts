import { DIALECT_IDS, type DialectId } from '../../src/protocol/index.ts';
import { type Exchange, type Transcript, transcript } from '../../src/traffic/index.ts';
import type { Run } from '../contract/golden.ts';
import { FLOWS } from './flows.ts';
import { type DialectFlow, flowsOf } from './possible-flows.ts';
import { Twin } from './twin.ts';

/** What went over the wire, byte for byte, and as the mock recorded it. */
export interface RecordedRun extends Run {
  readonly recorded: readonly Exchange[];
}

const runs = new Map<string, Promise<RecordedRun>>();

/** A flow between the agent and the mock. All runs of one are alike, so it is run once. */
export function runOf(dialect: DialectId, flow: DialectFlow): Promise<RecordedRun> {
  const name = nameOf(dialect, flow);
  const run = runs.get(name) ?? newRun(name, dialect, flow);
  runs.set(name, run);
  return run;
}

/** `flat-claimed-afterwards`: of its golden file, and of its transcript in the package. */
export function nameOf(dialect: DialectId, flow: string): string {
  return `${dialect} ${flow}`.toLowerCase().replaceAll(/[^a-z_]+/g, '-');
}

/** Those that come before a flow in the table of docs/dialects.md; without a flow, all of the dialect. */
export function runsBefore(
  dialect: DialectId,
  flow?: DialectFlow,
): Promise<readonly RecordedRun[]> {
  const flows = flowsOf(dialect);
  const end = flow === undefined ? flows.length : flows.indexOf(flow);
  return Promise.all(flows.slice(0, end).map((each) => runOf(dialect, each)));
}

/** What the package publishes: the same flows as transcripts, in which names stand for secrets. */
export async function recordedFlows(): Promise<readonly { name: string; value: Transcript }[]> {
  const all = await Promise.all(DIALECT_IDS.map((dialect) => runsBefore(dialect)));
  return all.flat().map(({ name, recorded }) => ({ name, value: transcript(recorded) }));
}

async function newRun(name: string, dialect: DialectId, flow: DialectFlow): Promise<RecordedRun> {
  const twin = await Twin.start({ dialect });
  try {
    await FLOWS[flow](twin);
    return { name, exchanges: twin.exchanges, recorded: await twin.recorded() };
  } finally {
    await twin.close();
  }
}
