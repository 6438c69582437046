import { describe, expect, it } from 'vitest';
import { runAllFlows } from '../mock/exchanges/all-flows.ts';
import { replayOf, runFlowsOn, serviceTranscript } from './replayed-flows.ts';

describe('a replayed service', () => {
  it('leads our agent and its user through every flow, and to the same transcript', async () => {
    const { log } = await runAllFlows();
    const recorded = serviceTranscript(log.read().exchanges);
    const replay = await replayOf(recorded);
    await runFlowsOn(replay);
    expect(serviceTranscript(replay.log.read().exchanges)).toBe(recorded);
  });
});
