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
 * The fetch port, with a line on stderr for each exchange: method, URL, proxy, status, duration. Headers
 * and bodies are not read, so no secret can appear in it.
 */
export function traceFetch(fetch: Fetch, { clock, stderr, json, proxyFor }: Trace): Fetch {
  return async (url, init) => {
    const method = init?.method ?? 'GET';
    const start = clock.now();
    const report = (result: string) => {
      const ms = clock.now() - start;
      const shown = redactUrl(url);
      const proxy = proxyFor(url)?.host;
      const through = proxy === undefined ? '' : ` through ${proxy}`;
      stderr.write(
        json
          ? `${displayJson(JSON.stringify({ schema: SCHEMAS.debug, method, address: shown, proxy: proxy ?? null, result, ms }))}\n`
          : `${stderr.style.dim(`debug  ${method} ${shown}${through} → ${result} (${ms} ms)`)}\n`,
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
