import { describe, expect, it } from 'vitest';
import { type Exchange, transcript } from '../../src/exchanges/index.ts';
import { type ReplayedStep, readTranscript, replayAgent } from '../../src/replay/index.ts';
import { SeededRandom } from '../../src/runtime/index.ts';
import { bothMocks, type Flows, runAllFlows } from '../mock/exchanges/all-flows.ts';

const written = (exchanges: readonly Exchange[]) => JSON.stringify(transcript(exchanges), null, 2);

const EXPIRED = '"error": "expired_token"';
const TEN_MINUTES = 600_000;

interface Played {
  readonly flows: Flows;
  readonly steps: readonly ReplayedStep[];
}

/** Plays a transcript against fresh mocks, whose clock goes on where the recorded one had. */
async function play(file: string, user: 'recorded' | 'wait' = 'recorded'): Promise<Played> {
  const flows = await bothMocks({ seed: 31, port: 6900, start: Date.UTC(2032, 1, 1) });
  const { clock, fetch, provider, service } = flows;
  const document = readTranscript(file);
  const steps: ReplayedStep[] = [];
  await replayAgent({
    transcript: document,
    service: service.issuer,
    provider: provider.issuer,
    user,
    timeout: 60_000,
    fetch,
    clock,
    random: new SeededRandom(77),
    sleep: async (ms) => clock.advance(ms),
    onStep: (step) => {
      steps.push(step);
      const next = JSON.stringify(
        document.exchanges[step.exchange]?.response.body ?? null,
        null,
        2,
      );
      if (next.includes(EXPIRED)) clock.advance(TEN_MINUTES);
    },
  });
  return { flows, steps };
}

describe('a replayed agent', () => {
  it('sends what the recorded agent and its user sent, to the same transcript', async () => {
    const { log } = await runAllFlows();
    const recorded = written(log.read().exchanges);
    const { flows, steps } = await play(recorded);
    expect(steps.filter(({ outcome }) => outcome === 'different' || outcome === 'failed')).toEqual(
      [],
    );
    expect(written(flows.log.read().exchanges)).toBe(recorded);
  });
});
