import type { JsonObject } from '../../../protocol/json.ts';
import { nearest } from '../../../runtime/nearest.ts';
import { CliError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import { nextLine } from '../../shell/next-line.ts';
import { readRegistrations } from '../mock-registration.ts';
import { callControl } from './call-control.ts';
import type { ControlTarget } from './find-mocks.ts';

interface RegistrationCall {
  readonly id: string;
  /** Its details, where it is left out. */
  readonly decision?: 'complete' | 'deny' | 'revoke' | undefined;
  readonly body?: JsonObject;
}

/**
 * A control of one registration.
 * @throws CliError as {@link callControl}; for an id that the mock does not know with the one that was
 *   probably meant.
 */
export async function callRegistration(
  context: Context,
  target: ControlTarget,
  { id, decision, body }: RegistrationCall,
): Promise<JsonObject> {
  const path = `/registrations/${encodeURIComponent(id)}${decision === undefined ? '' : `/${decision}`}`;
  try {
    return await callControl(context, target, path, body);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'control_not_found') throw error;
    const known = readRegistrations(await callControl(context, target, '/registrations'));
    throw unknownRegistration(
      context,
      error,
      known.map((each) => each.id),
      { id, decision },
    );
  }
}

function unknownRegistration(
  context: Context,
  { code, message, outcome }: CliError,
  known: readonly string[],
  { id, decision }: RegistrationCall,
): CliError {
  const near = meantBy(id, known);
  return new CliError(outcome, {
    ...{ code, message },
    hint: near === undefined ? 'List the registrations to see their ids.' : `Did you mean ${near}?`,
    next:
      near === undefined
        ? nextLine(context, 'mock list')
        : nextLine(context, `mock ${decision ?? 'list'}`, near),
  });
}

/** The letters that say which registration, behind `reg_`, without which any one would do. */
const ENOUGH = 4;

/** The one that begins like `id`, where no other does, or differs from it by a slip. */
function meantBy(id: string, known: readonly string[]): string | undefined {
  const own = id.replace(/^[a-z]+_/, '');
  if (own.length < ENOUGH) return undefined;
  const [only, another] = known.filter((each) => each.startsWith(id));
  if (only !== undefined) return another === undefined ? only : undefined;
  return nearest(id, known);
}
