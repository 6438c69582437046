import { REPORT_OPTIONS } from './options.ts';

/** Beside what selects checks, seeds names, or says how a run is reported. */
const ALONE = ['--json', '--quiet', '--rerun'];
const LEFT_OUT = new Map(
  [...Object.keys(REPORT_OPTIONS), ...ALONE].map((flags) => {
    const [flag = '', value] = flags.split(' ');
    return [flag, value !== undefined];
  }),
);

/** The words that a run was started with, but for those: to judge one of its checks again by itself. */
export function typedAgain(argv: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    // The command of the agent, and its own options.
    if (word === '--') return [...kept, ...argv.slice(at)];
    const [flag = ''] = word.split('=');
    const takesValue = LEFT_OUT.get(flag);
    if (takesValue === undefined) kept.push(word);
    else if (takesValue && !word.includes('=')) at += 1;
  }
  return kept;
}
