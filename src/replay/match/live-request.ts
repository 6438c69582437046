import { isJsonMediaType, MEDIA_TYPE, mediaTypeOf } from '../../protocol/index.ts';
import { readBody } from '../../runtime/index.ts';
import { withoutOrigins } from './without-origins.ts';

/** A request as it is compared with recorded ones. */
export interface LiveRequest {
  readonly method: string;
  /** Path and query; this replay's own URL stands as `{service}`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, the fields of a form, or a text; `null` where there is none. */
  readonly body: unknown;
  /** Whether it comes from a browser. */
  readonly wantsPage: boolean;
}

const MAX_BODY = 1024 * 1024;

/** `undefined` for a body that is too long, or broke off. */
export async function liveRequest(
  request: Request,
  origin: string,
): Promise<LiveRequest | undefined> {
  const read = await readBody(request, MAX_BODY).catch(() => undefined);
  if (read?.ok !== true) return undefined;
  const origins = new Map([['{service}', origin]]);
  const own = (text: string) => withoutOrigins(text, origins);
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(
    [...request.headers].map(([name, value]) => [name, own(value)]),
  );
  return {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    target: own(pathname + search),
    headers,
    body: decode(own(read.text), mediaTypeOf(request)),
    wantsPage: /\btext\/html\b/.test(headers['accept'] ?? ''),
  };
}

function decode(text: string, type: string): unknown {
  if (text === '') return null;
  if (type === MEDIA_TYPE.form) {
    const fields = new URLSearchParams(text);
    return Object.fromEntries(
      [...new Set(fields.keys())].map((name) => {
        const values = fields.getAll(name);
        return [name, values.length === 1 ? values[0] : values];
      }),
    );
  }
  if (isJsonMediaType(type) || /^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}
