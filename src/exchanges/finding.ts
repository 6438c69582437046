/** What is wrong with an exchange: where it stands, and how serious it is. */
export interface Finding {
  /** Of the requirement that it breaks, as `agent-auth conformance list` names it. */
  readonly requirement: string;
  readonly level: 'must' | 'should' | 'may';
  /** Whose mistake it is. */
  readonly by: 'agent' | 'service' | 'provider';
  /** One sentence, safe to show: what was seen, and what should be. */
  readonly message: string;
  /** The `seq` of the exchange that shows it. */
  readonly seq: number;
}
