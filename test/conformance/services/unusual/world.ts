import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { Oddity } from './bugs.ts';
import { json, Stop, UNKEPT } from './http.ts';

export const SOME = ['things:look'] as const;
export const ALL = ['things:touch', 'things:look'] as const;

const MIN = 60_000;
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

export interface Try {
  readonly link: string;
  readonly code: readonly string[];
  readonly until: number;
  wrong: number;
  outcome?: 'no';
}

export interface Thing {
  readonly id: string;
  readonly kind: 'anonymous' | 'service_auth' | 'identity_assertion';
  readonly until: number;
  scope: readonly string[];
  email?: string;
  tries: Try[];
  wrongInAll: number;
  owner?: { readonly email: string; readonly at: number };
  ended: boolean;
  taken?: { readonly at: number; readonly assertion: string; token: string };
  jag?: { readonly iss: string; readonly sub: string; readonly tenant: string; iat: number };
  audience?: string;
}

/** All that is kept: by the hash of what names it. Everything about a claim happens without an await. */
export class World {
  readonly origin: string;
  readonly now: () => number;
  readonly #oddity: string | undefined;
  readonly #pepper = randomBytes(32);
  readonly things = new Map<string, Thing>();
  readonly #claims = new Map<string, Thing>();
  readonly #assertions = new Map<
    string,
    { readonly thing: Thing; readonly owned: boolean; readonly until: number }
  >();
  readonly #tokens = new Map<string, Granted>();
  readonly #links = new Map<string, { readonly thing: Thing; readonly attempt: Try }>();
  #last = 40;

  constructor(origin: string, now: () => number, oddity: string | undefined) {
    this.origin = origin;
    this.now = now;
    this.#oddity = oddity;
  }

  has(oddity: Oddity): boolean {
    return this.#oddity === oddity;
  }

  get issuer(): string {
    return `${this.origin}/as/1`;
  }

  get resource(): string {
    return `${this.origin}/t/~things`;
  }

  add(kind: Thing['kind']): Thing {
    this.#last += 1;
    const id = this.#last.toString(36);
    const until = this.now() + 20 * 60 * MIN;
    const thing: Thing = { id, kind, until, scope: ALL, tries: [], wrongInAll: 0, ended: false };
    this.things.set(id, thing);
    return thing;
  }

  claimToken(thing: Thing): string {
    for (const [key, other] of this.#claims) if (other === thing) this.#claims.delete(key);
    const token = randomBytes(18).toString('base64');
    this.#claims.set(hash(token), thing);
    return token;
  }

  byClaimToken(token: string): Thing | undefined {
    return this.#claims.get(hash(token));
  }

  /** A new link and code; those before are over. */
  open(thing: Thing): Try & { readonly typed: string } {
    const typed = Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join(
      '',
    );
    const link = randomBytes(16).toString('hex');
    const until = Math.min(thing.until, this.now() + 10 * MIN);
    const attempt: Try = { link, code: this.#macs(link, typed), until, wrong: 0 };
    if (!this.has('oldLinkLives'))
      for (const before of thing.tries) this.#links.delete(hash(before.link));
    thing.tries.push(attempt);
    this.#links.set(hash(link), { thing, attempt });
    return { ...attempt, typed };
  }

  byLink(link: string): { readonly thing: Thing; readonly attempt: Try } | undefined {
    return this.#links.get(hash(link));
  }

  isCode({ link, code }: Try, typed: string): boolean {
    // Letter by letter under a key, so that nothing tells where a wrong one differs.
    const macs = this.#macs(link, typed);
    if (this.has('codeByPrefix')) return typed !== '' && macs.every((mac, at) => mac === code[at]);
    return macs.join() === code.join();
  }

  #macs(link: string, typed: string): readonly string[] {
    const mac = (letter: string, at: number) =>
      createHmac('sha256', this.#pepper).update(`${link}:${at}:${letter}`).digest('hex');
    return [...typed].map(mac);
  }

  stateOf(thing: Thing): 'ended' | 'owned' | 'over' | 'none' | 'open' | 'no' | 'closed' {
    if (thing.ended) return 'ended';
    if (thing.owner !== undefined) return 'owned';
    if (this.now() >= thing.until) return 'over';
    const newest = thing.tries.at(-1);
    if (newest === undefined) return 'none';
    if (newest.outcome === 'no') return 'no';
    return newest.wrong >= 5 || this.now() >= newest.until ? 'closed' : 'open';
  }

  assertion(thing: Thing): { readonly text: string; readonly until: number } {
    const text = `as+${randomBytes(24).toString('base64')}==/`;
    const life = thing.kind === 'identity_assertion' ? 50 * MIN : 20 * 24 * 60 * MIN;
    const owned = thing.owner !== undefined;
    const until = owned ? this.now() + life : thing.until;
    this.#assertions.set(hash(text), { thing, owned, until });
    return { text, until };
  }

  byAssertion(text: string): Thing | undefined {
    const kept = this.#assertions.get(hash(text));
    if (kept === undefined || this.now() >= kept.until) return undefined;
    // What was issued before somebody owned it is worth nothing after.
    return kept.owned === (kept.thing.owner !== undefined) ? kept.thing : undefined;
  }

  grant(
    thing: Thing,
    scope: readonly string[],
  ): { readonly token: string; readonly seconds: number } {
    const token = `${randomBytes(21).toString('base64').replaceAll('/', '~')}==`;
    const until = this.now() + 45 * MIN;
    this.#tokens.set(hash(token), { thing, scope, until, owned: thing.owner !== undefined });
    return { token, seconds: 45 * 60 };
  }

  byToken(token: string): Granted | undefined {
    const kept = this.#tokens.get(hash(token));
    if (kept === undefined || this.now() >= kept.until) return undefined;
    const state = this.stateOf(kept.thing);
    const alive = state !== 'ended' && state !== 'over';
    return alive && kept.owned === (kept.thing.owner !== undefined) ? kept : undefined;
  }

  /** Whether it was there. */
  drop(token: string): boolean {
    return this.#tokens.delete(hash(token));
  }
}

export interface Granted {
  readonly thing: Thing;
  readonly scope: readonly string[];
  readonly until: number;
  readonly owned: boolean;
}

export function hash(text: string): string {
  return createHash('sha512').update(text).digest('base64');
}

/** A refusal of the endpoints for agents: a problem (RFC 9457) that also says `error`. */
export function no(status: number, error: string, detail: string, more: object = {}): Stop {
  const challenge = status === 401 ? { 'www-AUTHENTICATE': `AgentAuth error="${error}"` } : {};
  const later = status === 503 ? { 'RETRY-after': '2' } : {};
  const body = { status, detail, title: 'Refused', ...more, error_description: detail, error };
  const headers = { ...UNKEPT, ...challenge, ...later, 'cONTENT-tYPE': 'application/problem+json' };
  return new Stop(json(status, body, headers));
}

export function emailIn(value: unknown): string | undefined {
  const good =
    typeof value === 'string' &&
    value.length < 255 &&
    /^[!-?A-~]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(value);
  return good && !/["(),:;<>[\\\]]/.test(value) ? value.toLowerCase() : undefined;
}
