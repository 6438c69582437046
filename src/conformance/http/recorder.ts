import type { Clock } from '../../runtime/index.ts';
import { JWT, Redactor } from './redact.ts';

/** A request as it was sent. */
export interface Begun {
  readonly from: string;
  readonly to: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

interface Ended {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly duration: number;
}

/** A request whose connection somebody took. */
export interface Taken {
  /** When it began. Milliseconds since the epoch. */
  readonly at: number;
  readonly begun: Begun;
  readonly isAnswered: boolean;
  /** What was odd in it: `email 1`. */
  readonly odd: string | undefined;
}

interface Entry {
  readonly at: number;
  readonly begun: Begun;
  readonly odd: string | undefined;
  ended?: Ended;
  problem?: string;
  /** Nobody took the connection. */
  isRefused?: boolean;
}

const MAX_BODY_SHOWN = 4096;

/** Keeps the exchanges of one scenario. */
export class Recorder {
  readonly #entries: Entry[] = [];
  readonly #clock: Clock;
  readonly #start: number;

  #odd: string | undefined;

  /** The redactor, which has learned the secrets of the answers. */
  readonly redactor: Redactor;

  /** @param redactor Default: one with a key of its own. */
  constructor(clock: Clock, redactor = new Redactor()) {
    this.redactor = redactor;
    this.#clock = clock;
    this.#start = clock.now();
  }

  /** The number of the newest exchange; 0 when there is none. */
  get last(): number {
    return this.#entries.length;
  }

  /** The first exchange without an answer: when it began, in milliseconds since the epoch, and who was asked. */
  get firstUnanswered(): { readonly at: number; readonly to: string } | undefined {
    const entry = this.#entries.find(({ problem }) => problem !== undefined);
    return entry && { at: this.#start + entry.at, to: entry.begun.to };
  }

  /** The requests to somebody that were taken, of those that began until an instant. */
  taken(to: string, until: number): readonly Taken[] {
    return this.#entries
      .map(({ at, ended, ...rest }) => ({
        ...rest,
        at: this.#start + at,
        isAnswered: ended !== undefined,
      }))
      .filter(({ at, begun, isRefused }) => begun.to === to && isRefused !== true && at <= until);
  }

  /** Sends what is odd. A target may die of it. */
  async oddly<Result>(odd: string, send: () => Promise<Result>): Promise<Result> {
    this.#odd = odd;
    return send().finally(() => {
      this.#odd = undefined;
    });
  }

  /** Whether nobody took a connection at an origin. */
  wasRefusedAt(origin: string | undefined): boolean {
    return this.#entries.some(
      ({ begun, isRefused }) => isRefused === true && `${begun.url}/`.startsWith(`${origin}/`),
    );
  }

