/** A line of JSON as it is laid out. */
export interface JsonLine {
  readonly depth: number;
  /** The name of the member, as JSON without its quotes; undefined within a list. */
  readonly name: string | undefined;
  /** A `mark` is a brace or bracket; a `secret` is the fingerprint of one that is not shown. */
  readonly kind: 'mark' | 'text' | 'secret' | 'plain';
  /** As JSON, a text without its quotes. */
  readonly text: string;
  readonly comma: string;
}

const LINE = /^( *)(?:"((?:[^"\\]|\\.)*)": )?(.*?)(,?)$/s;

/** No more lines than this are made. */
const MOST = 5_000;

/** A body, line by line. */
export function jsonLines(value: unknown): readonly JsonLine[] {
  const lines = JSON.stringify(value, null, 1).split('\n').slice(0, MOST);
  return lines.map((line) => {
    const [, indent = '', name, shown = '', comma = ''] = LINE.exec(line) ?? [];
    const isText = shown.startsWith('"');
    const text = isText ? shown.slice(1, -1) : shown;
    const textKind = isFingerprint(text) ? 'secret' : 'text';
    const kind = isText ? textKind : /^[[\]{}]/.test(text) ? 'mark' : 'plain';
    return { depth: indent.length, name, kind, text, comma };
  });
}

/** What stands for a secret that is not shown. */
export function isFingerprint(text: string): boolean {
  return /^\S*secret~[\w-]+$/.test(text);
}

/** A pair of a form as it is sent, but decoded. */
export interface FormLine {
  readonly name: string;
  /** A text, or what is shown of a JWT in its place. */
  readonly value: unknown;
}

/**
 * The pairs of a form that was read into an object; undefined for what is none (RFC 6749 Appendix B). A name may come
 * more than once.
 */
export function formLines(
  headers: Readonly<Record<string, string>>,
  body: unknown,
): readonly FormLine[] | undefined {
  const isForm = contentType(headers) === 'application/x-www-form-urlencoded';
  if (!isForm || typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.entries(body).flatMap(([name, value]) =>
    [value as unknown].flat().map((each) => ({ name, value: each })),
  );
}

/** Without its parameters; undefined where there is none. */
export function contentType(headers: Readonly<Record<string, string>>): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  return value?.split(';')[0]?.trim().toLowerCase() || undefined;
}
