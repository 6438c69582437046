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

  it('leaves out what a browser loads by itself, however it was recorded', async () => {
    const { log } = await runAllFlows();
    const file = JSON.parse(written(log.read().exchanges)) as { exchanges: object[] };
    const loaded = (path: string, accept: string, type: string) => ({
      to: 'service',
      request: { method: 'GET', url: `{service}${path}`, headers: { accept }, body: null },
      response: { status: 200, headers: { 'content-type': type }, body: 'x' },
    });
    file.exchanges.unshift(
      loaded('/style.css', 'text/css,*/*;q=0.1', 'text/plain'),
      loaded('/app', '*/*', 'text/javascript'),
      loaded('/favicon.ico', '*/*', 'application/octet-stream'),
    );
    const { flows, steps } = await play(JSON.stringify(file));
    expect(steps.slice(0, 3)).toMatchObject(
      Array(3).fill({ from: 'user', outcome: 'left_out', reason: 'loaded by a browser itself' }),
    );
    expect(steps.filter(({ outcome }) => outcome === 'left_out')).toHaveLength(
      3 + steps.filter(({ reason }) => reason?.startsWith('sent by the')).length,
    );
    const asked = flows.log.read().exchanges.map(({ path }) => path);
    expect(asked).not.toContain('/style.css');
  });

  it('tells each difference, and what cannot be sent without the answer', async () => {
    const { log } = await runAllFlows();
    const file = JSON.parse(written(log.read().exchanges)) as {
      exchanges: { response: { status: number; body: Record<string, unknown> } }[];
    };
    const registered = file.exchanges.findIndex(
      ({ response }) => 'claim_token' in (response.body ?? {}),
    );
    const pending = file.exchanges.findIndex(
      ({ response }) => response.body?.['error'] === 'authorization_pending',
    );
    const [one, two] = [file.exchanges[registered], file.exchanges[pending]];
    if (one === undefined || two === undefined) throw new Error('The recording lacks both.');
    one.response.status = 201;
    one.response.body['first_secret'] = '{first_secret_1}';
    two.response.body['error'] = 'other_error';
    const { steps } = await play(JSON.stringify(file));
    expect(steps[registered]).toMatchObject({
      outcome: 'different',
      status: 200,
      differences: [
        { at: 'status', recorded: '201', got: '200' },
        { at: 'body.first_secret', recorded: 'a string', got: 'nothing' },
      ],
    });
    expect(steps[pending]?.differences).toEqual([
      { at: 'body.error', recorded: 'other_error', got: 'authorization_pending' },
    ]);
  });

  it('sends nothing that no answer gave, and leaves out what is not its own', async () => {
    const { log } = await runAllFlows();
    const file = JSON.parse(written(log.read().exchanges)) as { exchanges: { to: string }[] };
    file.exchanges = file.exchanges.filter(({ to }) => to === 'service');
    const { steps } = await play(JSON.stringify(file));
    const [failed] = steps.filter(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject({
      step: 'register',
      status: null,
      reason: expect.stringMatching(/^\{\w+_\d+\} is a JWT that was in no answer\.$/),
    });
  });
});
