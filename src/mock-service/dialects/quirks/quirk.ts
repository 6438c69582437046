import type { DialectId } from '../../../protocol/index.ts';
import type { ServiceDialect } from '../dialect.ts';

/**
 * One way in which a published service differs from its family: right in itself, and spelled or done otherwise.
 * Composed over a dialect, so that no handler knows of it.
 */
export interface Quirk {
  /** What a service that has it does, in one sentence. */
  readonly description: string;
  /** The dialects that it makes sense in. */
  readonly fits: readonly DialectId[];
  /** What it is about, where two of a kind would contradict each other. */
  readonly about?: string;
  /** The dialect with it. */
  readonly over: (right: ServiceDialect) => ServiceDialect;
}
