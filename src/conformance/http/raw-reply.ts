/** What came back over one connection, however many answers that were. */
export interface RawReply {
  /** Of each answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** The peer ended the connection. */
  readonly closed: boolean;
  /** Number of the exchange in its scenario. */
  readonly exchange: number;
}

export interface RawSending {
  /** Sent one after another, until an answer comes or the connection ends. */
  readonly chunks: Iterable<string | Uint8Array>;
  /** Milliseconds without a byte after which it ends. Default: the client's timeout. */
  readonly timeout?: number;
}
