/**
 * Writes `dist/docs`, which the package ships: the pages of the commands, the JSON Schemas and the transcripts. Each is
 * made of what the program itself uses, so none of them is in git.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** @param {readonly { name: string, value: unknown }[]} all */
const asJson = (/** @type {string} */ folder, all) =>
  all.map(({ name, value }) => ({
    file: `dist/docs/${folder}/${name}.json`,
    text: `${JSON.stringify(value, null, 2)}\n`,
  }));

// The image of a container is built without pages and tests, and nobody reads there.
if (existsSync(join(root, 'docs')) && existsSync(join(root, 'test'))) {
  const { commandPages } = await import('../docs/commands/command-pages.js');
  const { transcripts } = await import('../docs/transcripts.js');
  const { publishedSchemas } = await import('../schemas/published-schemas.js');
  const schemas = await publishedSchemas(root);
  const files = [
    ...(await commandPages(root)).map(({ file, markdown: text }) => ({ file, text })),
    ...asJson(
      'schemas',
      schemas.map(({ name, schema: value }) => ({ name, value })),
    ),
    ...asJson('transcripts', await transcripts(root)),
  ];
  rmSync(join(root, 'dist/docs'), { recursive: true, force: true });
  for (const { file, text } of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}
