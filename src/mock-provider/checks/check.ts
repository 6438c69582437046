import { wireProblem } from '../../mock/http/response.ts';
import type { CodeAt } from '../../protocol/codes.ts';

export interface Refusal {
  readonly code: CodeAt<'provider'>;
  readonly description?: string;
}

/** A check of a request. */
export interface Check<Facts> {
  readonly name: string;
  /** What passes. */
  readonly description: string;
  /** Why the request is refused; `undefined` when it is not. */
  readonly check: (facts: Facts) => Refusal | undefined;
}

/** @throws WireProblem of the first check that does not hold. */
export function requireAll<Facts>(checks: readonly Check<Facts>[], facts: Facts): void {
  for (const { check } of checks) {
    const refusal = check(facts);
    if (refusal === undefined) continue;
    const { code, description } = refusal;
    throw wireProblem('provider', code, description === undefined ? {} : { description });
  }
}
