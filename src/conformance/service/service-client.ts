import { ID_JAG_TOKEN_TYPE, JWT_BEARER_GRANT, MEDIA_TYPE } from '../../protocol/index.ts';
import { NeedsOption, NotApplicable } from '../engine/judge.ts';
import type { Answer } from '../http/answer.ts';
import type { HeaderList, Sending } from '../http/http-client.ts';
import { readClaimBlock } from './claim-block.ts';
import type { ServiceFacts } from './service-facts.ts';

export type Send = (url: string, sending?: Sending) => Promise<Answer>;

const JSON_BODY = [['content-type', 'application/json']] as const;
const FORM_BODY = [['content-type', 'application/x-www-form-urlencoded']] as const;

/** Why what needs a protected URL was left, where none is known. */
export function whyNoResource({
  resourceMissing: why = 'No protected URL is known.',
}: ServiceFacts) {
  return { reason: `${why} Name one with --resource.`, needs: '--resource' } as const;
}

/** What a service was seen to do. */
export interface ServiceHabits {
  /** Whether it answers early polls slow_down. */
  slows: boolean;
  /** Whether it takes the body of a claim as v0.7 has it alone; undefined as long as nobody has tried. */
  typedClaims?: boolean | undefined;
}

/** How a claim token is polled. */
interface Pace {
  /** Seconds. */
  readonly interval: number;
  /** How often it was answered slow_down. */
  readonly slowed: number;
  /** When it was polled last: milliseconds since the epoch. */
  readonly polled?: number;
  /** When its latest attempt ends, as it was told: the same. */
  readonly end: number;
}

/** The requests of the protocol, as an agent or a provider sends them. It judges nothing. */
export class ServiceClient {
  readonly #send: Send;
  readonly #facts: ServiceFacts;
  /** The pace of polls, by claim token. */
  readonly #paces = new Map<string, Pace>();
  readonly #now: () => number;
  readonly #habits: ServiceHabits;

  /** @param habits Of the service, as all scenarios of a run see them. */
  constructor(
    send: Send,
    facts: ServiceFacts,
    now: () => number = () => 0,
    habits: ServiceHabits = { slows: false },
  ) {
    this.#send = send;
    this.#facts = facts;
    this.#now = now;
    this.#habits = habits;
  }

  /** A JSON body to the identity endpoint. */
  identity(body: unknown, headers: HeaderList = []): Promise<Answer> {
    return this.postJson(this.endpoint('identityEndpoint'), body, { headers, from: 'agent' });
  }

  registerAnonymous(): Promise<Answer> {
    return this.identity({ type: 'anonymous' });
  }

  async registerByEmail(email: string): Promise<Answer> {
    const answer = await this.identity({ type: 'service_auth', login_hint: email });
    this.#learnPace(answer.string('claim_token'), answer);
    return answer;
  }

  registerByIdJag(assertion: string): Promise<Answer> {
    return this.identity({
      type: 'identity_assertion',
      assertion_type: ID_JAG_TOKEN_TYPE,
      assertion,
    });
  }

  /** A service that does not take the body of the specification may take that of v0.7: it is tried once in a run. */
  async startClaim(claimToken: string, email?: string): Promise<Answer> {
    const isOpen = this.#habits.typedClaims === undefined && email !== undefined;
    let answer = await this.postClaim(claimToken, email);
    if (isOpen && answer.ok) this.#habits.typedClaims = false;
    if (isOpen && answer.status === 400) {
      this.#habits.typedClaims = true;
      const typed = await this.postClaim(claimToken, email);
      this.#habits.typedClaims = typed.ok ? true : undefined;
      if (typed.ok) answer = typed;
    }
    this.#learnPace(claimToken, answer);
    return answer;
  }

  /** The start of a claim, as this service takes it. */
  postClaim(claimToken: string, email?: string): Promise<Answer> {
    const body = this.takesTypedClaims
      ? { type: 'login_hint', claim_token: claimToken, login_hint: email }
      : { claim_token: claimToken, email };
    return this.postJson(this.endpoint('claimEndpoint'), body, { from: 'agent' });
  }

  /** Whether it takes the body of a claim as v0.7 has it, and not as the specification does. */
  get takesTypedClaims(): boolean {
    return this.#habits.typedClaims === true;
  }

  /** A form to the token endpoint. */
  token(form: Readonly<Record<string, string>>, headers: HeaderList = []): Promise<Answer> {
    return this.postForm(this.endpoint('tokenEndpoint'), form, { headers, from: 'agent' });
  }

