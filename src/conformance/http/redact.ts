import { createHmac, randomBytes } from 'node:crypto';
import { secretsOf, secretWords } from './received-secrets.ts';
import { FIELD_NAMES, INPUT, isSecretField, readInput, SECRET_NAMES } from './secret-names.ts';

const NAMES = SECRET_NAMES.join('|');
const JSON_MEMBER = new RegExp(`("(?:${NAMES})"\\s*:\\s*)(?:"((?:[^"\\\\]|\\\\.)*)"|(\\d+))`, 'g');
/** JSON within a text of JSON. */
const ESCAPED_MEMBER = new RegExp(`((\\\\+)"(?:${NAMES})\\2"\\s*:\\s*(?:\\2")?)([^"\\\\,}]+)`, 'g');
const PARAMETER = new RegExp(
  `((?:^|[?&;\\s]|%3F|%26)(?:${[...SECRET_NAMES, ...FIELD_NAMES].join('|')})(?:=|%3D))([^&\\s"'<>%]+)`,
  'gi',
);
/** A part of a JWT, in base64url or, as some attacks have it, in base64, padded or within a form. */
const PART = '(?:[\\w+/=-]|%2[BbFf]|%3[Dd])';
/** Between two parts, where somebody broke the line, too. */
const DOT = '\\.(?:\\r?\\n|\\\\n)?';
/** A JWT: three or five parts (RFC 7515 §7.1, RFC 7516 §7.1). */
export const JWT = new RegExp(`\\beyJ${PART}{5,}${DOT}${PART}*(?:${DOT}${PART}*){1,3}`, 'g');
/** The signature of a JWS in JSON (RFC 7515 §7.2); no shorter text that is called so. */
const JWS_SIGNATURE = /("signature"\s*:\s*)"([\w-]{40,})"/g;
/** Long random words with a prefix: `at_…`, `clm_…`. */
const PREFIXED = /\b(?:at|clm|cla|cat|ctl|dc|pat|atk|tok|sk|sess)_[\w-]{20,}/g;
/** A word, or a character of a URL as it is encoded, once or more, which would stick to the word after it. */
const WORD = /%(?:25)*[\dA-Fa-f]{2}|[\w-]{6,}/g;

/** Anything shorter occurs in every text. */
const SHORTEST = 4;

const SECRET_HEADERS = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'proxy-authorization',
  'x-csrf-token',
]);

type Headers = readonly (readonly [string, string])[];

/**
 * Takes the secrets out of what a report shows: by the names of their fields and, once they were received,
 * wherever their values occur.
 */
export class Redactor {
  readonly #key: Uint8Array;
  readonly #received = new Set<string>();
  /** Answers whose secrets nobody had to know yet. */
  #unread: (readonly [headers: Headers, body: string])[] = [];
  readonly #concealed = new Set<string>();

  /** @param key Of the marks: without it, short codes cannot be found by trying all of them. */
  constructor(key: Uint8Array = randomBytes(32)) {
    this.#key = key;
  }

  /** Learns the secrets of an answer: at the next text that is shown, since of a run that passes none is. */
  learn(headers: Headers, body: string): void {
    this.#unread.push([headers, body]);
  }

  /** Takes out a secret that the suite was given, wherever it occurs, whatever it looks like. */
  conceal(secret: string): void {
    if (secret.length < SHORTEST) return;
    for (const spelt of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      new URLSearchParams([['', secret]]).toString().slice(1),
    ]) {
      this.#concealed.add(spelt);
    }
  }

  /** The mark of a secret. With the same key, the same secret has the same mark, so that a reader can follow it. */
  mark(secret: string): string {
    return `‹${createHmac('sha256', this.#key).update(secret).digest('hex').slice(0, 8)}›`;
  }

  /** A body, a URL or a sentence without its secrets. */
  text(text: string): string {
    this.#readAnswers();
    return this.#withoutConcealed(text)
      .replace(
        JSON_MEMBER,
        (_all, name: string, value?: string, number?: string) =>
          `${name}"${this.mark(value ?? number ?? '')}"`,
      )
      .replace(
        ESCAPED_MEMBER,
        (_all, name: string, _slashes, value: string) => name + this.mark(value),
      )
      .replace(INPUT, (input) => this.#input(input))
      .replace(PARAMETER, (_all, name: string, value: string) => name + this.mark(decode(value)))
      .replace(JWT, (token) => this.mark(token))
      .replace(JWS_SIGNATURE, (_all, name: string, value: string) => `${name}"${this.mark(value)}"`)
      .replace(PREFIXED, (token) => this.mark(token))
      .replace(WORD, (word) => (this.#received.has(word) ? this.mark(word) : word));
  }

  headers(headers: Headers): Headers {
    return headers.map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name.toLowerCase()) ? this.#header(name, value) : this.text(value),
    ]);
  }

  #readAnswers(): void {
    for (const [headers, body] of this.#unread) {
      for (const secret of secretsOf(headers, body)) {
        for (const word of secretWords(secret)) this.#received.add(word);
      }
    }
    this.#unread = [];
  }

  #withoutConcealed(text: string): string {
    let shown = text;
    for (const secret of this.#concealed) {
      if (shown.includes(secret)) shown = shown.replaceAll(secret, this.mark(secret));
    }
    return shown;
  }

  #input(input: string): string {
    const { name, value } = readInput(input);
    if (value === undefined || value === '' || !isSecretField(name)) return input;
    return input.split(value).join(this.mark(value));
  }

  #header(name: string, value: string): string {
    if (/cookie$/i.test(name)) {
      return value.replace(
        /(^|;\s*)([^=;\s]+)=([^;]*)/g,
        (all, before, key: string, inner: string) =>
          /^(path|domain|expires|max-age|samesite|secure|httponly|priority)$/i.test(key)
            ? all
            : `${before}${key}=${this.mark(inner)}`,
      );
    }
    const [scheme = '', rest] = value.split(/ (.*)/s);
    return rest === undefined ? this.mark(value) : `${scheme} ${this.mark(rest)}`;
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
