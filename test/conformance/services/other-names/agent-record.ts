/** The provider's user for whom an ID-JAG speaks. */
export interface Principal {
  readonly iss: string;
  readonly sub: string;
}

/** One code, shown once, entered on the page. */
export interface Ceremony {
  readonly ref: string;
  readonly code: string;
  readonly ends: number;
  triesLeft: number;
}

export type Standing = 'unowned' | 'owned' | 'turned-down' | 'withdrawn';

/** One registered agent. */
export interface AgentRecord {
  readonly id: string;
  standing: Standing;
  /** Counts up when it gets an owner. What was issued for an earlier one is void. */
  edition: number;
  /** The address that may own it; fixed by whoever names it first. */
  holder?: string;
  readonly principal?: Principal;
  readonly claimToken?: string;
  readonly claimEnds: number;
  ceremony?: Ceremony;
}
