import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { defineConfig } from 'rolldown';
import { parse } from 'yaml';
import { BUILT_IN, builtInFile, INLINED } from './scripts/build/built-in.js';

/** @type {{ exports: Record<string, string | { default: string }> }} */
const { exports: doors } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

// One list: what package.json exports is what is built, `./dist/NAME.js` from `./src/NAME.ts`.
const input = { 'cli/main': './src/cli/main.ts' };
for (const door of Object.values(doors)) {
  if (typeof door === 'string') continue;
  const name = door.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '');
  Object.assign(input, { [name]: `./src/${name}.ts` });
}

/**
 * What a start loads, in few files: each costs it about half a millisecond. What is not named here lies beside
 * the module that imports it, or in a file of its own.
 */
const TOGETHER = {
  // Every line of the program, `--version` too.
  start: sources(
    'cli/main|package',
    'cli/shell/(environment|exit-codes|has-secret|output-options|schemas|system-terminal|version)',
    'cli/terminal/(streams|style)',
  ),
  // Every line with a command, and `--help`.
  line: sources(
    'cli/(run-line|program)',
    'cli/[a-z]+/commands',
    'cli/mcp/host-names',
    'cli/agent/registration-options',
    'cli/conformance/report-options',
    'cli/(help/completion/shells|lint/finding)',
    'cli/mock/(control-commands|directory-command|or-null|server-options)',
    'cli/shell/(cli-error|command|context|docs-page|global-options|help-text|installed-page|mock-ports|nearby-host|next|next-line|option-values|output|place-options|redact-url|typed-line)',
    'cli/terminal/(browser|harmless-text|interrupted|spinner|table|wrap)',
  ),
  // What the options of commands take.
  settings: sources(
    'conformance/(engine/model|provider/cross-app/given|service/(cross-app/cross-app|write-request|steps/naming-members)|user/email)',
    'traffic/exchange',
    'mock/(clients/client|config/wrong-option|keys/algorithm|store/pg-url)',
    'mock-service/config/(code-format|link-existing|vendor-label)',
  ),
  words: sources(
    'protocol/(?!index|directory-listing|host-reach|wire-schemas)[a-z-]+',
    'agent/next-step',
  ),
  // With ipaddr.js in it, which no start needs that judges no URL.
  'host-reach': /\/protocol\/host-reach\.ts$|\/node_modules\/ipaddr\.js\//,
  // What every server notes of a connection, without the cookies and forms that the mocks read.
  connection: sources('mock/http/connection'),
  runtime: sources(
    'runtime/(?!index|exchanged-response|fake|guarded-lookup|random-token|system-(?:decode|exchange|fetch|fingerprint|forward|loopback|roots|undici))[a-z-]+',
  ),
  // `status`, `token` and `call` with what is stored: what is more of the agent comes when it is needed.
  acts: sources(
    'agent/(agent-codes|agent-error|given-client|tools)',
    'agent/call/(?!look-again|call-wider)[a-z-]+',
    'agent/credentials/(change-credentials|environment-token|memory-store|process-lock)',
    'agent/dialects/(id-jag-user|own-members)',
    'agent/http/(answer|network-hints|peer|server-time|url-policy)',
    'agent/problems/problem',
    'agent/records/(in-use|not-understood|registration-state|select-service|status)',
    'agent/token/(?!further-tokens)[a-z-]+',
    // With its root: the suite has a folder of that name, too.
    'src/discovery/(credentials|document|found|names|read|refusals|synonyms)',
  ),
  store: sources('agent/credentials/(credential-file|file-codec|file-lock|location|private-file)'),
  'credential-schema': sources('protocol/schemas/credential-file'),
  // With zod, which they are written in.
  'wire-schemas': /\/protocol\/(?:schemas\/|wire-schemas)|\/node_modules\/zod\//,
  stored: sources(
    'cli/agent/(call|copy-body|registration-lines|status|token)',
    'cli/prompts/(choose-one|known-registrations|open-tools|service)',
    'cli/shell/(network|read-argument|read-named-file|runtime-files|system-reason|world|write-text)',
    'cli/terminal/(ask|child|time)',
  ),
};

/** The modules whose path ends like one of these, without its extension. */
function sources(/** @type {readonly string[]} */ ...paths) {
  return new RegExp(`/(?:${paths.join('|')})\\.(?:ts|json)$`);
}

