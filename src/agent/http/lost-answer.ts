import { AgentError } from '../agent-error.ts';
import type { Answer } from './answer.ts';

/**
 * An answer that began as a success and did not end: what was asked for may be done, and only how the
 * answer begins is known.
 */
export class LostAnswer extends AgentError {
  readonly begun: Answer;

  constructor(failure: AgentError, begun: Answer) {
    const { code, kind, hint, next, cause } = failure;
    super(failure.message, { code, kind, hint, next, cause });
    this.begun = begun;
  }
}
