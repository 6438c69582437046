import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROWS } from './rows/rows.js';

/** @typedef {ReturnType<typeof readOptions>} Options */

export const PART_NAMES = /** @type {const} */ ([
  'mocks',
  'against',
  'file',
  'postgres',
  'settings',
  'program',
  'library',
  'suite',
  'million',
]);

/** @typedef {(typeof PART_NAMES)[number]} PartName */

const IDS = ROWS.map(({ id }) => id);

export const HELP = `npm run bench -- [options]

What the mocks answer in a second, beside bare handlers that do only what each cannot do without. Build first.

  --parts NAME,...      of ${PART_NAMES.join(', ')}. Default: mocks
  --rows ID,...         of ${IDS.join(', ')}. Default: all
  --runs N              default: 5
  --seconds S           of each run, after two to warm up. Default: 5
  --connections N       at once, where a part does not say how many. Default: 32
  --before DIR          another checkout of this project, built, in the same runs
  --against URL         another service of this protocol, in the same runs. Start it on another core than wrk's
  --label TEXT          what that service is, for the page
  --provider-port PORT  serves the keys of a provider there, which that service has to trust, for the row id-jag
  --resource PATH       what is called with a token. Default: /api/resource
  --json FILE           adds all figures to a file
  --write               all parts but against, into bench/figures.json, and docs/performance.md from it
  --quick               one run of a second: to see that it works, not to be quoted
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
      before: { type: 'string' },
      against: { type: 'string' },
      label: { type: 'string' },
      'provider-port': { type: 'string' },
      resource: { type: 'string', default: '/api/resource' },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  });
  const { before, quick, write } = values;
  const ids = readNames('rows', values.rows, IDS) ?? IDS;
  const port = values['provider-port'];
  return {
    help: values.help,
    parts: readNames('parts', values.parts, PART_NAMES) ?? defaultParts(values),
    rows: ROWS.filter(({ id }) => ids.includes(id)),
    runs: quick ? 1 : readNumber('runs', values.runs),
    seconds: quick ? 1 : readNumber('seconds', values.seconds),
    warmUp: quick ? 1 : 2,
    connections: readNumber('connections', values.connections),
    /** The built project in it. */
    before: before === undefined ? undefined : join(resolve(before), 'dist'),
    against: values.against,
    label: values.label,
    providerPort: port === undefined ? undefined : readNumber('provider-port', port),
    resource: values.resource,
    json: write ? (values.json ?? join(import.meta.dirname, 'figures.json')) : values.json,
    write,
    quick,
  };
}

/**
 * @param {{ against?: string, write: boolean }} values
 * @returns {readonly PartName[]}
 */
function defaultParts({ against, write }) {
  if (write) return PART_NAMES.filter((name) => name !== 'against' || against !== undefined);
  return against === undefined ? ['mocks'] : ['against'];
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