/**
 * What commander takes of Node, without node:module. It starts other programs for commands in files of their
 * own, which we have none of: what that takes is not loaded.
 */
function takeFromNode(/** @type {string} */ code) {
  const taken = code.replace(/\brequire\(('node:[a-z_]+')\)/g, 'process.getBuiltinModule($1)');
  const load = "process.getBuiltinModule('node:child_process')";
  if (taken.split(load).length !== 2) throw new Error(`commander has not one ${load} any more.`);
  return taken
    .replace(load, `{ get spawn() { return ${load}.spawn; } }`)
    .replace("const process = process.getBuiltinModule('node:process');", '');
}

/** The style sheet of the live view: its files, in the order of their names. */
function liveStyle() {
  const folder = join(import.meta.dirname, 'src/live/style');
  const names = readdirSync(folder).sort();
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

/** Those of `fixtures/requirements`, in the order of `readRequirements`. */
function requirements() {
  const folder = join(import.meta.dirname, 'fixtures/requirements');
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.sort().flatMap((name) => parse(readFileSync(join(folder, name), 'utf8')));
}

/** Its path in `dist`, where the build holds it. */
function packageFile(/** @type {string} */ id, /** @type {string} */ importer) {
  const name = builtInFile(id, importer);
  return name === undefined ? undefined : join(import.meta.dirname, 'dist/packages', `${name}.js`);
}

/** @type {import('rolldown').OutputOptions} */
const output = {
  format: 'esm',
  entryFileNames: '[name].js',
  minify: false,
  sourcemap: false,
};
const target = 'node20.19';

export default defineConfig([
  {
    input,
    external: (id, importer = '') =>
      !id.startsWith('.') &&
      !isAbsolute(id) &&
      !INLINED.some((name) => id === name || id.startsWith(`${name}/`)) &&
      packageFile(id, importer) === undefined,
    plugins: [
      {
        name: 'packages',
        resolveId: {
          filter: { id: /^@?[a-z]/ },
          handler: (id, importer = '') => {
            const file = packageFile(id, importer);
            return file === undefined ? undefined : { id: file, external: 'relative' };
          },
        },
        generateBundle() {
          // Beside the chunk that reads them; the tests hold the form of what they are made of.
          const fileName = 'chunks/requirements.json';
          this.emitFile({ type: 'asset', fileName, source: JSON.stringify(requirements()) });
        },
      },
    ],
    // What the splitting below needs; without it the build says so in six lines.
    preserveEntrySignatures: 'allow-extension',
    // The agent runs elsewhere, too: nothing of Node comes in that it does not import.
    platform: 'neutral',
    // ipaddr.js names its one file so.
    resolve: { mainFields: ['main'] },
    transform: { target },
    output: {
      ...output,
      dir: 'dist',
      cleanDir: true,
      chunkFileNames: 'chunks/[name].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: Object.entries(TOGETHER).map(([name, test]) => ({ name, test })),
      },
    },
  },
  ...Object.entries(BUILT_IN).map(([name, { text }]) => ({
    input: { [name]: `\0${name}` },
    plugins: [
      {
        name: 'built-in',
        transform: {
          filter: { id: /\/commander\/lib\/command\.js$/ },
          handler: (/** @type {string} */ code) => takeFromNode(code),
        },
      },
      {
        name: 'parts',
        resolveId: (/** @type {string} */ id) => (id === `\0${name}` ? id : undefined),
        load: (/** @type {string} */ id) => (id === `\0${name}` ? text : undefined),
      },
    ],
    platform: /** @type {const} */ ('node'),
    transform: { target },
    output: { ...output, dir: 'dist/packages' },
  })),
  {
    input: { app: './src/live/main.tsx' },
    plugins: [
      {
        name: 'live-style',
        generateBundle() {
          this.emitFile({ type: 'asset', fileName: 'app.css', source: liveStyle() });
          const preact = join(import.meta.dirname, 'node_modules/preact/LICENSE');
          const source = `preact\n\n${readFileSync(preact, 'utf8').trim()}\n`;
          this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source });
        },
      },
    ],
    platform: 'browser',
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
    output: { ...output, dir: 'dist/live', minify: true },
  },
]);
