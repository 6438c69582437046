import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Config, HttpProblem, LIFE, LIMIT, PRE_CLAIM, SCOPES } from './config.ts';

export type AgentKind = 'anonymous' | 'service_auth' | 'identity_assertion';

/** Of whom an ID-JAG speaks. */
export interface Subject {
  readonly issuer: string;
  readonly tenant: string | undefined;
  readonly sub: string;
}

interface Attempt {
  readonly linkHash: string;
  readonly codeMac: Buffer;
  readonly ends: number;
  wrongCodes: number;
  denied: boolean;
  interval: number;
  lastPoll: number;
}

interface Collected {
  readonly at: number;
  readonly jti: string;
  readonly iat: number;
}

export type AgentState = 'revoked' | 'claimed' | 'expired' | 'pending' | 'lapsed' | 'unclaimed';

/** An agent that registered. */
export class Agent {
  readonly id = `reg_${token(16)}`;
  readonly kind: AgentKind;
  readonly windowEnds: number;
  readonly subject: Subject | undefined;
  email: string | undefined;
  scopes: readonly string[] = SCOPES;
  readonly pre_claim_scopes: readonly string[] = PRE_CLAIM;
  /** `iat` of the newest ID-JAG, in seconds. */
  vouchedAt = 0;
  version = 1;
  claimHash: string | undefined;
  attempt: Attempt | undefined;
  wrongCodes = 0;
  claimedAt: number | undefined;
  collected: Collected | undefined;
  revoked = false;
  /** `jti` of the access tokens that are out. */
  readonly live = new Set<string>();

  constructor(kind: AgentKind, windowEnds: number, subject?: Subject) {
    this.kind = kind;
    this.windowEnds = windowEnds;
    this.subject = subject;
  }

  stateAt(now: number): AgentState {
    if (this.revoked) return 'revoked';
    if (this.claimedAt !== undefined) return 'claimed';
    if (now >= this.windowEnds) return 'expired';
    if (this.attempt === undefined) return 'unclaimed';
    const { denied, wrongCodes, ends } = this.attempt;
    return denied || wrongCodes >= LIMIT.codesPerAttempt || now >= ends ? 'lapsed' : 'pending';
  }

  /** What its tokens may do now. */
  grantedAt(now: number): readonly string[] {
    return this.stateAt(now) === 'claimed' ? this.scopes : this.pre_claim_scopes;
  }

  /** Its user has decided for it. Tokens and assertions from before are void. */
  claim(now: number): void {
    this.claimedAt = now;
    this.version = 2;
    this.live.clear();
  }

  revoke(): void {
    this.revoked = true;
    this.live.clear();
  }
}

export interface Started {
  readonly id: string;
  readonly code: string;
  readonly link: string;
  readonly ends: number;
}

/** All agents, found by what they and their users hold. */
export class Agents {
  readonly #config: Config;
  readonly #pepper = randomBytes(32);
  readonly #byId = new Map<string, Agent>();
  readonly #byClaim = new Map<string, Agent>();
  readonly #byLink = new Map<string, Agent>();
  readonly #bySubject = new Map<string, Agent>();

  constructor(config: Config) {
    this.#config = config;
  }

  get #now(): number {
    return this.#config.now() / 1000;
  }

  create(kind: AgentKind, subject?: Subject): Agent {
    const agent = new Agent(kind, this.#now + LIFE.window, subject);
    this.#byId.set(agent.id, agent);
    if (subject !== undefined) this.#bySubject.set(subjectKey(subject), agent);
    return agent;
  }

  byId(id: string): Agent | undefined {
    return this.#byId.get(id);
  }

  byClaimToken(value: string): Agent | undefined {
    return this.#byClaim.get(sha256(value));
  }

  /** The agent of a subject, unless it was revoked or its window is over. */
  bySubject(subject: Subject): Agent | undefined {
    const agent = this.#bySubject.get(subjectKey(subject));
    const state = agent?.stateAt(this.#now);
    return state === 'revoked' || state === 'expired' ? undefined : agent;
  }

  ofSubject(subject: Subject): readonly Agent[] {
    const key = subjectKey(subject);
    return [...this.#byId.values()].filter(
      (each) => each.subject && subjectKey(each.subject) === key,
    );
  }

  ofUser(email: string): readonly Agent[] {
    return [...this.#byId.values()].filter((each) => each.email === email && !each.revoked);
  }

  /** A claim token; the one before is void. */
  newClaimToken(agent: Agent): string {
    const value = `clm_${token()}`;
    if (agent.claimHash !== undefined) this.#byClaim.delete(agent.claimHash);
    agent.claimHash = sha256(value);
    this.#byClaim.set(agent.claimHash, agent);
    return value;
  }

  /** A new code and link; those before are void. */
  startAttempt(agent: Agent): Started {
    const link = `cat_${token()}`;
    const code = String(randomInt(10 ** 6)).padStart(6, '0');
    const linkHash = sha256(link);
    const ends = Math.min(this.#now + LIFE.code, agent.windowEnds);
    if (agent.attempt !== undefined) this.#byLink.delete(agent.attempt.linkHash);
    agent.attempt = {
      linkHash,
      codeMac: this.#mac(linkHash, code),
      ends,
      wrongCodes: 0,
      denied: false,
      interval: LIFE.interval,
      lastPoll: Number.NEGATIVE_INFINITY,
    };
    this.#byLink.set(linkHash, agent);
    return { id: `cla_${linkHash.slice(0, 24)}`, code, link, ends };
  }

  byLink(link: string): Agent | undefined {
    return this.#byLink.get(sha256(link));
  }

  /** @throws HttpProblem when the code is not the one that the agent shows. */
  enterCode(agent: Agent, typed: string): void {
    const { attempt } = agent;
    const code = typed.replace(/[\s-]/g, '');
    if (attempt === undefined) throw new Error('no attempt');
    const isCode = /^\d{6}$/.test(code);
    if (isCode && timingSafeEqual(this.#mac(attempt.linkHash, code), attempt.codeMac)) {
      agent.claim(this.#now);
      return;
    }
    if (isCode) {
      attempt.wrongCodes += 1;
      agent.wrongCodes += 1;
    }
    throw new HttpProblem(400, 'invalid_user_code', 'That is not the code that your agent shows.', {
      extra: { attempts_remaining: LIMIT.codesPerAttempt - attempt.wrongCodes },
    });
  }

  #mac(linkHash: string, code: string): Buffer {
    return createHmac('sha256', this.#pepper).update(`${linkHash}.${code}`).digest();
  }
}

function subjectKey({ issuer, tenant, sub }: Subject): string {
  return JSON.stringify([issuer, tenant ?? null, sub]);
}

export function token(bytes = 24): string {
  return randomBytes(bytes).toString('base64url');
}

export function sha256(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
