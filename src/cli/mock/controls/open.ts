import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { showLink } from '../../shell/ready.ts';
import { type ControlTarget, callControl, findMocks, isNotFound, type Part } from './control.ts';

/** Gets a new link to the live view of a running mock, and opens it where there is somebody to look at it. */
export async function mockOpen(
  context: Context,
  part: Part | undefined,
  { print }: { readonly print?: true },
): Promise<Outcome> {
  // Both mocks of a process lead to one view.
  const [target] = await findMocks(context, part && [part]);
  if (target === undefined) throw new Error('findMocks returned nothing');
  const url = await newLink(context, target);
  const { issuer, part: mock } = target;
  const told = { schema: 'mockOpen', json: () => ({ mock, issuer, url }) } as const;
  return showLink(context, told, url, print === true);
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
