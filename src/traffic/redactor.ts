import {
  decodeJwt,
  IDENTITY_TYPES,
  isJsonObject,
  maskPath,
  maskTokens,
  NOT_A_BEARER,
  STATES,
} from '../protocol/index.ts';
import { KnownSecrets } from './known-secrets.ts';
import { isPublicMember, isSecretMember, isSecretName, isSecretParameter } from './secret-names.ts';

/** What stands for a secret. The same for the same secret, and no way back. */
export type Fingerprint = (secret: string) => string;

/** `name=value`, as in a query, a form and a challenge without quotes. */
const PAIR = /(?<![\w.~%[\]-])([\w.~%[\]-]+)=([^&\s"'<>;,#]+)/g;
/** A parameter of a query: nothing but `&` and `#` ends it. */
const PARAMETER = /(?<=[?&#])([^&#=]+)=([^&#]+)/g;
/** `"name": "value"` of JSON that is no JSON, and `name="value"` of a header. */
const QUOTED = /(?<![\w-])([\w-]+)(["']?\s*[:=]\s*")((?:[^"\\]|\\.)*)"/g;
/** The short link of a claim page: whatever follows opens it. */
const CLAIM_LINK = /(\/c\/)([\w~.%-]+)/g;
/** The user information of a URL, with a password or without (RFC 3986 §3.2.1). */
const USER_INFO = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]+@/gi;
/** What may hide a secret in its escapes (RFC 3986 §2.1). */
const ESCAPED = /(?<![^\s"'<>&;,#=/?])[^\s"'<>&;,#=/?]*%[\da-f]{2}[^\s"'<>&;,#=/?]*/gi;
/** A name, and after it what stands between it and its value in JSON, YAML, XML, scripts or headers. */
const LABEL = /(?<![\w.-])[\w.[\]-]{2,64}(?=(?:\\*["'])?\s*[:=>])/g;
const LABELLED =
  /((?:\\*["'])?\s*(?:=>|[:=>])[\s\\"'[(]*(?:(?:bearer|basic|digest|dpop|token) +)?)([^\s"'<>&,;\]})\\]+)/iy;
/** The escapes of JSON that could hide a name, or the beginning of a token. */
const JSON_ESCAPE = /\\(?:u([\da-f]{4})|[bfnrt])/gi;
/** What every secret has that is known by its name or its form. Most texts have none of it. */
const MAYBE_SECRET = /[=:"]\s*"|=|\/c\/|[a-z]_|eyJ|%|@/;
/** A part of a path that nobody chose by hand, as `maskPath` knows it. */
const LONG_PART = /[\w~.-]{20}/;
/** The schemes that stay in front of what they carry (RFC 9110 §11.4). */
const CREDENTIALS = /^(bearer|basic|digest|dpop|negotiate|token) +(.*)$/i;
/** What stands for a secret already stays. */
const FINGERPRINT = /^secret~[\w-]{8}$/;
/** Words of the protocol: nobody's secret, under whatever name they come. */
const WORDS: ReadonlySet<string> = new Set([...IDENTITY_TYPES, ...STATES, NOT_A_BEARER, 'Bearer']);
/** Names a claim attempt, and opens nothing. */
const ATTEMPT_ID = /^cla_/;

/** A user code as people type it: the same code without what stands between (RFC 8628 §6.1). */
const GROUPED_CODE = /^\w{2,4}(?:[ -]\w{2,4})+$/;

const MAX_DEPTH = 64;
/** A value in a value in a value: deeper, nobody writes a secret by chance. */
const MAX_NESTED = 3;

/**
 * Puts fingerprints in the place of secrets: by the names under which they travel, by their form, and, once
 * a mock has given one out, wherever it comes again.
 */
export class Redactor {
  readonly #fingerprint: Fingerprint;
  readonly #known = new KnownSecrets();

  constructor(fingerprint: Fingerprint) {
    this.#fingerprint = fingerprint;
  }

  /** @param issued whether the mock sent them: its secrets are known from now on. */
  headers(headers: Headers, issued: boolean): Readonly<Record<string, string>> {
    const shown: Record<string, string> = {};
    for (const [name, value] of headers) {
      // A cookie of its own each (RFC 6265 §3); joined once all are known.
      if (name !== 'set-cookie') shown[name] = this.#header(name, value, issued);
    }
    const cookies = headers.getSetCookie().map((cookie) => this.#cookie(cookie, issued));
    return cookies.length === 0 ? shown : { ...shown, 'set-cookie': cookies.join(', ') };
  }

  /** Absolute, or as a path. A code is found within a longer word, too. */
  url(url: string): string {
    return this.#known.replaceWithin(this.#shownUrl(url));
  }

  #shownUrl(url: string): string {
    if (!MAYBE_SECRET.test(url) && !LONG_PART.test(url)) return this.#known.replaceIn(url);
    const [, start = '', path = '', rest = ''] =
      /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(url) ?? [];
    const claimLink = path.replace(CLAIM_LINK, (_all, before: string, token: string) => {
      return before + this.#secret(decoded(token));
    });
    const shown = claimLink === path ? maskPath(path, (token) => this.#token(token)) : claimLink;
    const query = rest.replace(PARAMETER, (all, name: string, value: string) =>
      isSecretParameter(decoded(name)) ? `${name}=${this.#secret(fieldOf(value))}` : all,
    );
    return start.replace(/\/\/.*@/, '//…@') + this.text(shown) + this.text(query);
  }

  /**
   * A decoded body.
   * @param issued as in {@link headers}.
   */
  body(value: unknown, issued: boolean): unknown {
    const before = this.#known.learned;
    const shown = this.#value(value, { issued, isSecret: false, depth: 0 });
    // What was shown before a secret was known may have it, such as a link before its code.
    return this.#known.learned === before ? shown : this.#again(shown);
  }

  /** The fields of a form. */
  form(fields: URLSearchParams): Readonly<Record<string, unknown>> {
    const names = [...new Set(fields.keys())];
    return Object.fromEntries(
      names.map((name) => {
        const isSecret = isSecretParameter(name);
        const values = fields.getAll(name).map((value) => {
          return this.#value(value, { issued: false, isSecret, depth: 0 });
        });
        // JSON that was sent as a form is a name without a value.
        return [this.#string(name, 0), values.length === 1 ? values[0] : values];
      }),
    );
  }

  /**
   * A body that is neither JSON nor a form, or only the beginning of one: in any notation, what follows the
   * name of a secret is one.
   * @param issued as in {@link headers}.
   */
  raw(text: string, issued: boolean): string {
    const plain = text.replace(JSON_ESCAPE, (_all, hex?: string) =>
      hex === undefined ? ' ' : String.fromCharCode(Number.parseInt(hex, 16)),
    );
    const shown = this.text(this.#labelled(plain, issued));
    return shown === plain ? text : shown;
  }

  /** A text with structure, such as a value of JSON or of a header. */
  text(text: string, nested = 0): string {
    if (!MAYBE_SECRET.test(text)) return this.#known.replaceIn(text);
    const shown = text
      .replace(PAIR, (all, name: string, value: string) => this.#pair(all, name, value, nested))
      .replace(QUOTED, (all, name: string, between: string, value: string) =>
        isSecretName(name) ? `${name}${between}${this.#secret(value)}"` : all,
      )
      .replace(CLAIM_LINK, (_all, before: string, token: string) => {
        return before + this.#secret(decoded(token));
      })
      .replace(USER_INFO, '$1…@')
      .replace(ESCAPED, (run) => this.#escaped(run, nested));
    return this.#known.replaceIn(maskTokens(shown, (token) => this.#token(token)));
  }

  /** A text that is a secret as a whole. */
  secret(text: string, issued: boolean): unknown {
    return this.#value(text, { issued, isSecret: true, depth: 0 });
  }

  #value(
    value: unknown,
    at: { readonly issued: boolean; readonly isSecret: boolean; readonly depth: number },
  ): unknown {
    if (typeof value === 'string') {
      const jwt = value.startsWith('eyJ') ? decodeJwt(value) : undefined;
      if (jwt !== undefined) {
        const inside = { issued: false, isSecret: false, depth: at.depth + 1 };
        return {
          jwt: this.#secret(value),
          header: this.#value(jwt.header, inside),
          claims: this.#value(jwt.payload, inside),
        };
      }
      return at.isSecret ? this.#secret(value, at.issued) : this.#string(value, at.depth);
    }
    if (typeof value !== 'object' || value === null) {
      return at.isSecret && typeof value === 'number' ? this.#secret(String(value)) : value;
    }
    if (at.depth >= MAX_DEPTH) return '…';
    const depth = at.depth + 1;
    if (Array.isArray(value)) return value.map((each) => this.#value(each, { ...at, depth }));
    if (!isJsonObject(value)) return null;
    const isKey = 'kty' in value;
    // In JSON, whole or one of several signatures (RFC 7515 §7.2).
    const isJws = 'protected' in value || 'payload' in value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        // What lies in a member that is secret by name is secret whatever it is called.
        const isSecret =
          !isPublicMember(name) &&
          (at.isSecret || isSecretMember(name, isKey) || (isJws && name === 'signature'));
        return [this.text(name), this.#value(each, { ...at, depth, isSecret })];
      }),
    );
  }

  #again(shown: unknown): unknown {
    if (typeof shown === 'string') {
      return shown.includes('%') ? this.text(shown) : this.#known.replaceIn(shown);
    }
    if (Array.isArray(shown)) return shown.map((each) => this.#again(each));
    if (!isJsonObject(shown)) return shown;
    return Object.fromEntries(
      Object.entries(shown).map(([name, each]) => [this.#known.replaceIn(name), this.#again(each)]),
    );
  }

  #string(text: string, depth: number): string {
    const json = /^\s*[[{]/.test(text) && depth < MAX_DEPTH ? parsed(text) : undefined;
    if (json !== undefined) {
      const shown = this.#value(json, { issued: false, isSecret: false, depth: depth + 1 });
      const written = JSON.stringify(shown);
      return written === JSON.stringify(json) ? text : written;
    }
    return /^(?:[a-z][a-z0-9+.-]*:\/)?\/\S*$/i.test(text) ? this.url(text) : this.text(text);
  }

  #pair(all: string, name: string, value: string, nested: number): string {
    if (isSecretParameter(decoded(name))) return `${name}=${this.#secret(fieldOf(value))}`;
    if (!value.includes('=')) return all;
    return nested >= MAX_NESTED ? `${name}=…` : `${name}=${this.text(value, nested + 1)}`;
  }

  #escaped(run: string, nested: number): string {
    const plain = decoded(run);
    if (plain === run) return run;
    if (nested >= MAX_NESTED) return '…';
    const shown = this.text(plain, nested + 1);
    return shown === plain ? run : encodeURIComponent(shown.toWellFormed());
  }

  #labelled(text: string, issued: boolean): string {
    const parts: string[] = [];
    let from = 0;
    for (const { 0: name, index } of text.matchAll(LABEL)) {
      const at = index + name.length;
      if (index < from || !isSecretName(name)) continue;
      LABELLED.lastIndex = at;
      const [, between, value] = LABELLED.exec(text) ?? [];
      if (between === undefined || value === undefined) continue;
      parts.push(text.slice(from, at), between, this.#secret(value, issued));
      from = LABELLED.lastIndex;
    }
    return parts.join('') + text.slice(from);
  }

  #header(name: string, value: string, issued: boolean): string {
    if (name === 'cookie') {
      return value
        .split(/; */)
        .map((pair) => this.#cookie(pair, issued))
        .join('; ');
    }
    if (!isSecretName(name)) return this.#string(value, 0);
    const [, scheme, credentials] = CREDENTIALS.exec(value) ?? [];
    return scheme === undefined || credentials === undefined
      ? this.#secret(value, issued)
      : `${scheme} ${this.#secret(credentials.trim())}`;
  }

  /** `name=value; attributes`: all but the value stays. */
  #cookie(cookie: string, issued: boolean): string {
    const [, name, value = '', attributes = ''] = /^([^=;]*)=([^;]*)(.*)$/s.exec(cookie) ?? [];
    return name === undefined
      ? this.#secret(cookie, issued)
      : `${this.text(name)}=${this.#secret(value, issued)}${attributes}`;
  }

  #token(token: string): string {
    return ATTEMPT_ID.test(token) ? token : this.#secret(token);
  }

  #secret(secret: string, issued = false): string {
    // Deleting a cookie sends an empty one.
    if (secret === '' || FINGERPRINT.test(secret) || WORDS.has(secret)) return secret;
    const plain = GROUPED_CODE.test(secret) ? secret.replace(/[ -]/g, '') : secret;
    const fingerprint = this.#fingerprint(plain);
    if (issued) for (const form of new Set([secret, plain])) this.#known.add(form, fingerprint);
    return fingerprint;
  }
}

/** What escapes stand for; where some are none, that of the others alone, as far as it is ASCII. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][\da-f])/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

/** A value of a query or a form (URL Standard §5.1). */
function fieldOf(value: string): string {
  return decoded(value.replaceAll('+', ' '));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
