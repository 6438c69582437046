/** What the user has to do at a `verification_uri`. */
export interface ClaimTask {
  /** The page to go to. */
  readonly verificationUri: string;
  /** The code to type there. */
  readonly userCode: string;
  /** The account to sign in with. */
  readonly email: string;
  /** The password of that account, where it is known. A secret. */
  readonly password?: string;
  /** What is said about that account. */
  readonly notes?: string;
  /** What the user decides. */
  readonly decision: 'approve' | 'deny';
}

/** The outcome, as far as the driver sees it. Whether a claim is complete, only the claim grant tells. */
export interface ClaimReport {
  /** HTTP status of the last page, when the driver sees it. */
  readonly status: number | undefined;
  /** Text of the last page, or the driver's own output. */
  readonly text: string;
  /** Number of the last exchange, when it was recorded. */
  readonly exchange: number | undefined;
  /** The page at which the driver found nothing more to do before the user's part was done. */
  readonly stoppedAt?: string;
}

/** Does the user's part of a claim. */
export interface User {
  readonly kind: 'manual' | 'form' | 'browser' | 'command';
  /** @throws CannotTest when the pages are not understood, or it takes too long. */
  claim(task: ClaimTask): Promise<ClaimReport>;
  /** Closes the browser, if there is one. */
  close?(): Promise<void>;
}

/** The terminal of a user who acts by hand. */
export interface UserTerminal {
  /** Shows lines as they are. They contain the link and the code: secrets of this run. */
  show(lines: readonly string[]): void;
  /** Resolves to true when the user presses Enter, to false after `within` milliseconds. */
  done(within: number): Promise<boolean>;
}
