import { InvalidArgumentError } from 'commander';
import { LEVELS, SECTIONS } from '../../conformance/engine/model.ts';
import type { Options } from '../shell/command.ts';
import { collect } from '../shell/option-values.ts';

/** What is judged, and how it is reported: the work of `judgeAndReport`. */
export const REPORT_OPTIONS: Options = {
  '--only <ids>': [
    'judge only these scenarios or checks, * for any letters; repeatable, or with commas',
    collectNames,
  ],
  '--skip <ids>': ['skip these scenarios or checks, in the same form', collectNames],
  '--level <level>': ['judge this level and the stronger ones (default: all)', LEVELS],
  '--section <section>': [
    'judge this section alone: the rows of the specification, other standards, attacks, or cross-app access (default: all)',
    SECTIONS,
  ],
  '--seed <number>': [
    'send the same names and values as the run that printed this number (default: new ones)',
    seed,
  ],
  '--report <format>': [
    'terminal, json, junit, markdown or html; FORMAT=FILE writes a file, FORMAT=- to stdout; repeatable',
    collect,
  ],
  '--baseline <file>': 'known failures: exit 1 only for others, 3 when one of them passes now',
  '--write-baseline <file>': 'write what fails now to a baseline, and exit 0',
  '--since <report>':
    'the JSON report of an earlier run: say what passes and what fails since; the exit code stays',
  '--verbose': 'show every check, and the whole exchange of each finding',
};

/** `a,b` and `a` again make three. */
function collectNames(value: string, previous: readonly string[] = []): readonly string[] {
  const names = splitNames(value);
  if (names.length > 0) return [...previous, ...names];
  throw new InvalidArgumentError('Name a scenario or a check.');
}

export function splitNames(value: string): readonly string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function seed(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}
