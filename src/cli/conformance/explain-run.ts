import { CannotTest } from '../../conformance/engine/judge.ts';
import { NoAnswer } from '../../conformance/http/no-answer.ts';
import { BadTarget, NothingPublished } from '../../conformance/target/bad-target.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';

/** An error that stops a run before anything was judged. @param target A URL, or a command line. */
export function explainRun(error: unknown, context: Context, target: string): unknown {
  if (error instanceof NothingPublished) {
    return new CliError('failed', {
      code: 'bad_target',
      message: displayText(error.message),
      hint: 'Check the URL. If you build this service: docs/make-a-service-agent-ready.md says what to publish.',
      next: nextLine(context, 'lint', target),
    });
  }
  const next = URL.canParse(target) ? nextLine(context, 'doctor', target) : undefined;
  if (error instanceof BadTarget && error.kind === 'not_a_peer') {
    return new CliError('failed', {
      code: 'bad_target',
      message: displayText(error.message),
      next,
    });
  }
  if (error instanceof BadTarget || error instanceof NoAnswer) {
    const message = displayText(error.message);
    return new CliError('network', { code: 'target_unreachable', message, next });
  }
  // What was to help with judging cannot be used: nothing was judged, so that it is no verdict.
  if (error instanceof CannotTest) {
    return usageError(displayText(error.message), { code: 'cannot_test', next });
  }
  return error;
}
