import { displayJson } from '../../protocol/text.ts';
import { type Clock, type Fetch, NetworkError } from '../../runtime/ports.ts';
import type { ProxyFor } from '../../runtime/proxy.ts';
import type { Sink } from '../terminal/streams.ts';
import { redactUrl } from './redact-url.ts';
import { SCHEMAS } from './schemas.ts';

interface Trace {
  readonly clock: Clock;
  readonly stderr: Sink;
  readonly json: boolean;
  readonly proxyFor: ProxyFor;
}

/**
 * The fetch port, with a line on stderr for each exchange: method, address, proxy, status, time. Headers
 * and bodies are never looked at, so no secret can come through.
 */
export function traceFetch(fetch: Fetch, { clock, stderr, json, proxyFor }: Trace): Fetch {
  return async (url, init) => {
    const method = init?.method ?? 'GET';
    const start = clock.now();
    const report = (result: string) => {
      const ms = clock.now() - start;
      const address = redactUrl(url);
      const proxy = proxyFor(url)?.host;
      const through = proxy === undefined ? '' : ` through ${proxy}`;
      stderr.write(
        json
          ? `${displayJson(JSON.stringify({ schema: SCHEMAS.debug, method, address, proxy: proxy ?? null, result, ms }))}\n`
          : `${stderr.style.dim(`debug  ${method} ${address}${through} → ${result} (${ms} ms)`)}\n`,
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
