import type { Database, Transaction } from '../../mock/index.ts';
import type { Clock } from '../../runtime/index.ts';
import type { ResourceParts } from '../resource/resource.ts';
import type { CallbackRules } from './callback.ts';

/** What the directory is served with. */
export interface DirectoryParts extends ResourceParts {
  readonly clock: Clock;
  /** Counts a successful call. */
  readonly countRequest: (tx: Transaction) => Promise<void>;
  readonly db: Database;
  readonly decisions: ResourceParts['decisions'] & { readonly callbackRules: CallbackRules };
}
