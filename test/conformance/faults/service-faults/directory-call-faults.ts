import { CATALOG_ROOT } from '../../../../src/mock-service/config/paths.ts';
import { countRequest } from '../../../../src/mock-service/directory/catalog.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { inListing, withMeta } from './directory-json.ts';

const { atHandler, on } = rewire;

const BELOW_ROOT = { path: `${CATALOG_ROOT}/*` } as const;

/** Faults of counting the calls of the directory. */
export const DIRECTORY_CALL_FAULTS = {
  noRequestCount: {
    description: 'does not count the calls of its directory',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, requests: 1 })),
    ),
    fails: { 'directory-requests': ['counted'] },
  },
  extraRequestCount: {
    description: 'counts directory calls that are answered without data',
    parts: (mock) =>
      atHandler(mock, BELOW_ROOT, ({ db }, right) => async (c) => {
        const answer = await right(c);
        const text = await answer.clone().text();
        if (text.includes('No data returned')) await db.transaction(countRequest);
        return answer;
      }),
    fails: { 'directory-guarded': ['uncounted'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
