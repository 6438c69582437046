import { type ReplayedStep, replayAgent } from '../../../replay/index.ts';
import { namedService } from '../../choose/service.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { SERVICE_PORT } from '../../shell/mock-ports.ts';
import type { ReplayedAgentFlags } from './options.ts';
import { presentStep, presentSummary, presentUser } from './present.ts';
import { noTranscript, readTranscriptFile } from './read-file.ts';

const TIMEOUT = 10 * 60 * 1_000;

/** Sends what the agent of a transcript sent; fails where an answer is another one. */
export async function replayAsAgent(
  context: Context,
  { from, provider, timeout = TIMEOUT, user = 'recorded' }: ReplayedAgentFlags,
): Promise<Outcome> {
  const { interrupt, output, world } = context;
  const service = namedService(context, undefined) ?? `http://127.0.0.1:${SERVICE_PORT}`;
  const transcript = await readTranscriptFile(from, interrupt.signal);
  const steps: ReplayedStep[] = [];
  await replayAgent({
    transcript,
    service,
    provider,
    user,
    timeout,
    onStep: (step) => {
      steps.push(step);
      output.result(presentStep(step));
    },
    onUser: (page, code) => output.event(presentUser(page, code)),
    onNobody: () =>
      output.warn('No user did anything at the recorded service: there is nobody to wait for.'),
    fetch: await context.fetch(),
    sleep: world.sleep,
    clock: world.clock,
    random: world.random,
    signal: interrupt.signal,
  }).catch((error: unknown) => {
    throw noTranscript(from, error);
  });
  output.result(presentSummary(steps));
  const isSame = steps.every(({ outcome }) => outcome === 'same' || outcome === 'left_out');
  return isSame ? 'done' : 'failed';
}
