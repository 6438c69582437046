import type { KeyRing } from '../../mock/index.ts';
import type { Clock, Fetch } from '../../runtime/index.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { Attempt } from './after-attempt.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { ReceiverRules } from './receiver-rules.ts';
import type { refusalText } from './refusal-text.ts';
import type { securityEventOf } from './security-event.ts';

/** What events are sent with. */
export interface Sender {
  readonly clock: Clock;
  readonly config: Pick<ProviderConfig, 'issuer'>;
  readonly decisions: {
    readonly event: typeof securityEventOf;
    readonly receiver: ReceiverRules;
    readonly refusalText: typeof refusalText;
  };
  readonly fetch: Fetch;
  readonly keys: Pick<KeyRing, 'sign'>;
}

/** One attempt to send an event. */
export type SendEvent = (
  sender: Sender,
  entry: OutboxEntry,
  signal: AbortSignal,
) => Promise<Attempt>;
