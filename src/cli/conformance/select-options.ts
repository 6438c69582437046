import { type Command, InvalidArgumentError, Option } from 'commander';
import { LEVELS, SECTIONS } from '../../conformance/engine/model.ts';
import { EMAIL } from '../../conformance/user/email.ts';
import { DEFAULT_PATIENCE, duration, durationOrZero } from '../shell/option-values.ts';

/** How long an answer may take. Milliseconds. */
const ANSWER_TIMEOUT = 10_000;

/** Who registers, signs in, claims and consents. */
export function withAccounts(command: Command): Command {
  return command
    .option(
      '--email <emails>',
      'emails of users; {n} becomes a random number; repeatable, or with commas',
      collectEmails,
    )
    .option('--accounts <file>', 'the users instead: a list of email, password and notes, as YAML')
    .option(
      '--mail-command <command>',
      'prints the newest mail to a user, for sign-ins by mail; JSON on its stdin',
    );
}

/** What is judged, and with which names and values. */
export function withSelectOptions(command: Command): Command {
  return command
    .option(
      '--only <ids>',
      'judge only these scenarios or checks, * for any letters; repeatable, or with commas',
      collectNames(NAME_A_CHECK),
    )
    .option(
      '--skip <ids>',
      'skip these scenarios or checks, in the same form',
      collectNames(NAME_A_CHECK),
    )
    .addOption(
      new Option(
        '--level <level>',
        'judge this level and the stronger ones (default: all)',
      ).choices(LEVELS),
    )
    .addOption(
      new Option(
        '--section <section>',
        'judge this section alone: the rows of the specification, other standards, or attacks (default: all)',
      ).choices(SECTIONS),
    )
    .option(
      '--seed <number>',
      'send the same names and values as the run that printed this number (default: new ones)',
      seed,
    );
}

/** How long a service or a provider is waited for. */
export function withTimes(command: Command): Command {
  return command
    .addOption(
      new Option('--timeout <duration>', 'how long an answer may take')
        .argParser(duration)
        .default(ANSWER_TIMEOUT, '10s'),
    )
    .addOption(
      new Option('--patience <duration>', 'longest wait for something to expire; 0s: never wait')
        .argParser(durationOrZero)
        .default(DEFAULT_PATIENCE, '30s'),
    );
}

function seed(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

const NAME_A_CHECK = 'Name a scenario or a check.';

const NAME_AN_EMAIL = 'Name an email.';

/** For `--email`. */
function collectEmails(value: string, previous?: readonly string[]): readonly string[] {
  const emails = collectNames(NAME_AN_EMAIL)(value);
  if (!emails.every((email) => EMAIL.test(email))) throw new InvalidArgumentError(NAME_AN_EMAIL);
  return [...(previous ?? []), ...emails];
}

/** `a,b` and `a` again make three. */
function collectNames(problem: string) {
  return (value: string, previous: readonly string[] = []): readonly string[] => {
    const names = value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) throw new InvalidArgumentError(problem);
    return [...previous, ...names];
  };
}
