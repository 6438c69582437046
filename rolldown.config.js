import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { defineConfig } from 'rolldown';

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
    'cli/main',
    'cli/shell/(environment|exit-codes|flush-output|has-secret|output-options|schemas|system-terminal|version)',
    'cli/terminal/(streams|style)',
  ),
  // Every line with a command, and `--help`.
  line: sources(
    'cli/(run-line|program)',
    'cli/[a-z]+/commands',
    'cli/agent/(registration-options|token-commands)',
    'cli/conformance/(collect-requests|diff-command|select-options)',
    'cli/(handover/browser-option|help/completion/shells)',
    'cli/mock/(control-commands|directory-commands|or-null|server-options)',
    'cli/shell/(cli-error|context|debug|global-options|help-text|next|next-line|option-values|output|redact-url|typed-again|typed-line)',
    'cli/terminal/(browser|interrupted|network-spinner|spinner)',
  ),
  // What the options of commands take.
  settings: sources(
    'conformance/(engine/model|service/(write-request|steps/naming-members)|user/email)',
    'mock/(exchanges/exchange|store/pg-url)',
    'mock-service/config/(code-format|link-existing|vendor-label)',
  ),
  words: sources(
    'protocol/(?!index)[a-z-]+',
    'runtime/(ports|fetch-unfollowed)',
    'agent/next-step',
  ),
};

/** The modules of `src` whose path without its ending is like one of these. */
function sources(/** @type {readonly string[]} */ ...paths) {
  return new RegExp(`/src/(${paths.join('|')})\\.ts$`);
}

/** A package whose many files a start would wait for is one file of `dist/packages`, with what is used of it. */
const PACKAGES = {
  commander: `export { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';`,
  // Its own entry loads all that it has.
  undici: `
    import { connect } from 'undici/lib/api/index.js';
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
    export { default as Agent } from 'undici/lib/dispatcher/agent.js';
    export { default as Pool } from 'undici/lib/dispatcher/pool.js';
    export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
    export { fetch } from 'undici/lib/web/fetch/index.js';
    Object.assign(Dispatcher.prototype, { connect });
  `,
};

/** Of everything in `dist` that others wrote. */
function licenses() {
  const texts = [...Object.keys(PACKAGES), 'zod'].map((name) => {
    const file = join(import.meta.dirname, 'node_modules', name, 'LICENSE');
    return `${name}\n\n${readFileSync(file, 'utf8').trim()}\n`;
  });
  return texts.join('\n---\n\n');
}

/** Its path in `dist`; the suite has an HTTP client of its own, and undici where it is installed. */
function packageFile(/** @type {string} */ id, /** @type {string} */ importer) {
  const isBuiltIn = id === 'commander' || (id === 'undici' && importer.includes('/src/runtime/'));
  return isBuiltIn ? join(import.meta.dirname, 'dist/packages', `${id}.js`) : undefined;
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
      !/^zod(\/|$)/.test(id) &&
      packageFile(id, importer) === undefined,
    plugins: [
      {
        name: 'packages',
        resolveId: {
          filter: { id: /^(commander|undici)$/ },
          handler: (id, importer = '') => {
            const file = packageFile(id, importer);
            return file === undefined ? undefined : { id: file, external: 'relative' };
          },
        },
        generateBundle() {
          this.emitFile({ type: 'asset', fileName: 'packages/LICENSES.txt', source: licenses() });
        },
      },
    ],
    // The agent runs elsewhere, too: nothing of Node comes in that it does not import.
    platform: 'neutral',
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
  ...Object.entries(PACKAGES).map(([name, text]) => ({
    input: { [name]: `\0${name}` },
    plugins: [
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
]);
