// Holds the imports of `src` against dependency-cruiser.config.js, and what it cannot say: rooms in a circle, and
// entries of the table that nobody needs. Prints each violation; exits 1 on any.
import { stderr } from 'node:process';
import { cruise } from 'dependency-cruiser';
import config, { packagePath, table } from '../dependency-cruiser.config.js';

const { forbidden = [], options } = config;
const { output } = await cruise(['src'], { ...options, ruleSet: { forbidden }, validate: true });
if (typeof output === 'string') throw new Error(output);

/** @type {[from: string, to: string][]} */
const imports = output.modules
  .filter(({ source }) => source.startsWith('src/'))
  .flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => /** @type {[string, string]} */ ([source, resolved])),
  );

const found = [
  ...output.summary.violations.map(({ rule, from, to, cycle = [] }) => {
    const way = cycle.length > 0 ? cycle.map(({ name }) => name) : [to];
    return `${rule.name}: ${[from, ...way].join(' → ')}`;
  }),
  ...circledRooms().map((room) => `circle of rooms: ${room}`),
  ...idleEntries(),
];
for (const line of found) stderr.write(`${line}\n`);
if (found.length > 0) process.exitCode = 1;

/**
 * Rooms of one product that import each other in a circle, and those between two circles. A room is a folder of the
 * product, or a file beside them.
 */
function circledRooms() {
  const roomOf = (/** @type {string} */ path) => path.split('/').slice(0, 3).join('/');
  const productOf = (/** @type {string} */ path) => path.split('/')[1];
  let edges = imports
    .filter(([from, to]) => to.startsWith('src/') && productOf(from) === productOf(to))
    .map(([from, to]) => /** @type {const} */ ([roomOf(from), roomOf(to)]))
    .filter(([from, to]) => from !== to);
  // What nobody imports or what imports nobody is in no circle: it goes, until nothing goes any more.
  for (let before = -1; before !== edges.length; ) {
    before = edges.length;
    const importers = new Set(edges.map(([from]) => from));
    const imported = new Set(edges.map(([, to]) => to));
    edges = edges.filter(([from, to]) => imported.has(from) && importers.has(to));
  }
  return [...new Set(edges.map(([from, to]) => `${from} → ${to}`))];
}

/** Entries of the table that no import needs, each as one line. */
function idleEntries() {
  const needs = (/** @type {string} */ from, /** @type {string} */ to) => {
    const [importers, imported] = [new RegExp(from), new RegExp(to)];
    return imports.some((each) => importers.test(each[0]) && imported.test(each[1]));
  };
  return Object.entries(table).flatMap(([room, { rooms, packages }]) => [
    ...rooms
      .split('|')
      .filter((other) => other !== '' && !needs(`^src/${room}/`, `^src/${other}/`))
      .map((other) => `idle: ${room} imports nothing of ${other}`),
    ...Object.entries(packages)
      .filter(([name, where]) => !needs(`^src/${room}/(${where})`, packagePath(name)))
      .map(([name, where]) => `idle: ${room} does not import ${name} in ${where || 'any file'}`),
  ]);
}
