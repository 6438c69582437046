import type { MockProviderOptions } from '../../src/mock-provider/index.ts';
import type { MockServiceOptions } from '../../src/mock-service/index.ts';
import type { Probed } from './probed.ts';

/*
 * The table of the three doors: what each option of `mock service`, `mock provider` and `mock up` does,
 * however it is given. `mock-options.test.ts` walks every row of `rows/` through its doors, and fails for
 * an option of the command line, a key of the configuration file, or a member of `MockServiceOptions` or
 * `MockProviderOptions` that no row is about.
 *
 * To add a row: an object in the file of its family below `rows/` (a new file is found by itself).
 *  - `flag`: its words on the command line; the first one is the option that the row is about.
 *  - `config`: the lines of the file; the first key is the one that the row is about.
 *  - `library`: the options of `createMockService` or `createMockProvider`; the first member likewise.
 *  - What a row needs beside its own option comes after it, in each door.
 *  - `none('why')` in place of a door that makes no sense.
 *  - `probe`: looks at the running mock as a client would, and returns what it saw as plain data.
 *  - `seen`: what the probe sees through each of the doors. A mock without the option must show
 *    something else, which the test checks.
 *  - `bad`: values that no type refuses (a wrong type, and a name that is not in a list, are refused alike for
 *    every key: test/cli/mock/servers/config.test.ts), and what each door answers: on the command line the option and
 *    the value; in the file `LINE:COLUMN` too; in the library the message of a TypeError. In all of them nothing has
 *    been started: no port bound, no database opened. The usual words are left out of a row.
 */

/** Why an option has no such door. */
export class NoDoor {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

export function none(why: string): NoDoor {
  return new NoDoor(why);
}

export type MockCommand = 'service' | 'provider' | 'up';

interface SharedRow {
  /** Where it differs from the obvious: a mock's own command and `mock up`. */
  readonly commands?: readonly MockCommand[];
  readonly flag: readonly string[] | NoDoor;
  /** What the mock has besides that must show something else, or not start at all. Default: nothing. */
  readonly without?: {
    readonly flag?: readonly string[];
    readonly library?: Partial<MockServiceOptions & MockProviderOptions>;
  };
  readonly config: string | NoDoor;
  probe(mock: Probed): Promise<unknown>;
  readonly seen: unknown;
  readonly bad?: readonly BadValue[];
}

export interface ServiceRow extends SharedRow {
  /** Whom the probe looks at. */
  readonly of: 'service';
  readonly library: Partial<MockServiceOptions> | NoDoor;
}

export interface ProviderRow extends SharedRow {
  readonly of: 'provider';
  readonly library: Partial<MockProviderOptions> | NoDoor;
}

export type Row = ServiceRow | ProviderRow;

/** A refused value through the doors that can be given it. */
export interface BadValue {
  /** As it stands in each line. */
  readonly value: string;
  /** `usual`: the option with this value gets `Invalid --option 'VALUE'.` Otherwise its words and the line. */
  readonly flag?: 'usual' | readonly [words: readonly string[], line: string];
  /** What is expected of the key, or of each in its list. Otherwise the text, and `LINE:COLUMN  message`. */
  readonly config?: string | readonly [text: string, line: string];
  /** What the member could be, after `member cannot be VALUE.` Otherwise the options and the message. */
  readonly library?:
    | string
    | readonly [
        options: Partial<MockServiceOptions> | Partial<MockProviderOptions>,
        message: string,
      ];
}
