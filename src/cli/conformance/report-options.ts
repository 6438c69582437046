import { type Command, InvalidArgumentError, Option } from 'commander';
import { LEVELS, type Level } from '../../conformance/engine/model.ts';
import { collect } from '../shell/option-values.ts';

/** What `conformance service`, `agent` and `provider` take alike: what is judged, and how it is told. */
export interface ReportOptions {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly level?: Level;
  readonly seed?: number;
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly report?: readonly string[];
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly verbose?: true;
}

/** Adds the options of {@link ReportOptions}; their work is `judgeAndReport`. */
export function withReportOptions(command: Command): Command {
  return command
    .option(
      '--only <ids>',
      'judge these scenarios or checks alone, * for any letters; repeatable, or with commas',
      collectIds,
    )
    .option('--skip <ids>', 'leave these scenarios or checks out, in the same form', collectIds)
    .addOption(
      new Option('--level <level>', 'judge this level and the stronger ones').choices(LEVELS),
    )
    .option(
      '--seed <number>',
      'make up the same names and values again as the run that printed this number',
      seed,
    )
    .option(
      '--report <format>',
      'terminal, json, junit, tap, markdown or html; FORMAT=FILE writes a file; repeatable',
      collect,
    )
    .option(
      '--baseline <file>',
      'known failures: only others exit 1, and one that passes now exits 3',
    )
    .option('--write-baseline <file>', 'write what fails now into a baseline, and exit 0')
    .option('--verbose', 'show the exchange of each finding in full, and every check');
}

function seed(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

/** `a,b` and `a` again make three. */
export function collectIds(value: string, previous: readonly string[] = []): readonly string[] {
  const ids = value
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0) throw new InvalidArgumentError('Name a scenario or a check.');
  return [...previous, ...ids];
}
