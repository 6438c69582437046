import type { ToolName } from '../tool-names.ts';

/** What the host learns while a tool works. */
export interface Progress {
  /** Grows. */
  readonly progress: number;
  readonly total?: number;
  /** Our words. */
  readonly message: string;
}

/** What a call has turned out to be about, for its errors. */
export interface About {
  /** As given or as stored. */
  service: string | undefined;
}

/** One call of a tool. */
export interface ToolCall {
  readonly tool: ToolName;
  /** Its arguments as the host gave them. */
  readonly given: unknown;
  /** Aborted when the host cancels the call, or goes. */
  readonly signal: AbortSignal;
  /** Does nothing where the host asked for no progress. */
  readonly progress: (progress: Progress) => void;
  /** The host comes back after it has shown a page: nothing is begun anew. */
  readonly isReturn: boolean;
  readonly about: About;
}