  /** @param odd What is odd in it. Default: what `oddly` sends. */
  begin(
    begun: Begun,
    odd = this.#odd,
  ): {
    readonly number: number;
    end(ended: Ended): void;
    fail(problem: string, isRefused?: boolean): void;
  } {
    const entry: Entry = { at: this.#clock.now() - this.#start, begun, odd };
    const number = this.#entries.push(entry);
    return {
      number,
      end: (ended) => {
        entry.ended = ended;
        this.redactor.learn(ended.headers, ended.body);
      },
      fail: (problem, isRefused = false) => {
        entry.problem = problem;
        entry.isRefused = isRefused;
      },
    };
  }

  /** The request of an exchange. */
  begun(number: number): Begun | undefined {
    return this.#entries[number - 1]?.begun;
  }

  /** Keeps a request that another recorder has met, with what became of it. Returns its number. */
  keep(begun: Begun, problem: string): number {
    const entry = this.begin(begun);
    entry.fail(problem);
    return entry.number;
  }

  /** Takes over the exchanges of another recorder, with their numbers and what is secret in them. */
  takeOver(other: Recorder): void {
    this.#entries.push(...other.#entries);
    for (const { ended } of other.#entries) {
      if (ended !== undefined) this.redactor.learn(ended.headers, ended.body);
    }
  }

  /** The exchanges, each redacted where somebody reads it: of most exchanges of a run nobody does. */
  exchanges(): readonly Exchange[] {
    return this.#entries.map((entry, index) => this.#exchange(entry, index + 1));
  }

  /** The newest exchange. */
  get newest(): Exchange | undefined {
    const entry = this.#entries.at(-1);
    return entry && this.#exchange(entry, this.#entries.length);
  }

  #exchange({ at, begun, ended, problem }: Entry, number: number): Exchange {
    const { from, to, method } = begun;
    const exchange = { number, from, to, at, ...(problem !== undefined && { problem }) };
    const { redactor } = this;
    return withLazy<Exchange>(exchange, {
      request: () => ({
        method,
        url: redactor.text(begun.url),
        headers: redactor.headers(begun.headers),
        ...(begun.body === undefined ? {} : { body: this.#shown(begun.body) }),
      }),
      ...(ended && {
        response: () =>
          // Whoever looks at statuses alone has nothing redacted.
          withLazy<NonNullable<Exchange['response']>>(
            { status: ended.status },
            {
              headers: () => redactor.headers(ended.headers),
              ...(ended.body !== '' && { body: () => this.#shown(ended.body) }),
              duration: () => ended.duration,
            },
          ),
      }),
      tokens: () => this.#tokens(begun, ended),
    });
  }

  #tokens(begun: Begun, ended: Ended | undefined): Exchange['tokens'] {
    const values = ({ headers, body = '' }: Pick<Begun, 'headers' | 'body'>) => [
      ...headers.map(([, value]) => value),
      body.slice(0, 8 * MAX_BODY_SHOWN),
    ];
    const texts = [begun.url, ...values(begun), ...(ended === undefined ? [] : values(ended))];
    const tokens = shownTokens(texts, this.redactor);
    return tokens.length === 0 ? undefined : tokens;
  }

  #shown(body: string): string {
    // Redacted before it is cut: half a secret would not be recognised.
    const text = this.redactor.text(
      body.length > 8 * MAX_BODY_SHOWN ? body.slice(0, MAX_BODY_SHOWN) : body,
    );
    return text.length > MAX_BODY_SHOWN ? `${text.slice(0, MAX_BODY_SHOWN)}…` : text;
  }
}

/** Adds members that are made when they are first read. */
function withLazy<T extends object>(
  target: Partial<T>,
  members: { readonly [Name in keyof T]?: () => T[Name] },
): T {
  for (const [name, make] of Object.entries<(() => unknown) | undefined>(members)) {
    const options = { enumerable: true, configurable: true };
    Object.defineProperty(target, name, {
      ...options,
      get: () => {
        const value = make?.();
        Object.defineProperty(target, name, { ...options, value });
        return value;
      },
    });
  }
  return target as T;
}

/** A JWT of an exchange as a reader may see it: without its signature. */
export interface ShownToken {
  /** Its mark wherever it occurs: `‹1a2b3c4d›`. */
  readonly mark: string;
  /** Undefined where it is no JSON object, or too long. */
  readonly header?: Readonly<Record<string, unknown>> | undefined;
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** A request and what came back, redacted. */
export interface Exchange {
  /** Within its scenario, from 1. */
  readonly number: number;
  /** Who sent it and who was asked: `suite`, `agent`, `service`, `provider`, `user`. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the scenario began. */
  readonly at: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    /** The body, at most 4 kB; absent when there was none. */
    readonly body?: string;
  };
  /** Absent when no answer came; `problem` says why. */
  readonly response?: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body?: string;
    /** Milliseconds. */
    readonly duration: number;
  };
  readonly problem?: string;
  /** The JWTs of both messages, events too (RFC 8417). Absent when there was none. */
  readonly tokens?: readonly ShownToken[] | undefined;
}

/** An exchange with more of them, or a token with more text, shows the first ones, or none. */
const MOST = 4;
const LONGEST = 4096;

/**
 * The JWTs of the texts of an exchange, as their header and claims (RFC 7515 §7.1): what a reader has to see
 * of a token or an event. Their signature is nowhere, so that none of them can be used.
 */
function shownTokens(texts: readonly string[], redactor: Redactor): readonly ShownToken[] {
  const found = new Set(texts.flatMap((text) => text.match(JWT) ?? []));
  return [...found].slice(0, MOST).flatMap((token) => {
    const [header = '', claims = ''] = token.split('.');
    const shown = {
      mark: redactor.mark(token),
      header: readPart(header, redactor),
      claims: readPart(claims, redactor),
    };
    return shown.header === undefined && shown.claims === undefined ? [] : [shown];
  });
}

function readPart(part: string, redactor: Redactor): Readonly<Record<string, unknown>> | undefined {
  const text = Buffer.from(part, 'base64url').toString('utf8');
  if (text.length > LONGEST) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? JSON.parse(redactor.text(JSON.stringify(value))) : undefined;
  } catch {
    return undefined;
  }
}
