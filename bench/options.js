import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROWS } from './rows/rows.js';

const IDS = ROWS.map(({ id }) => id);

export const HELP = `npm run bench -- [options]

  --rows ID,...       of ${IDS.join(', ')}
  --runs N            default: 5
  --seconds S         of each run, after two to warm up. Default: 5
  --connections N     default: 32
  --before DIR        another checkout of this project, built, beside this one
  --json FILE         writes all figures
  --quick             one run of a second: to see that it works, not to be quoted
`;

/** @param {readonly string[]} args */
export function readOptions(args) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      rows: { type: 'string', default: IDS.join(',') },
      runs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '32' },
      before: { type: 'string' },
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const { before, quick } = values;
  return {
    help: values.help,
    rows: readRows(values.rows),
    runs: quick ? 1 : readNumber('runs', values.runs),
    seconds: quick ? 1 : readNumber('seconds', values.seconds),
    warmUp: quick ? 1 : 2,
    connections: readNumber('connections', values.connections),
    before: before === undefined ? undefined : resolve(before),
    json: values.json,
  };
}

/** @param {string} text */
function readRows(text) {
  const named = text.split(',');
  const wrong = named.find((id) => !IDS.includes(id));
  if (wrong !== undefined) throw new TypeError(`--rows ${wrong}: use ${IDS.join(', ')}.`);
  return named;
}

/** @param {string} name @param {string} text */
function readNumber(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new TypeError(`--${name} ${text}: use a whole number above 0.`);
}
