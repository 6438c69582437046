/** A line of a body as it is laid out. */
export interface BodyLine {
  readonly depth: number;
  /** Ends what is before it in a form. */
  readonly sign: '&' | '';
  /** The name of the member or the pair; undefined within a list. */
  readonly name: string | undefined;
  /** What leads from it to its value. */
  readonly joint: ': ' | '=';
  /** A `mark` is a brace or bracket; a `secret` is the fingerprint of one that is not shown. */
  readonly kind: 'mark' | 'text' | 'secret' | 'plain';
  readonly text: string;
  /** Around it. */
  readonly quote: '"' | '';
  readonly comma: string;
}

const LINE = /^( *)(?:("(?:[^"\\]|\\.)*"): )?(.*?)(,?)$/s;

/** No more lines than this are made. */
const MOST = 5_000;

/** JSON, line by line. */
export function jsonLines(value: unknown): readonly BodyLine[] {
  const lines = JSON.stringify(value, null, 1).split('\n').slice(0, MOST);
  return lines.map((line) => {
    const [, indent = '', name, shown = '', comma = ''] = LINE.exec(line) ?? [];
    const quoted = /^"(.*)"$/s.exec(shown)?.[1];
    const kind =
      quoted === undefined ? (/^[[\]{}]/.test(shown) ? 'mark' : 'plain') : kindOf(quoted);
    const quote = kind === 'text' ? '"' : '';
    const text = quoted ?? shown;
    return { depth: indent.length, sign: '', name, joint: ': ', kind, text, quote, comma };
  });
}

function kindOf(text: string): 'secret' | 'text' {
  return isFingerprint(text) ? 'secret' : 'text';
}

/** What stands for a secret that is not shown. */
export function isFingerprint(text: string): boolean {
  return /^\S*secret~[\w-]+$/.test(text);
}

/**
 * A form that was read into an object, a pair a line and decoded: what is shown of a JWT in its place follows it.
 * @returns undefined for what is none (RFC 6749 Appendix B). A name may come more than once.
 */
export function formLines(
  headers: Readonly<Record<string, string>>,
  body: unknown,
): readonly BodyLine[] | undefined {
  const isForm = contentType(headers) === 'application/x-www-form-urlencoded';
  if (!isForm || typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const pairs = Object.entries(body).flatMap(([name, value]) =>
    [value as unknown].flat().map((each) => [name, each] as const),
  );
  return pairs.flatMap(([name, value], index) => {
    const isJwt = typeof value === 'object';
    const text = isJwt ? '' : String(value);
    const sign = index === 0 ? '' : '&';
    const kind = kindOf(text);
    const line: BodyLine = { depth: 0, sign, name, joint: '=', kind, text, quote: '', comma: '' };
    const shown = isJwt ? jsonLines(value) : [];
    return [line, ...shown.map((each) => ({ ...each, depth: each.depth + 1 }))];
  });
}

/** The content type without its parameters; undefined where there is none. */
export function contentType(headers: Readonly<Record<string, string>>): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  return value?.split(';')[0]?.trim().toLowerCase() || undefined;
}
