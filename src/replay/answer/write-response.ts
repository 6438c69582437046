import { MEDIA_TYPE } from '../../protocol/index.ts';
import { isPage, type RecordedExchange } from '../recording/index.ts';
import { type Writing, writeBody, writeText } from './write-body.ts';

/** They are this connection's, or of a body that came otherwise. */
const NOT_REPLAYED =
  /^(?:alt-svc|connection|content-encoding|content-length|date|keep-alive|strict-transport-security|trailer|transfer-encoding|upgrade)$/;
/** Statuses without a body (RFC 9110 §15). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The recorded answer with the values of this run. @param page what stands where a page was. */
export async function writeResponse(
  { response }: RecordedExchange,
  status: number,
  writing: Writing,
  page: () => string | Promise<string>,
): Promise<Response> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    if (NOT_REPLAYED.test(name)) continue;
    const text = writeText(
      value.replaceAll('{time}', new Date(writing.now).toUTCString()),
      writing,
    );
    if (name === 'set-cookie') {
      // One field each (RFC 6265 §3): where another begins, a name with `=` follows.
      for (const cookie of text.split(/, *(?=[^;,=\s]+=)/)) headers.append(name, cookie);
    } else {
      headers.set(name, text);
    }
  }
  if (BODILESS.has(status)) return new Response(null, { status, headers });
  const body = isPage(response)
    ? await page()
    : encode(await writeBody(response.body, writing), headers.get('content-type') ?? '');
  // As bytes: a text would get a media type that was not recorded.
  return new Response(body === null ? null : new TextEncoder().encode(body), { status, headers });
}

function encode(body: unknown, type: string): string | null {
  if (body === null || body === undefined) return null;
  if (typeof body === 'string' && !/\bjson\b/i.test(type)) return body;
  if (type.startsWith(MEDIA_TYPE.form) && typeof body === 'object') {
    return new URLSearchParams(
      Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
  }
  return JSON.stringify(body);
}
