import { instant } from '../../protocol/instant.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { Receiver } from '../../traffic/exchange.ts';
import type { Finding } from '../../traffic/finding.ts';
import { controlProblem } from '../controls/read-control.ts';
import type { LiveSource } from './live-source.ts';
import type { LiveRegistration } from './model.ts';

interface PassiveSourceOptions {
  readonly title: string;
  /** Whose answers are seen; none of them takes controls. */
  readonly parties: readonly {
    readonly role: Receiver;
    readonly name: string;
    readonly issuer: string;
  }[];
  readonly clock: Clock;
  /** What is wrong with an exchange. Default: nothing, nobody judges. */
  readonly findings?: (seq: number) => readonly Finding[];
  /** As far as the wire shows them, newest first. Default: none. */
  readonly registrations?: () => readonly LiveRegistration[];
  /** As {@link LiveSource.follow}. Default: nothing ever changes. */
  readonly follow?: LiveSource['follow'];
}

/** Traffic to look at, of parties that nothing here controls: what stands behind a proxy. */
export function passiveSource({
  clock,
  findings = () => [],
  follow = () => () => {},
  parties,
  registrations = () => [],
  title,
}: PassiveSourceOptions): LiveSource {
  return {
    snapshot: async () => ({
      version: 1,
      title,
      parties: parties.map((party) => ({
        ...party,
        now: instant(clock.now()),
        clock_offset_ms: 0,
        controls: [],
        faults: [],
        dialect: null,
      })),
      registrations: registrations(),
      mails: [],
      changes: [],
    }),
    findings,
    follow,
    act: async () => {
      throw controlProblem(
        'conflict',
        'Here is nothing to control: these are the servers of others.',
      );
    },
  };
}
