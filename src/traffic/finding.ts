/** What is wrong with an exchange: where it stands, and how serious it is. */
export interface Finding {
  /** The id of the requirement that it breaks, as `agent-auth conformance list` names it. */
  readonly requirement: string;
  /** Requirements that the same request breaks by the same mistake; mostly none. */
  readonly also: readonly string[];
  readonly level: 'must' | 'should' | 'may';
  /** Whose mistake it is. */
  readonly by: 'agent' | 'service' | 'provider';
  /** A sentence, safe to show: what was seen, and what should be. */
  readonly message: string;
  /** The `seq` of the exchange that shows it. */
  readonly seq: number;
  /** The how-manieth time it is that this mistake was seen, from 1 on. */
  readonly times: number;
}

/**
 * What two findings have in common that show the same mistake: the same requirements, and the same sentence
 * but for its numbers.
 */
export function mistakeOf({
  also,
  message,
  requirement,
}: Pick<Finding, 'also' | 'message' | 'requirement'>): string {
  return [requirement, ...also, message.replace(/\d+(?:\.\d+)?/g, '0')].join(' ');
}
