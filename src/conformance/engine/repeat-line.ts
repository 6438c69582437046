import { shellWord } from '../../runtime/index.ts';
import type { Exchange } from '../http/recorder.ts';
import { plainText } from './plain-text.ts';

/** The header fields that curl writes itself, or that only say who asks. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'user-agent',
]);

/** What stands in a report for a secret. */
export const SECRET_MARK = /‹[0-9a-f]{8}›/;

/**
 * A line for a POSIX shell that sends a request again. Undefined for what curl cannot send, what the report shows only
 * in part, and what needs a secret of the run.
 */
export function repeatLine({ request }: Exchange): string | undefined {
  const { method, url, body = '' } = request;
  const headers = request.headers.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  if (!isSendable(request)) return undefined;
  const settings: (readonly [option: string, flag: string, value: string])[] = [
    ...headers.map(
      ([name, value]) => ['header', '-H', value === '' ? `${name};` : `${name}: ${value}`] as const,
    ),
    ...(body !== '' && !hasHeader(headers, 'content-type')
      ? [['header', '-H', 'content-type:'] as const]
      : []),
    ...(body === '' ? [] : [['data-raw', '--data-raw', body] as const]),
    ['url', '', url] as const,
  ];
  const piped: string[] = [];
  const args: string[] = [];
  for (const [option, flag, value] of settings) {
    if (/[\r\n\t]/.test(value)) {
      piped.push(shellWord(`${option} = ${quoted(value)}`));
    } else {
      args.push(`${flag === '' ? '' : `${flag} `}${shellWord(value)}`);
    }
  }
  const curl = ['curl -sSi', ...methodOf(method, body), ...placeOf(url), ...args];
  if (piped.length === 0) return curl.join(' ');
  return `printf '%s\\n' ${piped.join(' ')} | ${[...curl, '-K -'].join(' ')}`;
}

/** A method of HTTP, text that a terminal shows as it is, nothing that was cut, and no secret. */
function isSendable({ method, url, headers, body = '' }: Exchange['request']): boolean {
  const texts = [url, ...headers.flat(), ...body.split(/[\r\n\t]/)];
  return (
    /^[A-Z]{3,10}$/.test(method) &&
    URL.canParse(url) &&
    texts.every((text) => plainText(text, Number.POSITIVE_INFINITY) === text) &&
    !texts.some((text) => SECRET_MARK.test(text)) &&
    !body.endsWith('…') &&
    !body.startsWith('As raw bytes:') &&
    !hasHeader(headers, 'transfer-encoding') &&
    !hasHeader(headers, 'content-encoding')
  );
}

function hasHeader(headers: Exchange['request']['headers'], name: string): boolean {
  return headers.some(([each]) => each.toLowerCase() === name);
}

function methodOf(method: string, body: string): readonly string[] {
  if (method === 'HEAD') return ['-I'];
  return method === (body === '' ? 'GET' : 'POST') ? [] : [`-X ${method}`];
}

/** What curl would expand or shorten in a URL, it leaves. */
function placeOf(url: string): readonly string[] {
  return [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(/\/\.{1,2}(?=[/?#]|$)/.test(url) ? ['--path-as-is'] : []),
  ];
}

/** A value in a file of curl's options. */
function quoted(value: string): string {
  const text = value
    .replace(/[\\"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${text}"`;
}
