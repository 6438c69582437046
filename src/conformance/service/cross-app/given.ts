/** Whose reading of an ID-JAG that is sent again is judged: EMA §7.4.2 has it refused, ID-JAG §4.4.3 may take it. */
export const READINGS = ['ema', 'id-jag'] as const;
/** The text by which cross-app access is judged: one of {@link READINGS}. */
export type CrossAppReading = (typeof READINGS)[number];

/** A client at the judged server, as its developer gives it. */
export interface GivenClient {
  readonly id: string;
  /** Left out: it is public. */
  readonly secret?: string | undefined;
}

/** What the suite is given to judge cross-app access with. */
export interface CrossAppOptions {
  /** The client that redeems ID-JAGs, and where there is one another, which tries those of the first. */
  readonly clients?: readonly GivenClient[];
  /** The suite is the client, by a metadata document that it serves beside its provider's. */
  readonly clientDocument?: boolean;
  /** Whether an ID-JAG may be sent again: `ema` says never, `id-jag` that it may. Default: `ema`. */
  readonly reading?: CrossAppReading;
  /** Protected URLs, absolute or relative to the target: the first is the one that ID-JAGs are for. */
  readonly resources?: readonly string[];
  /** The `sub` of a user whom the server knows. Default: new ones. */
  readonly subject?: string;
}

/** Whether somebody wants it judged, whatever the server lists. */
export function namesClient({ clientDocument, clients = [] }: CrossAppOptions = {}): boolean {
  return clientDocument === true || clients.length > 0;
}
