import { randomInt } from 'node:crypto';
import { randomText } from '../support.ts';
import type { AgentRecord, Ceremony, Principal } from './agent-record.ts';

/** RFC 8628 §6.1: letters that look unlike each other and spell no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LIFETIME = 5 * 60_000;
const CLAIM_LIFETIME = 2 * 3_600_000;
const TRIES = 3;

/** Agents, users, and the ties between them. */
export class Registry {
  readonly #now: () => number;
  readonly #agents = new Map<string, AgentRecord>();
  readonly #byClaimToken = new Map<string, AgentRecord>();
  readonly #byRef = new Map<string, AgentRecord>();
  readonly #users = new Set<string>();
  /** Principal → email of the user. */
  readonly #ties = new Map<string, string>();
  /** Principal → second since which its ID-JAGs count again. */
  readonly #withdrawnAt = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  addUnowned(holder?: string, principal?: Principal): AgentRecord {
    const claimToken = randomText(30);
    const agent: AgentRecord = {
      ...this.#fresh('unowned'),
      claimToken,
      ...(holder === undefined ? {} : { holder }),
      ...(principal === undefined ? {} : { principal }),
    };
    this.#agents.set(agent.id, agent);
    this.#byClaimToken.set(claimToken, agent);
    return agent;
  }

  addOwned(holder: string, principal: Principal): AgentRecord {
    const agent: AgentRecord = { ...this.#fresh('owned'), holder, principal };
    this.#agents.set(agent.id, agent);
    this.tie(principal, holder);
    return agent;
  }

  find(id: string): AgentRecord | undefined {
    return this.#agents.get(id);
  }

  findByClaimToken(token: string): AgentRecord | undefined {
    return this.#byClaimToken.get(token);
  }

  /** The agent whose claim can be answered under this reference, now. */
  findOpen(ref: string): AgentRecord | undefined {
    const agent = this.#byRef.get(ref);
    return agent?.ceremony?.ref === ref && this.isOpen(agent) ? agent : undefined;
  }

  /** One that waits for this principal's confirmation already. */
  findWaiting({ iss, sub }: Principal): AgentRecord | undefined {
    return [...this.#agents.values()].find(
      (agent) =>
        agent.state === 'unowned' &&
        agent.principal?.iss === iss &&
        agent.principal.sub === sub &&
        agent.claimEnds > this.#now(),
    );
  }

  openCeremony(agent: AgentRecord): Ceremony {
    const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    const ceremony: Ceremony = {
      ref: randomText(18),
      code: `${letters.slice(0, 4)}-${letters.slice(4)}`,
      ends: Math.min(this.#now() + CODE_LIFETIME, agent.claimEnds),
      triesLeft: TRIES,
    };
    agent.ceremony = ceremony;
    this.#byRef.set(ceremony.ref, agent);
    return ceremony;
  }

  isOpen({ state, ceremony }: AgentRecord): boolean {
    if (state !== 'unowned' || ceremony === undefined) return false;
    return ceremony.triesLeft > 0 && ceremony.ends > this.#now();
  }

  isClaimOver({ claimEnds }: AgentRecord): boolean {
    return claimEnds <= this.#now();
  }

  giveTo(agent: AgentRecord, holder: string): void {
    agent.state = 'owned';
    agent.holder = holder;
    agent.edition += 1;
    delete agent.ceremony;
    if (agent.principal !== undefined) this.tie(agent.principal, holder);
  }

  addUser(email: string): void {
    this.#users.add(email);
  }

  hasUser(email: string): boolean {
    return this.#users.has(email);
  }

  tie(principal: Principal, email: string): void {
    this.#users.add(email);
    this.#ties.set(nameOf(principal), email);
  }

  tiedTo(principal: Principal): string | undefined {
    return this.#ties.get(nameOf(principal));
  }

  /** The provider takes back what it said of this principal. */
  withdraw(principal: Principal, second: number): void {
    const name = nameOf(principal);
    for (const agent of this.#agents.values()) {
      const isIts = agent.principal !== undefined && nameOf(agent.principal) === name;
      if (isIts) agent.state = 'withdrawn';
    }
    this.#ties.delete(name);
    this.#withdrawnAt.set(name, second);
  }

  withdrawnAt(principal: Principal): number {
    return this.#withdrawnAt.get(nameOf(principal)) ?? 0;
  }

  #fresh(state: AgentRecord['state']) {
    return {
      id: `agent:${randomText(9)}`,
      state,
      edition: 1,
      claimEnds: this.#now() + CLAIM_LIFETIME,
    };
  }
}

function nameOf({ iss, sub }: Principal): string {
  return JSON.stringify([iss, sub]);
}
