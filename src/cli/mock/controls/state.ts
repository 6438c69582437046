import { describeDuration } from '../../../protocol/durations.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import type { Rendering } from '../../shell/output.ts';
import type { Style } from '../../terminal/style.ts';
import { type Answer, askEach, type Part } from './control.ts';

/** The state of a mock, as its controls report it. */
export interface State {
  /** RFC 3339. */
  readonly now: string;
  readonly clock_offset_ms: number;
  readonly faults: readonly string[];
  /** The faults that were given to the mock as objects: they exist in its process only. */
  readonly own_faults: readonly string[];
}

/** Moves the clock of the running mocks. Mocks that share a store share the clock. */
export async function mockAdvance(context: Context, by: number): Promise<Outcome> {
  // The first is moved; the other is set to the same offset, whether it shares the store or not.
  const states = await askEach<State>(context, (_target, first) => [
    '/clock',
    first === undefined ? { advance: by } : { offset_ms: first.clock_offset_ms },
  ]);
  const moved = ({ target: { part, issuer }, body }: Answer<State>) =>
    `The ${part} at ${issuer} is at ${body.now}, ${offsetText(body.clock_offset_ms)}.`;
  return context.output.result(presentStates(states, (state) => moved(state)));
}

/** Resets the running mocks to their initial state. Their keys stay, so they still trust each other. */
export async function mockReset(context: Context): Promise<Outcome> {
  const states = await askEach<State>(context, () => ['/reset', {}]);
  return context.output.result(
    presentStates(states, ({ target: { part, issuer } }) => `The ${part} at ${issuer} is reset.`),
  );
}

/** Makes the next signing key of a running mock, or of both. */
export async function mockRotate(
  context: Context,
  part: Part | undefined,
  { lead }: { readonly lead?: number },
): Promise<Outcome> {
  const body = lead === undefined ? {} : { lead };
  const answers = await askEach<{ readonly kid: string; readonly signs_from: string }>(
    context,
    () => ['/keys/rotate', body],
    part && [part],
  );
  const keys = answers.map(({ target, body: { kid, signs_from } }) => {
    return { mock: target.part, kid, signs_from };
  });
  return context.output.result({
    schema: 'mockRotate',
    json: () => ({ keys }),
    human: (style) =>
      keys
        .map(
          ({ kid, mock, signs_from }) =>
            `${style.green('✓')} The ${mock} publishes ${kid} and signs with it from ${signs_from}.`,
        )
        .join('\n'),
  });
}

/** The state of the mocks after a change, a sentence each. */
export function presentStates(
  states: readonly Answer<State>[],
  sentence: (state: Answer<State>, style: Style) => string,
): Rendering {
  return {
    schema: 'mockState',
    json: () => statesJson(states),
    human: (style) =>
      states.map((state) => `${style.green('✓')} ${sentence(state, style)}`).join('\n'),
  };
}

export function statesJson(states: readonly Answer<State>[]) {
  return {
    mocks: states.map(({ target, body: { now, clock_offset_ms, faults, own_faults } }) => ({
      ...{ mock: target.part, issuer: target.issuer },
      ...{ now, clock_offset_ms, faults, own_faults },
    })),
  };
}

function offsetText(offset: number): string {
  if (offset === 0) return 'the real time';
  const size = describeDuration(Math.abs(offset));
  return offset > 0 ? `${size} ahead` : `${size} behind`;
}
