/** What selects checks, seeds names, or says how a run is reported: with a value each, or alone. */
const WITH_VALUE = new Set([
  '--only',
  '--skip',
  '--level',
  '--section',
  '--seed',
  '--report',
  '--baseline',
  '--write-baseline',
  '--since',
]);
const ALONE = new Set(['--verbose', '--json', '--quiet', '--rerun']);

/** The words that a run was started with, but for those: to judge one of its checks again by itself. */
export function typedAgain(argv: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    // The command of the agent, and its own options.
    if (word === '--') return [...kept, ...argv.slice(at)];
    const [flag = ''] = word.split('=');
    if (WITH_VALUE.has(flag)) at += word.includes('=') ? 0 : 1;
    else if (!ALONE.has(word)) kept.push(word);
  }
  return kept;
}
