import { type Command, InvalidArgumentError, Option } from 'commander';
import { LEVELS, SECTIONS } from '../../conformance/engine/model.ts';
import { DEFAULT_PATIENCE, duration } from '../shell/option-values.ts';

/** How long an answer may take. Milliseconds. */
const ANSWER_TIMEOUT = 10_000;

export const EMAIL_HELP = 'email addresses of users; {n} becomes a random number';

/** What is judged, and with which names and values. */
export function withSelectOptions(command: Command): Command {
  return command
    .option(
      '--only <ids>',
      'judge only these scenarios or checks, * for any letters; repeatable, or with commas',
      collectIds,
    )
    .option('--skip <ids>', 'skip these scenarios or checks, in the same form', collectIds)
    .addOption(
      new Option('--level <level>', 'judge this level and the stronger ones').choices(LEVELS),
    )
    .addOption(
      new Option(
        '--section <section>',
        'judge this section alone: the rows of the specification, other standards, or attacks',
      ).choices(SECTIONS),
    )
    .option(
      '--seed <number>',
      'send the same names and values as the run that printed this number',
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
      new Option('--patience <duration>', 'longest wait for something to expire')
        .argParser(duration)
        .default(DEFAULT_PATIENCE, '30s'),
    );
}

function seed(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

/** `a,b` and `a` again make three. */
function collectIds(value: string, previous: readonly string[] = []): readonly string[] {
  const ids = value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0) throw new InvalidArgumentError('Name a scenario or a check.');
  return [...previous, ...ids];
}
