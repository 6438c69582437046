import { randomBytes } from 'node:crypto';

/** A claim attempt: one code and one link. */
interface Attempt {
  readonly token: string;
  readonly userCode: string;
  readonly email: string;
  readonly endsAt: number;
}

/** An agent identity, in one of the states of the specification. */
export interface Identity {
  readonly id: string;
  readonly claimToken: string | undefined;
  /** Of the provider whose ID-JAG established it. */
  readonly subject: string | undefined;
  /** Only an assertion of this version is exchanged: a claim begins the second. */
  version: number;
  scope: 'api.read' | 'api.read api.write';
  attempt: Attempt | undefined;
  isClaimed: boolean;
  isRevoked: boolean;
}

const CODE_WINDOW = 10 * 60_000;
/** After it no fresh attempt is opened. */
const CLAIM_WINDOW = 24 * 60 * 60_000;
const TOKEN_LIFETIME = 60 * 60_000;

export function secret(): string {
  return randomBytes(24).toString('base64url');
}

/** What the service remembers: in memory, for as long as it runs. */
export class Identities {
  readonly #now: () => number;
  readonly #all: (Identity & { readonly madeAt: number })[] = [];
  readonly #tokens = new Map<string, { readonly identity: Identity; readonly endsAt: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(given: { readonly claimToken?: string; readonly subject?: string }): Identity {
    const isEstablished = given.subject !== undefined;
    const identity = {
      id: secret(),
      claimToken: given.claimToken,
      subject: given.subject,
      version: 1,
      scope: isEstablished ? ('api.read api.write' as const) : ('api.read' as const),
      attempt: undefined,
      isClaimed: isEstablished,
      isRevoked: false,
      madeAt: this.#now(),
    };
    this.#all.push(identity);
    return identity;
  }

  ofSubject(subject: string): readonly Identity[] {
    return this.#all.filter((one) => one.subject === subject && !one.isRevoked);
  }

  withId(id: unknown): Identity | undefined {
    return this.#all.find((one) => one.id === id && !one.isRevoked);
  }

  withClaimToken(token: unknown): Identity | undefined {
    return this.#all.find(
      (one) =>
        one.claimToken !== undefined &&
        one.claimToken === token &&
        (one.isClaimed || this.#now() < one.madeAt + CLAIM_WINDOW),
    );
  }

  withAttempt(token: unknown): (Identity & { readonly attempt: Attempt }) | undefined {
    const found = this.#all.find(({ attempt }) => attempt !== undefined && attempt.token === token);
    return found as (Identity & { readonly attempt: Attempt }) | undefined;
  }

  openAttempt(identity: Identity, email: string): Attempt {
    const userCode = String(randomBytes(4).readUInt32BE() % 1_000_000).padStart(6, '0');
    const endsAt = this.#now() + CODE_WINDOW;
    identity.attempt = { token: secret(), userCode, email, endsAt };
    return identity.attempt;
  }

  isOpen({ isClaimed, attempt }: Identity): boolean {
    return !isClaimed && attempt !== undefined && this.#now() < attempt.endsAt;
  }

  /** The user owns it now: its assertion is a second one, and its token has the post-claim scope. */
  claim(identity: Identity): void {
    identity.isClaimed = true;
    identity.scope = 'api.read api.write';
    identity.version = 2;
    this.#dropTokens(identity);
  }

  end(identity: Identity): void {
    identity.isRevoked = true;
    this.#dropTokens(identity);
  }

  newToken(identity: Identity): string {
    const token = secret();
    this.#tokens.set(token, { identity, endsAt: this.#now() + TOKEN_LIFETIME });
    return token;
  }

  ofToken(token: string | undefined): Identity | undefined {
    const found = this.#tokens.get(token ?? '');
    return found !== undefined && this.#now() < found.endsAt ? found.identity : undefined;
  }

  revokeToken(token: string): void {
    this.#tokens.delete(token);
  }

  #dropTokens(identity: Identity): void {
    for (const [token, { identity: own }] of this.#tokens) {
      if (own === identity) this.#tokens.delete(token);
    }
  }
}
