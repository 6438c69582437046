import type { Clock, Forward, Log, Sleep } from '../runtime/index.ts';
import type { ExchangeLog } from '../traffic/index.ts';
import type { CookieNames } from './headers/cookie-names.ts';
import type { Front, Origins } from './origins.ts';
import type { StandIns } from './stand-ins.ts';

/** What the requests to one origin are passed on with. */
export interface Place {
  readonly front: Front;
  readonly origins: Origins;
  readonly cookies: CookieNames;
  readonly standIns: StandIns;
  /** Names this proxy in `Via` (RFC 9110 §7.6.3): a token. */
  readonly pseudonym: string;
  readonly exchanges: ExchangeLog;
  readonly forward: Forward;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly log: Log;
  /** Stands in front of further origins, which an answer names. */
  readonly frontAll: (origins: readonly string[], front: Front) => Promise<void>;
}
