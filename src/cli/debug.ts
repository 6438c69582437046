import { type Clock, type Fetch, NetworkError } from '../runtime/ports.ts';
import { redactAddress } from './redact.ts';
import { SCHEMAS } from './schemas.ts';
import type { Sink } from './terminal/streams.ts';

/**
 * The fetch port, with a line on stderr for each exchange: method, address, status, time. Headers and
 * bodies are never looked at, so no secret can come through.
 */
export function traceFetch(fetch: Fetch, clock: Clock, stderr: Sink, json: boolean): Fetch {
  return async (url, init) => {
    const method = init?.method ?? 'GET';
    const start = clock.now();
    const report = (result: string) => {
      const ms = clock.now() - start;
      const address = redactAddress(url);
      stderr.write(
        json
          ? `${JSON.stringify({ schema: SCHEMAS.debug, method, address, result, ms })}\n`
          : `${stderr.style.dim(`debug  ${method} ${address} → ${result} (${ms} ms)`)}\n`,
      );
    };
    try {
      const response = await fetch(url, init);
      report(String(response.status));
      return response;
    } catch (error) {
      report(error instanceof NetworkError ? error.code : 'failed');
      throw error;
    }
  };
}
