// Measures the built project on this machine: `npm run bench -- --help`.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { measureRow } from './measure-row.js';
import { measureStart } from './measure-start.js';
import { ROWS } from './rows.js';

const HELP = `npm run bench -- [options]

What an answer of the mocks costs, beside bare handlers; how long the program takes to start. Build first.

  --rows ID,...  of ${ROWS.map(({ id }) => id).join(', ')}, start. Default: all
  --quick        one short round: to see that it works, not to be quoted
`;

const { help, quick, rows } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
  },
}).values;

if (help) process.stdout.write(HELP);
else await measure(rows?.split(',') ?? [...ROWS.map(({ id }) => id), 'start']);

/** @param {readonly string[]} ids */
async function measure(ids) {
  tell(`node ${process.version}, ${availableParallelism()} cores`);
  for (const id of ids) {
    const row = ROWS.find((each) => each.id === id);
    if (row !== undefined) tell(await measureRow(row, quick));
    else if (id === 'start') tell(await measureStart(quick));
    else throw new TypeError(`There is no row ${id}: see --help.`);
  }
}

/** @param {string} line */
function tell(line) {
  process.stdout.write(`${line}\n`);
}
