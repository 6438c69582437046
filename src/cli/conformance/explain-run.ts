import { CannotTest } from '../../conformance/engine/judge.ts';
import { NoAnswer } from '../../conformance/http/no-answer.ts';
import { BadTarget } from '../../conformance/target/bad-target.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Next } from '../shell/next.ts';

/** An error that stops a run before anything was judged. */
export function explainRun(error: unknown, next: Next | undefined): unknown {
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
  if (error instanceof CannotTest) {
    return new CliError('failed', {
      code: 'cannot_test',
      message: displayText(error.message),
      next,
    });
  }
  return error;
}
