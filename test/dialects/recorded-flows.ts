import { basename } from 'node:path';
import { type Transcript, transcript } from '../../src/exchanges/index.ts';
import { DIALECT_IDS } from '../../src/protocol/index.ts';
import { transcriptFile } from '../contract/transcript.ts';
import { FLOWS } from './flows.ts';
import { type DialectFlow, flowsOf } from './possible-flows.ts';
import { Twin } from './twin.ts';

/** The golden file of a flow, which is byte for byte what went over the wire. */
export function goldenOf(dialect: string, flow: DialectFlow): string {
  return transcriptFile(`${dialect} ${flow}`.toLowerCase(), 'dialects');
}

/** What the package publishes: the same flows as transcripts, in which names stand for secrets. */
export async function recordedFlows(): Promise<readonly { name: string; value: Transcript }[]> {
  const cases = DIALECT_IDS.flatMap((dialect) =>
    flowsOf(dialect).map((flow) => ({ dialect, flow })),
  );
  return Promise.all(
    cases.map(async ({ dialect, flow }) => {
      const twin = await Twin.start({ dialect });
      try {
        await FLOWS[flow](twin);
        const name = basename(goldenOf(dialect, flow), '.json');
        return { name, value: transcript(await twin.recorded()) };
      } finally {
        await twin.close();
      }
    }),
  );
}
