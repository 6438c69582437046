import type { Jwk } from '../../protocol/jwk.ts';
import type { Log, Random, Sleep } from '../../runtime/ports.ts';
import type { ExchangeLog } from '../../traffic/exchange-log.ts';
import type { Database } from '../store/database.ts';
import type { ControlAccess } from './control-routes.ts';

/** The options that mean the same to both mocks. */
export interface MockOptions {
  /** Where ids, codes and secrets come from. */
  readonly random: Random;
  /**
   * What it waits with by the fault `slowTokenEndpoint`, until whoever asked is gone or it is closed. Left out: it does
   * not wait.
   */
  readonly delay?: Sleep;
  /** Where it tells what happens; never a secret. */
  readonly log: Log;
  /** Default: a fresh one in memory. A database that is given is not closed by the mock. */
  readonly db?: Database;
  /**
   * Hosts that requests may name beside that of `baseUrl` and the place that `serve` listens on: `HOST`, with
   * any port, or `HOST:PORT`. Any other is 421. A request that is passed to `fetch` by anybody else is
   * never refused for its host. Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /** Opens the controls at `/__mock` to callers with the token. Default: closed; the library calls stay. */
  readonly control?: ControlAccess;
  /**
   * How many exchanges are kept for `controls.exchanges`, in this process, from 0 (nothing is recorded)
   * to 1,000,000; or a log that several mocks write to. Default: 1,000.
   */
  readonly exchanges?: number | ExchangeLog;
  /** Private signing keys, for repeatable transcripts. Default: made once and kept in the store. */
  readonly keys?: readonly Jwk[];
}
