import { parseArgs } from 'node:util';
import { ROWS } from './rows/rows.js';

/** @typedef {ReturnType<typeof readOptions>} Options */

export const PART_NAMES = /** @type {const} */ (['mocks', 'program']);

/** @typedef {(typeof PART_NAMES)[number]} PartName */

const IDS = ROWS.map(({ id }) => id);

export const HELP = `npm run bench -- [options]

What the mocks answer in a second, beside bare handlers that do only what each cannot do without. Build first.

  --parts NAME,... of ${PART_NAMES.join(', ')}. Default: mocks
  --rows ID,...    of ${IDS.join(', ')}. Default: all
  --runs N         default: 5
  --seconds S      of each run, after two to warm up. Default: 5
  --connections N  at once. Default: 32
  --quick          one run of a second: to see that it works, not to be quoted

It needs wrk (Debian: apt-get install wrk), and taskset to give server and client a core each.
`;

/** @param {readonly string[]} args */
export function readOptions(args) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      parts: { type: 'string' },
      rows: { type: 'string' },
      runs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '32' },
      quick: { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  const ids = readNames('rows', values.rows, IDS) ?? IDS;
  return {
    help: values.help,
    parts: readNames('parts', values.parts, PART_NAMES) ?? ['mocks'],
    rows: ROWS.filter(({ id }) => ids.includes(id)),
    runs: quick ? 1 : readNumber('runs', values.runs),
    seconds: quick ? 1 : readNumber('seconds', values.seconds),
    warmUp: quick ? 1 : 2,
    connections: readNumber('connections', values.connections),
    quick,
  };
}

/**
 * @template {string} T
 * @param {string} option
 * @param {string | undefined} text
 * @param {readonly T[]} known
 * @returns {readonly T[] | undefined}
 */
function readNames(option, text, known) {
  return text?.split(',').map((name) => {
    const found = known.find((each) => each === name);
    if (found === undefined) throw new TypeError(`--${option} ${name}: use ${known.join(', ')}.`);
    return found;
  });
}

/** @param {string} name @param {string} text */
function readNumber(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new TypeError(`--${name} ${text}: use a whole number above 0.`);
}
