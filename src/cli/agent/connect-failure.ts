import { connectArgs } from '../../agent/connect/connect-args.ts';
import type { ConnectRequest } from '../../agent/connect/connect-request.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { explain } from '../shell/explain.ts';
import { nextLine } from '../shell/next-line.ts';

/** Why a connect did not come to its end. What may work the next time names the same line again. */
export function connectFailure(
  context: Context,
  request: ConnectRequest,
  error: unknown,
): CliError {
  const explained = explain(error, context);
  const { outcome, code, message, hint, next, details, retryable } = explained;
  const goesOn = outcome === 'network' || outcome === 'interrupted';
  if (!goesOn && (outcome !== 'expired' || next !== undefined)) return explained;
  return new CliError(outcome, {
    ...{ code, message, details, retryable, cause: error },
    hint: hint ?? 'The same again goes on from where it stopped.',
    next: nextLine(context, 'connect', request.service, ...connectArgs(request)),
  });
}
