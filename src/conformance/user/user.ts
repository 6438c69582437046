/** What the user is asked to do at a `verification_uri`. */
export interface ClaimTask {
  readonly verificationUri: string;
  readonly userCode: string;
  /** The account to sign in with. */
  readonly email: string;
  readonly decision: 'approve' | 'deny';
}

/** How it went, as far as the driver can tell. Whether a claim is complete, the claim grant says. */
export interface ClaimReport {
  /** HTTP status of the last page, when the driver sees it. */
  readonly status: number | undefined;
  /** Text of the last page, or what the driver said. */
  readonly text: string;
  /** Number of the last exchange, when it was recorded. */
  readonly exchange: number | undefined;
}

/** Does the user's part of a claim. */
export interface User {
  readonly kind: 'manual' | 'form' | 'browser' | 'command';
  /** @throws CannotTest when the pages are not understood, or nobody does it in time. */
  claim(task: ClaimTask): Promise<ClaimReport>;
  /** Ends what it keeps running: a browser. */
  close?(): Promise<void>;
}

/** Where somebody sits who does it by hand: a terminal. */
export interface UserDesk {
  /** Shows lines as they are. They hold the link and the code, which are secrets of this run. */
  show(lines: readonly string[]): void;
  /** Resolves to true when they say that they are done (Enter), to false when the time is over. */
  done(within: number): Promise<boolean>;
}
