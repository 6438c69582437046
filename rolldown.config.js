import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { defineConfig } from 'rolldown';
import { parse } from 'yaml';
import { BUILT_IN, builtInFile, INLINED } from './scripts/build/built-in.js';
import { planFiles } from './scripts/build/plan-files.js';

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

/** Leads what is imported to the file that holds it, where the build has one that is not `own`. */
const packages = (/** @type {string} */ own) => ({
  name: 'packages',
  resolveId: {
    filter: { id: /^@?[a-z]/ },
    handler: (/** @type {string} */ id) => {
      const name = builtInFile(id);
      if (name === undefined || name === own) return undefined;
      // They lie side by side.
      if (own !== '') return { id: `./${name}.js`, external: /** @type {const} */ ('absolute') };
      const file = join(import.meta.dirname, 'dist/packages', `${name}.js`);
      return { id: file, external: /** @type {const} */ ('relative') };
    },
  },
});

/** Names the packages that a file holds parts of, for `inlined-packages.js`: what is minified does not say. */
function held(/** @type {import('rolldown').RenderedChunk} */ { moduleIds }) {
  const inPackage = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+\/)/;
  const folders = new Set(moduleIds.flatMap((id) => inPackage.exec(id)?.[1] ?? []));
  return [...folders].map((folder) => `// ${folder}\n`).join('');
}

/** @type {import('rolldown').OutputOptions} */
const output = {
  format: 'esm',
  entryFileNames: '[name].js',
  minify: true,
  postBanner: held,
  sourcemap: false,
};
const target = 'node20.19';

/** @type {import('rolldown').InputOptions} */
const program = {
  input,
  external: (id) =>
    !id.startsWith('.') && !isAbsolute(id) && id !== INLINED && builtInFile(id) === undefined,
  plugins: [
    packages(''),
    {
      name: 'requirements',
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
};
const files = await planFiles(program);
// A door is a file of its own, which exports what it says and nothing that other files take of it.
for (const [name, path] of Object.entries(input))
  if (name !== 'cli/main') files.delete(join(import.meta.dirname, path));

export default defineConfig([
  {
    ...program,
    output: {
      ...output,
      minify: {
        compress: true,
        mangle: { keepNames: { class: true, function: true } },
        codegen: { removeWhitespace: true },
      },
      dir: 'dist',
      cleanDir: true,
      chunkFileNames: 'chunks/[name].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: 'files', name: (id) => files.get(id) ?? null }],
      },
    },
  },
  ...Object.entries(BUILT_IN).map(([name, { text }]) => ({
    input: { [name]: `\0${name}` },
    plugins: [
      packages(name),
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
        },
      },
    ],
    platform: 'browser',
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
    output: { ...output, dir: 'dist/live' },
  },
]);
