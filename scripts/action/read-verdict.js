import { readFileSync } from 'node:fs';

// Verdict and scores of a report, in one line for the script of the action.
const [file = ''] = process.argv.slice(2);
const { verdict, summary } = JSON.parse(readFileSync(file, 'utf8'));
const scores = ['protocol', 'standards', 'attacks', 'ema'].map((section) => {
  const { passed, judged } = summary.sections[section];
  return `${passed}/${judged}`;
});
process.stdout.write(`${[verdict.outcome, ...scores].join(' ')}\n`);
