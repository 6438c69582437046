import { atHandler, on } from '../../mock/index.ts';
import { countRequest } from '../directory/catalog.ts';
import { CATALOG_ROOT } from '../directory/index.ts';
import { inListing, withMeta } from './directory-json.ts';
import type { BuiltInServiceFault } from './service-fault.ts';

const BELOW_ROOT = { path: `${CATALOG_ROOT}/*` } as const;

/** Faults of reading and counting the calls of the directory. */
export const DIRECTORY_CALL_FAULTS = {
  uncheckedCallback: {
    description: 'accepts any text as the name of a callback (attack A-33)',
    answers: on(
      (_path, { status }, { url }) => status === 400 && new URL(url).searchParams.has('callback'),
      (_answer, { url }) =>
        new Response(`/**/${new URL(url).searchParams.get('callback')}({});`, {
          headers: { 'content-type': 'text/javascript; charset=utf-8' },
        }),
    ),
    breaks: ['A-33', 'W10-11', 'DIR-06'],
    fails: { 'directory-jsonp': ['bad-names'] },
  },
  noRequestCount: {
    description: 'does not count the calls of its directory',
    answers: on(
      inListing,
      withMeta((meta) => ({ ...meta, requests: 1 })),
    ),
    breaks: ['W10-02'],
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
    breaks: ['SD-DOES-3', 'W10-02'],
    fails: { 'directory-guarded': ['uncounted'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