  exchange(assertion: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.token({ grant_type: JWT_BEARER_GRANT, assertion, ...more });
  }

  async poll(claimToken: string): Promise<Answer> {
    const { claimGrant } = this.#facts;
    if (claimGrant === undefined) {
      throw new NotApplicable('The service lists no claim grant in grant_types_supported.');
    }
    const answer = await this.token({ grant_type: claimGrant, claim_token: claimToken });
    const isSlow = answer.errorCode === 'slow_down';
    if (isSlow) this.#habits.slows = true;
    const pace = this.#pace(claimToken);
    const slowed = pace.slowed + (isSlow ? 1 : 0);
    this.#paces.set(claimToken, { ...pace, slowed, polled: this.#now() });
    return answer;
  }

  /** Seconds after which the next poll of a claim token is in time (RFC 8628 §3.5). */
  pause(claimToken: string): number {
    const { interval, slowed } = this.#pace(claimToken);
    return interval + 5 * slowed + 1;
  }

  /** Milliseconds until a poll that is in time, at a service that answers earlier ones slow_down. */
  untilPoll(claimToken: string): number {
    const { polled } = this.#pace(claimToken);
    if (!this.#habits.slows || polled === undefined) return 0;
    return Math.max(0, polled + this.pause(claimToken) * 1000 - this.#now());
  }

  /** When the latest attempt of a claim token ends, as it was told. Milliseconds since the epoch. */
  attemptEnd(claimToken: string): number {
    return this.#pace(claimToken).end;
  }

  #pace(claimToken: string): Pace {
    return this.#paces.get(claimToken) ?? { interval: 5, slowed: 0, end: Number.POSITIVE_INFINITY };
  }

  #learnPace(claimToken: string | undefined, answer: Answer): void {
    const block = readClaimBlock(answer);
    if (claimToken === undefined || block === undefined) return;
    const pace = this.#pace(claimToken);
    const { expiresIn = Number.POSITIVE_INFINITY, interval = pace.interval } = block;
    this.#paces.set(claimToken, { ...pace, interval, end: this.#now() + expiresIn * 1000 });
  }

  /** @throws NeedsOption where none is known. */
  protectedUrl(): string {
    const { resource } = this.#facts;
    if (resource !== undefined) return resource;
    const { reason, needs } = whyNoResource(this.#facts);
    throw new NeedsOption(reason, needs);
  }

  /** A call of the protected resource; without a token when it is undefined. */
  call(token: string | undefined, sending: Sending = {}): Promise<Answer> {
    const url = this.protectedUrl();
    const authorization: HeaderList =
      token === undefined ? [] : [['authorization', `Bearer ${token}`]];
    return this.#send(url, {
      from: 'agent',
      ...sending,
      headers: [...authorization, ...(sending.headers ?? [])],
    });
  }

  revoke(token: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.postForm(
      this.endpoint('revocationEndpoint'),
      { token, ...more },
      { from: 'agent' },
    );
  }

  /** A Security Event Token to the events endpoint. */
  notify(set: string): Promise<Answer> {
    return this.#send(this.endpoint('eventsEndpoint'), {
      from: 'provider',
      headers: [
        ['content-type', MEDIA_TYPE.securityEvent],
        ['accept', 'application/json'],
      ],
      body: set,
    });
  }

  postJson(url: string, body: unknown, sending: Sending = {}): Promise<Answer> {
    return this.#send(url, {
      ...sending,
      headers: [...JSON_BODY, ...(sending.headers ?? [])],
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  postForm(
    url: string,
    form: Readonly<Record<string, string>> | [name: string, value: string][],
    sending: Sending = {},
  ): Promise<Answer> {
    return this.#send(url, {
      ...sending,
      headers: [...FORM_BODY, ...(sending.headers ?? [])],
      body: new URLSearchParams(form).toString(),
    });
  }

  /** @throws NotApplicable when the service does not name it. */
  endpoint(
    name:
      | 'identityEndpoint'
      | 'claimEndpoint'
      | 'tokenEndpoint'
      | 'revocationEndpoint'
      | 'eventsEndpoint',
  ): string {
    const url = this.#facts[name];
    if (url === undefined) {
      const wire = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      throw new NotApplicable(`The service's metadata names no ${wire}.`);
    }
    return url;
  }
}
