import type { Tamper } from '../../../mock/index.ts';
import type { ServiceDialect } from '../dialect.ts';

/** The dialect with one more change of what leaves. */
export function saying(change: Tamper): (right: ServiceDialect) => ServiceDialect {
  return (right) => ({
    ...right,
    says: async (response, request) =>
      change(right.says === undefined ? response : await right.says(response, request), request),
  });
}
