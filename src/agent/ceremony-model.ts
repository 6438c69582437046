/** What a user needs to act. */
import type { Secret } from '../runtime/index.ts';

interface CeremonyFacts {
  /**
   * Whether the page may be opened or linked: https (or loopback), no userinfo, on the origin of the issuer
   * or the resource. Otherwise print it with a warning.
   */
  readonly openable: boolean;
  readonly expiresAt: number;
  /** Time left when this object was made. */
  readonly remaining: number;
}

/** The user types the agent's code on a page, while the agent polls: `waitForClaim`. */
export interface TypeThereCeremony extends CeremonyFacts {
  readonly kind: 'type_there';
  /** Text, not a number. Reveal it to the user alone; `displayUserCode` groups it. */
  readonly userCode: Secret;
  /** Plain ASCII. */
  readonly verificationUri: string;
  /** Between two polls. */
  readonly interval: number;
}

/** The user reads a code to the agent, which hands it in: `submitCode`. */
export interface ReadBackCeremony extends CeremonyFacts {
  readonly kind: 'read_back';
  /** The page that shows the code to its signed-in user, plain ASCII; `null`: it comes by mail. */
  readonly verificationUri: string | null;
  /** Whom the mail goes to, where that is known. */
  readonly mailedTo: string | null;
}

/** What a user needs to act. */
export type Ceremony = TypeThereCeremony | ReadBackCeremony;

/** The user signs in on a page in a browser of this machine, and the answer comes back here. */
export interface PageCeremony extends CeremonyFacts {
  readonly kind: 'page';
  readonly verificationUri: string;
}

/** What a user needs to sign in. */
export type SignInCeremony = TypeThereCeremony | PageCeremony;
