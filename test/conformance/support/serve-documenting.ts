import type { serve } from '../../../src/mock-service/index.ts';
import { serveLeniently } from './serve-leniently.ts';

const OTHERWISE = 'The member assertion_type is required. The parameter scope may be repeated.';

/** A server whose skill file tells agents what the specification does not ask of them, or allow them. */
export const serveDocumenting: typeof serve = (options) =>
  serveLeniently({
    ...options,
    build: async (origin) => {
      const handle = await options.build(origin);
      return async (request) => {
        const answer = await handle(request);
        if (!/markdown/.test(answer.headers.get('content-type') ?? '')) return answer;
        const headers = new Headers(answer.headers);
        headers.delete('content-length');
        return new Response(`${await answer.text()}\n${OTHERWISE}\n`, { headers });
      };
    },
  });
