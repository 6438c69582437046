import { describeDuration } from '../../protocol/durations.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import type { Ending } from './harness.ts';

export interface DemoSummary {
  readonly endings: readonly Ending[];
  readonly exchanges: number;
  /** On the demo's clock, in milliseconds. */
  readonly told: number;
  /** On the machine's clock, in milliseconds. */
  readonly took: number;
}

export function presentDemoSummary(context: Context, summary: DemoSummary): Rendering {
  const { endings, exchanges, told, took } = summary;
  const next = nextLine(context, 'mock up');
  const others = [
    nextLine(context, 'connect'),
    nextLine(context, 'connect', '--scope', 'api.write', '--email', 'alice@example.com'),
  ];
  return {
    schema: 'demoSummary',
    json: () => ({
      exchanges,
      told_ms: told,
      took_ms: took,
      registrations: endings.map(({ title, registrationId, state }) => ({
        act: title,
        registration_id: registrationId,
        state,
      })),
      next,
      others,
    }),
    human: (style) =>
      [
        '',
        style.bold('Summary'),
        '',
        table(
          endings.map(({ title, registrationId, state }) => [
            `  ${title}`,
            registrationId,
            state === 'claimed' ? style.green(state) : style.red(state),
          ]),
        ),
        '',
        `  ${exchanges} exchanges; ${describeDuration(told)} of story in ${(took / 1000).toFixed(1)} seconds.`,
        '',
        'Do it yourself, in two terminals:',
        ...[next, ...others].map(({ line }) => `  ${style.cyan(line)}`),
      ].join('\n'),
  };
}
