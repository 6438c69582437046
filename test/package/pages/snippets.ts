import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project.ts';
import { leavesOut, NOT_RUN } from './not-run.ts';
import { type Block, pageNames, readPage } from './read-page.ts';

/** A piece of TypeScript that the documentation shows, by where it stands. */
export interface Snippet {
  /** `README-67`: the file and the line. */
  readonly name: string;
  readonly text: string;
}

/** Every TypeScript block of README and docs, and every example. */
export function readSnippets(): readonly Snippet[] {
  const blocks = pageNames()
    .flatMap((page) => readPage(page).blocks.filter((block) => !isLeftOut(page, block)))
    .filter(({ kind }) => kind === 'ts')
    .map(({ place, text }) => ({
      name: place
        .replace(/^docs\//, '')
        .replace(/\.md:/, '-')
        .replaceAll('/', '-'),
      text,
    }));
  const examples = readdirSync(join(ROOT, 'docs/examples'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({
      name: `example-${name.slice(0, -3)}`,
      text: readFileSync(join(ROOT, 'docs/examples', name), 'utf8'),
    }));
  return [...blocks, ...examples];
}

function isLeftOut(page: string, block: Block): boolean {
  return NOT_RUN.some((entry) => entry.page === page && leavesOut(entry, block));
}

/** Whether it stands alone: it imports no file beside it. */
export function compilesAlone({ text }: Snippet): boolean {
  return !/from '\.\.?\//.test(text);
}

/** Whether Node runs it as it is: `pages.test.ts` has vitest run its tests. */
export function runsAlone(snippet: Snippet): boolean {
  return compilesAlone(snippet) && !/from '(vitest|agent-auth\/vitest)'/.test(snippet.text);
}
