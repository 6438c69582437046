import type { Style } from '../terminal/style.ts';
import { facts } from '../terminal/table.ts';
import type { Context } from './context.ts';
import type { Outcome } from './exit-codes.ts';
import type { Next } from './next.ts';
import type { Rendering } from './output.ts';

interface Ready {
  /** Where it answers, for people, by what; `undefined`: there is none of it. */
  readonly places: (style: Style) => Parameters<typeof facts>[1];
  /** Opens the live view once: whoever has it is let in. */
  readonly live: string | undefined;
  /** What differs from the defaults, as sentences. */
  readonly remarks: readonly string[];
  /** Lines to type next. */
  readonly steps: readonly Next[];
}

/**
 * What a server says once it answers: the members that programs are told by each, and the lines for people. Whoever
 * prints it names schema and places itself: its published schema is read there.
 */
export function presentReady({ live, places, remarks, steps }: Ready) {
  const [next = null, ...others] = steps;
  const human = (style: Style) =>
    [
      ...remarks.map((remark) => `${style.yellow('!')} ${remark}`),
      `${style.green('✓')} Ready. Press Ctrl-C to stop.`,
      facts(style, [...places(style), ...liveFact(style, live)]),
      '',
      ...(steps.length === 0
        ? []
        : ['In another terminal:', ...steps.map(({ line }) => `  ${style.cyan(line)}`), '']),
    ].join('\n');
  return {
    shown: { wraps: true, human } as const,
    members: { live: live ?? null, pid: process.pid, remarks, next, others },
  };
}

function liveFact(style: Style, url: string | undefined): readonly (readonly [string, string])[] {
  return url === undefined ? [] : [['live view', `${url}  ${style.dim('(good once, for 60 s)')}`]];
}

/**
 * Prints a new link to a live view, and opens it where there is somebody to look at it.
 * @param print for another program: nothing but the link.
 */
export async function showLink(
  context: Context,
  told: Pick<Rendering, 'schema' | 'json'>,
  url: string,
  print: boolean,
): Promise<Outcome> {
  const { output, world } = context;
  output.result({
    ...told,
    wraps: true,
    human: (style) => (print ? url : facts(style, liveFact(style, url))),
  });
  if (!print && !output.json && world.streams.stdout.isTTY) await openInBrowser(context, url);
  return 'done';
}

/** Opens a page whose URL is printed, too. */
export function openInBrowser({ output, world }: Context, url: string): Promise<void> {
  return world.openBrowser(url, () =>
    output.warn('No browser could be opened. Open the URL yourself.'),
  );
}

/** The user of examples. Any email works: the mocks' sign-in asks for no password. */
export const ALICE = 'alice@example.com';
