// Writes docs/reference from the built declarations; `npm run reference` calls it. With --check, writes nothing and
// fails when a page differs. Fails, too, where a public name has no documentation, and where a link leads nowhere.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, LogLevel } from 'typedoc';
import { DOORS } from './doors.js';
import { isInner } from './inner-types.js';
import { indexPage, mendPage, pageName } from './pages.js';
import { shorten } from './shorten.js';

const here = import.meta.dirname;
const root = join(here, '../..');
const target = join(root, 'docs/reference');
const isCheck = process.argv.includes('--check');

/** @type {{ exports: Record<string, string | { types: string }> }} */
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const doors = Object.entries(exports).flatMap(([name, entry]) =>
  typeof entry === 'string'
    ? []
    : [{ door: name.replace(/^\./, 'agent-auth'), file: entry.types.replace(/^\.\//, '') }],
);
const unknown = doors.filter(({ door }) => DOORS[door] === undefined);
if (unknown.length > 0) {
  throw new Error(`docs/site/doors.js says nothing of ${unknown.map(({ door }) => door).join(', ')}`);
}

const out = mkdtempSync(join(tmpdir(), 'reference-'));
const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: doors.map(({ file }) => join(root, file)),
  tsconfig: join(here, 'tsconfig.json'),
  basePath: root,
  name: 'agent-auth',
  out,
  readme: 'none',
  router: 'module',
  flattenOutputFiles: true,
  entryFileName: 'README',
  logLevel: 'Warn',
  // Nothing of the machine, of the day or of another package.
  disableSources: true,
  disableGit: true,
  githubPages: false,
  excludeExternals: true,
  excludePrivate: true,
  excludeProtected: true,
  hideGenerator: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  sort: ['kind', 'alphabetical'],
  useCodeBlocks: false,
  pageTitleTemplates: { module: ({ name }) => (name === 'agent-auth' ? name : `agent-auth/${name}`) },
  parametersFormat: 'table',
  propertyMembersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: {
    hideDefaults: true,
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideSources: true,
  },
  validation: { notExported: true, invalidLink: true, invalidPath: true, notDocumented: true },
  // A property whose name and type say everything needs no sentence.
  requiredToBeDocumented: ['Variable', 'Function', 'Class', 'Interface', 'TypeAlias', 'Method', 'Accessor'],
});

/** @type {string[]} */
const problems = [];
const log = app.logger.log.bind(app.logger);
app.logger.log = (message, level) => {
  if (level < LogLevel.Warn || isInner(message)) return;
  problems.push(message);
  log(message, level);
};

shorten(app, doors);
const project = await app.convert();
if (project === undefined) throw new Error('The declarations could not be read.');
app.validate(project);
await app.generateOutputs(project);

const pages = new Map(
  readdirSync(out)
    .filter((name) => name !== 'README.md')
    .map((name) => [pageName(name), mendPage(name, readFileSync(join(out, name), 'utf8'))]),
);
rmSync(out, { recursive: true });
pages.set('README.md', indexPage(doors.map(({ door }) => door)));

mkdirSync(target, { recursive: true });
const gone = readdirSync(target).filter((name) => !pages.has(name));
for (const name of gone) {
  if (isCheck) problems.push(`docs/reference/${name} is of no door: npm run reference`);
  else rmSync(join(target, name));
}
for (const [name, text] of pages) {
  const path = join(target, name);
  if (!isCheck) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    problems.push(`docs/reference/${name} is out of date: npm run reference`);
  }
}
const bytes = [...pages.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
process.stdout.write(`docs/reference: ${pages.size} pages, ${Math.round(bytes / 1000)} kB\n`);
if (problems.length > 0) {
  process.stderr.write(`${problems.filter((text) => text.includes('npm run reference')).join('\n')}\n`);
  process.stderr.write(`docs/reference: ${problems.length} to mend\n`);
  process.exitCode = 1;
}
