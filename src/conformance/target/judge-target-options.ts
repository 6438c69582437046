import type { ProxyFor, Random, Sleep } from '../../runtime/index.ts';
import type { RunOptions } from '../engine/runner.ts';
import type { AccountsGiven } from '../user/users-of.ts';
import type { ControlUrl } from './http-control.ts';

/** What a service or a provider that runs is judged with. Durations are milliseconds. */
export interface JudgeTargetOptions<World>
  extends Pick<
    RunOptions<World>,
    'catalog' | 'clock' | 'onProgress' | 'onResult' | 'repeat' | 'selection' | 'signal'
  > {
  /** What waits are waited with. */
  readonly sleep: Sleep;
  /** Where names and values come from that no seed decides. */
  readonly random: Random;
  /** The seed of the names and values that the suite invents. Default: one that nobody has chosen. */
  readonly seed?: number;
  /** Milliseconds without an answer. */
  readonly timeout: number;
  /** Certificates of authorities to trust, too, as PEM. */
  readonly ca?: string | undefined;
  /** Origins that may be asked, however near they are. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Through which proxy a URL is reached. Default: none. */
  readonly proxyFor?: ProxyFor | undefined;
  /** Where the target's clock can be moved, its trust list extended, its keys rotated. */
  readonly control?: ControlUrl | undefined;
  /** Milliseconds that may be waited where no clock can be moved. */
  readonly patience?: number;
  /** What waits, waits together. Default: where no clock can be moved, and each scenario has users of its own. */
  readonly together?: boolean;
  /** Milliseconds within which a connection that trickles has to end. Default: two minutes. */
  readonly connectionLimit?: number;
  /** `{n}` becomes a random number. */
  readonly emailPattern?: string;
  /** The users, in place of a pattern. */
  readonly accounts?: AccountsGiven;
  /** The text of the newest mail to a user, where a sign-in goes on in a mail; empty where there is none. */
  readonly readMail?: (email: string) => Promise<string>;
  readonly scenarios?: RunOptions<World>['scenarios'];
}
