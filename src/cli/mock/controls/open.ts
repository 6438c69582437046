import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import type { Rendering } from '../../shell/output.ts';
import { liveLink } from '../../terminal/ready-text.ts';
import { facts } from '../../terminal/table.ts';
import { type ControlTarget, callControl, findMocks, isNotFound, type Part } from './control.ts';

export interface MockOpenOptions {
  readonly print?: true;
}

/** Gets a new link to the live view of a running mock, and opens it where there is somebody to look at it. */
export async function mockOpen(
  context: Context,
  part: Part | undefined,
  { print }: MockOpenOptions,
): Promise<Outcome> {
  const { output, world } = context;
  // Both mocks of a process lead to one view.
  const [target] = await findMocks(context, part && [part]);
  if (target === undefined) throw new Error('findMocks returned nothing');
  const url = await newLink(context, target);
  output.result(presentLink(target, url, print === true));
  if (print === true || output.json || !world.streams.stdout.isTTY) return 'done';
  await world.openBrowser(url, () =>
    output.warn('No browser could be opened. Open the URL yourself.'),
  );
  return 'done';
}

async function newLink(context: Context, target: ControlTarget): Promise<string> {
  try {
    const { url } = await callControl(context, target, '/live', {});
    if (typeof url === 'string') return url;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  throw new CliError('failed', {
    code: 'live_off',
    message: `The mock at ${target.issuer} has no live view.`,
    hint: 'Start it without --no-live.',
  });
}

/** @param alone for another program: nothing but the link. */
function presentLink({ issuer, part }: ControlTarget, url: string, alone: boolean): Rendering {
  return {
    schema: 'mockOpen',
    wraps: true,
    json: () => ({ mock: part, issuer, url }),
    human: (style) => (alone ? url : facts(style, [['live view', liveLink(style, url)]])),
  };
}
