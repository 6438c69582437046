/** Joins the declarations that `tsc` left in `.cache/types` to `dist/types`: a file a door, and few that they share. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = join(import.meta.dirname, '../..');
/** @type {{ exports: Record<string, { types?: string }> }} */
const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const names = Object.values(doors).flatMap(
  ({ types = '' }) => types.replace(/^\.\/dist\/types\/|\.d\.ts$/g, '') || [],
);

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(names.map((name) => [name, `./.cache/types/${name}.d.ts`])),
  plugins: [
    dts({ dtsInput: true, tsconfig: false }),
    {
      name: 'no-runtime',
      // Of values: no declaration imports it.
      generateBundle: (_output, files) => void delete files['shared/rolldown-runtime.d.ts'],
    },
  ],
  external: /^[^./]/,
});
await bundle.write({
  dir: join(root, 'dist/types'),
  chunkFileNames: 'shared/[name].d.ts',
  minifyInternalExports: false,
});
