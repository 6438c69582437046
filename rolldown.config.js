import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
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

export default defineConfig({
  input,
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  platform: 'node',
  transform: { target: 'node20.19' },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    minify: false,
    sourcemap: false,
  },
});
