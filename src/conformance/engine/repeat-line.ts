import { shellWord } from '../../runtime/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { plainText } from './plain-text.ts';

/** Those that curl writes itself, or that only say who asks. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'user-agent',
]);

const MARK = /‹[0-9a-f]{8}›/;

/**
 * The name before a mark, by which its variable is called: that of a member, a parameter, a cookie, a field
 * or a header.
 */
const NAMED_MARK =
  /(?:"([\w-]+)\\*"\s*:\s*\\*"?|([\w-]+)(?:=|%3D)|\b(Bearer) |^([\w-]+): )?(‹[0-9a-f]{8}›)/gi;

/**
 * One line for a POSIX shell that sends a request again. Its secrets are variables, which the reader sets, and
 * reach curl through a pipe: nobody else on the machine sees them among the arguments. Undefined for what curl
 * cannot send, or what the report shows only in part.
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
  const variables = new Variables();
  const piped: string[] = [];
  const args: string[] = [];
  for (const [option, flag, value] of settings) {
    if (MARK.test(value) || /[\r\n\t]/.test(value)) {
      piped.push(variables.word(`${option} = ${quoted(value)}`));
    } else {
      args.push(`${flag === '' ? '' : `${flag} `}${shellWord(value)}`);
    }
  }
  const curl = ['curl -sSi', ...methodOf(method, body), ...placeOf(url), ...args];
  if (piped.length === 0) return curl.join(' ');
  return `printf '%s\\n' ${piped.join(' ')} | ${[...curl, '-K -'].join(' ')}`;
}

/** A method of HTTP, text that a terminal shows as it is, and nothing that was cut. */
function isSendable({ method, url, headers, body = '' }: Exchange['request']): boolean {
  const texts = [url, ...headers.flat(), ...body.split(/[\r\n\t]/)];
  return (
    /^[A-Z]{3,10}$/.test(method) &&
    URL.canParse(url) &&
    texts.every((text) => plainText(text, Number.POSITIVE_INFINITY) === text) &&
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

/** The variables of one line: each secret has one, whatever it is called where it occurs. */
class Variables {
  readonly #byMark = new Map<string, string>();

  /** A text as one word of a shell, in which each mark is the value of its variable. */
  word(text: string): string {
    let at = 0;
    const parts: string[] = [];
    for (const found of text.matchAll(NAMED_MARK)) {
      const [all, member, parameter, scheme, header, mark = ''] = found;
      const name = scheme === undefined ? (member ?? parameter ?? header) : 'access_token';
      const begin = found.index + all.length - mark.length;
      if (begin > at) parts.push(shellWord(text.slice(at, begin)));
      parts.push(`"$${this.#variable(mark, name)}"`);
      at = begin + mark.length;
    }
    return [...parts, ...(at < text.length ? [shellWord(text.slice(at))] : [])].join('');
  }

  #variable(mark: string, name = 'secret'): string {
    const known = this.#byMark.get(mark);
    if (known !== undefined) return known;
    const plain = name
      .toUpperCase()
      .replaceAll('-', '_')
      .replace(/^[\d_]+/, '');
    const taken = new Set(this.#byMark.values());
    // What a shell gives a meaning: PATH, IFS, HOME …
    const base = plain.length < 5 ? `SECRET_${plain}`.replace(/_$/, '') : plain;
    const free = [base, ...Array.from({ length: taken.size }, (_, n) => `${base}_${n + 2}`)];
    const variable = free.find((each) => !taken.has(each)) ?? base;
    this.#byMark.set(mark, variable);
    return variable;
  }
}
