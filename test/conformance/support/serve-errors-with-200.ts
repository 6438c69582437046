import type { serve } from '../../../src/mock-service/index.ts';
import { serveLeniently } from './serve-leniently.ts';

/** A server that sends every refusal of the endpoints for agents with the status 200, as some frameworks do. */
export const serveErrorsWith200: typeof serve = (options) =>
  serveLeniently({
    ...options,
    build: async (origin) => {
      const handle = await options.build(origin);
      return async (request) => {
        const answer = await handle(request);
        const isRefused = answer.status >= 400 && answer.status < 500;
        const isForAgents = /^\/(?:agent|oauth2)\//.test(new URL(request.url).pathname);
        if (!isRefused || !isForAgents) return answer;
        return new Response(answer.body, { status: 200, headers: answer.headers });
      };
    },
  });
