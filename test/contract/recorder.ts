import type { FetchHandler } from '../support/test-user.ts';

/** One exchange, with every header that the app set. */
export interface Exchange {
  readonly request: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Added by Node's server, not by the app. */
const SERVER_HEADERS = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/** Wraps a door so that everything that goes through it is written down. */
export function recorder(door: FetchHandler): {
  readonly fetch: FetchHandler;
  readonly exchanges: Exchange[];
} {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const sent = await request.clone().text();
      const response = await door(request);
      const text = await response.clone().text();
      exchanges.push({
        request: `${request.method} ${pathname}${search}`,
        ...(sent !== '' && { sent: readable(sent, request.headers.get('content-type')) }),
        status: response.status,
        headers: headersOf(response),
        body: readable(text, response.headers.get('content-type')),
      });
      return response;
    },
  };
}

const LONGEST = 4000;

function readable(text: string, contentType: string | null): unknown {
  if (text === '') return null;
  if (text.length > LONGEST && !contentType?.includes('markdown'))
    return `${text.length} characters`;
  if (contentType?.includes('urlencoded')) return fieldsOf(new URLSearchParams(text));
  try {
    return contentType?.includes('json') ? (JSON.parse(text) as unknown) : text;
  } catch {
    return text;
  }
}

/** A field that is sent twice shows twice. */
function fieldsOf(fields: URLSearchParams): unknown {
  const entries = [...fields];
  const names = new Set(fields.keys());
  return names.size === entries.length ? Object.fromEntries(entries) : entries;
}

function headersOf(response: Response): Record<string, string> {
  const entries = [...response.headers].filter(
    ([name]) => !SERVER_HEADERS.has(name) && name !== 'set-cookie',
  );
  const cookies = response.headers.getSetCookie().map((cookie, at) => [`set-cookie ${at}`, cookie]);
  return Object.fromEntries(
    [...entries, ...cookies].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}
