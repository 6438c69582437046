/** What came back over one connection: the first answer or, where something was asked next, all before its answer. */
export interface RawReply {
  /** The status of each answer, in order. */
  readonly statuses: readonly number[];
  /** The status of the answer to what was asked next. */
  readonly nextStatus: number | undefined;
  readonly text: string;
  /** The peer ended the connection, and answered nothing that was asked next. */
  readonly closed: boolean;
  /** Number of the exchange in its scenario. */
  readonly exchange: number;
}

export interface RawSending {
  /** Sent one after another, until an answer comes or the connection ends. */
  readonly chunks: Iterable<string | Uint8Array>;
  /**
   * A request that asks to close the connection, sent after the first answer: answers keep the order of the requests
   * (RFC 9112 §9.3.2), so that nothing before it is still to come when the connection ends.
   */
  readonly next?: string;
  /** Milliseconds without a byte after which it ends. Default: the client's timeout. */
  readonly timeout?: number;
}
