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

export type State = 'unowned' | 'owned' | 'turned-down' | 'withdrawn';

/** One registered agent. */
export interface AgentRecord {
  readonly id: string;
  state: State;
  /** Counts up when it gets an owner. What was issued for an earlier one is void. */
  edition: number;
  /** The email that may own it; the first one named is final. */
  holder?: string;
  readonly principal?: Principal;
  readonly claimToken?: string;
  readonly claimEnds: number;
  ceremony?: Ceremony;
}
