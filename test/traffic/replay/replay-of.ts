import { recordExchanges } from '../../../src/mock/traffic/record-exchanges.ts';
import { FakeClock, type Fetch, SeededRandom, silentLog } from '../../../src/runtime/index.ts';
import {
  type Exchange,
  ExchangeLog,
  type Transcript,
  transcript,
} from '../../../src/traffic/index.ts';
import { readTranscript } from '../../../src/traffic/replay/read-transcript.ts';
import { createReplayedService } from '../../../src/traffic/replay/replayed-service.ts';

export const SERVICE = 'http://127.0.0.1:5800';

/** What went to the service alone, as a file has it. */
export function serviceTranscript(exchanges: readonly Exchange[]): string {
  return JSON.stringify(transcript(exchanges.filter(({ to }) => to === 'service')), null, 2);
}

export interface Replay {
  readonly log: ExchangeLog;
  readonly clock: FakeClock;
  readonly fetch: Fetch;
}

/** A replayed service whose exchanges are recorded again. */
export async function replayOf(file: string | Transcript): Promise<Replay> {
  const clock = new FakeClock(Date.UTC(2033, 1, 2, 3, 4, 5, 678));
  const log = new ExchangeLog();
  const service = await createReplayedService({
    transcript: typeof file === 'string' ? readTranscript(file) : file,
    baseUrl: SERVICE,
    clock,
    random: new SeededRandom(99),
  });
  const handler = recordExchanges(
    async (request) => (await service.answer(request)) ?? Response.error(),
    {
      to: 'service',
      log,
      clock,
      machineClock: clock,
      report: silentLog,
    },
  );
  const fetch: Fetch = (url, { body, headers, method = 'GET' } = {}) =>
    handler(
      new Request(url, {
        method,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      }),
    );
  return { log, clock, fetch };
}
