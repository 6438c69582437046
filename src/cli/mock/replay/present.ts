import { displayText } from '../../../protocol/text.ts';
import type { Difference, ReplayedStep } from '../../../replay/index.ts';
import type { Rendering } from '../../shell/output.ts';

export function presentStep(replayed: ReplayedStep): Rendering {
  const { differences, exchange, from, outcome, reason, request, status, step } = replayed;
  return {
    schema: 'mockReplayStep',
    json: () => ({
      exchange,
      from,
      step,
      request,
      status,
      outcome,
      reason: reason ?? null,
      differences,
    }),
    human: (style) => {
      const mark = {
        same: style.green('✓'),
        different: style.red('✗'),
        failed: style.red('✗'),
        left_out: style.dim('–'),
      }[outcome];
      const line = `${mark} ${String(exchange).padStart(3)}  ${from.padEnd(7)}  ${displayText(request, 120)}  ${status ?? ''}`;
      return [
        line.trimEnd(),
        ...(reason === undefined ? [] : [`       ${style.dim(displayText(reason, 300))}`]),
        ...differences.map((each) => `       ${sentence(each)}`),
      ].join('\n');
    },
  };
}

function sentence({ at, got, recorded }: Difference): string {
  return `${displayText(at, 160)}: recorded ${displayText(recorded, 160)}, now ${displayText(got, 160)}`;
}

/** Where the user decides. The code is theirs to see. */
export function presentUser(page: string, code: string | undefined): Rendering {
  return {
    schema: 'mockReplayUser',
    json: () => ({ event: 'user', page, user_code: code ?? null }),
    human: (style) =>
      [
        `${style.cyan('i')} Open ${displayText(page, 500)}`,
        ...(code === undefined ? [] : [`  and type the code ${style.bold(displayText(code, 60))}`]),
      ].join('\n'),
  };
}

export function presentSummary(steps: readonly ReplayedStep[]): Rendering {
  const count = (...outcomes: readonly ReplayedStep['outcome'][]) =>
    steps.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [same, different, failed, leftOut] = [
    count('same'),
    count('different'),
    count('failed'),
    count('left_out'),
  ];
  return {
    schema: 'mockReplaySummary',
    json: () => ({ event: 'summary', same, different, failed, left_out: leftOut }),
    human: () =>
      `Answers as recorded: ${same}. Different: ${different}. Not sent, or without an answer: ${failed}. Left out: ${leftOut}.`,
  };
}
