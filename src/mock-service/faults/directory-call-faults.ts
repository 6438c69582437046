import { atEndpoint, atHandler } from '../../mock/index.ts';
import { CATALOG_ROOT, type CallbackRules } from '../directory/index.ts';
import type { BuiltInServiceFault, Redecided } from './service-fault.ts';

function withRules(rules: Partial<CallbackRules>): Redecided {
  return (decisions) => ({
    ...decisions,
    callbackRules: { ...decisions.callbackRules, ...rules },
  });
}

const BELOW_ROOT = { path: `${CATALOG_ROOT}/*` } as const;

/** Faults of reading and counting the calls of the directory. */
export const DIRECTORY_CALL_FAULTS = {
  uncheckedCallback: {
    description: 'accepts any text as the name of a callback (attack A-33)',
    decisions: withRules({ length: () => true, spelling: () => true, unreserved: () => true }),
    breaks: ['A-33', 'W10-11', 'DIR-06'],
    fails: { 'directory-jsonp': ['bad-names'] },
  },
  noRequestCount: {
    description: 'does not count the calls of its directory',
    parts: () => ({ countRequest: async () => {} }),
    breaks: ['W10-02'],
    fails: { 'directory-requests': ['counted'] },
  },
  extraRequestCount: {
    description: 'counts directory calls that are answered without data',
    // Whatever was answered is counted afterwards, and no longer where data is.
    parts: (mock) =>
      atHandler(
        { ...mock, ...atEndpoint(mock, BELOW_ROOT, () => ({ countRequest: async () => {} })) },
        BELOW_ROOT,
        ({ countRequest, db }, right) =>
          async (c) => {
            const answer = await right(c);
            if (answer.ok) await db.transaction(countRequest);
            return answer;
          },
      ),
    breaks: ['SD-DOES-3', 'W10-02'],
    fails: { 'directory-guarded': ['uncounted'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
