import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkAlone, checkScript } from './check-alone.ts';
import { hasJson, missingLine } from './compare-output.ts';
import { leavesOut, type NotRun } from './not-run.ts';
import type { Block, Page } from './read-page.ts';
import { type Printed, Reader } from './reader.ts';
import { splitCommands } from './split-commands.ts';
import type { PagePorts } from './stand-in.ts';
import type { Workspace } from './workspace.ts';

/** What happened to the blocks of a page. */
export interface Ran {
  /** How many blocks were run, compared, or read by what they are for. */
  readonly held: number;
  /** The entries of the list that named something. */
  readonly notRun: ReadonlySet<NotRun>;
}

/** Blocks of commands. */
const TYPED: ReadonlySet<string> = new Set(['sh', 'console']);
/** Blocks that show what was printed, or stand alone. */
const SHOWN: ReadonlySet<string> = new Set(['text', 'json', 'http']);
/** Programs, which a command has to run where they name a file. `snippets.test.ts` runs TypeScript without one. */
const CODE: ReadonlySet<string> = new Set(['ts', 'js', 'python', 'go']);
const FILES: ReadonlySet<string> = new Set(['yaml', 'toml', 'json', 'text', 'dockerfile']);

/**
 * Follows a page from its top, as a reader would.
 * @throws Error with the place of the first block that is not true, or whose kind nobody knows.
 */
export async function runPage(
  page: Page,
  { workspace, ports, list }: { workspace: Workspace; ports: PagePorts; list: readonly NotRun[] },
): Promise<Ran> {
  const reader = new Reader(page.name, workspace, ports);
  const entries = list.filter(({ page: place }) => page.name === place);
  const notRun = new Set<NotRun>();
  let printed: Printed | undefined;
  let held = 0;
  try {
    for (const [index, block] of page.blocks.entries()) {
      try {
        const stop = /Press Ctrl-C(?: in the terminal of the (\w+))?/.exec(block.before);
        if (stop !== null) await reader.interrupt(stop[1]);
        // What a section shows was printed by its own commands.
        if (/^#+ /m.test(block.before)) printed = undefined;
        const entry = entries.find((each) => leavesOut(each, block));
        if (entry !== undefined) {
          notRun.add(entry);
          printed = undefined;
          continue;
        }
        const after = page.blocks.slice(index + 1);
        printed = (await hold(block, after)) ?? printed;
        held += 1;
      } catch (error) {
        throw new Error(
          `${block.place}: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  } finally {
    await reader.leave();
  }
  return { held, notRun };

  async function hold(block: Block, after: readonly Block[]): Promise<Printed | undefined> {
    const { kind, text, file } = block;
    if (file !== undefined && (CODE.has(kind) || FILES.has(kind) || text.startsWith('#!'))) {
      write(reader.folder, file, ports.inFile(text));
      if (!after.some((each) => uses(typedIn(each), file))) {
        await checkAlone(block);
      }
      return undefined;
    }
    if (kind === 'ts' && /from 'vitest'/.test(text)) {
      const name = `page-${block.place.replace(/.*:/, '')}.test.ts`;
      write(reader.folder, name, ports.inFile(text));
      return reader.type(`npx vitest run ${name}`);
    }
    if (kind === 'sh' && !text.startsWith('#!')) {
      if (!/^\s*[^\s#]/m.test(text)) throw new Error('There is no command in this block.');
      const all = await reader.type(text, isRun);
      return all.all === '' ? undefined : all;
    }
    if (kind === 'console') {
      await followTranscript(text);
      return undefined;
    }
    if (SHOWN.has(kind) && printed !== undefined) {
      compare(block, printed);
      return undefined;
    }
    await checkAlone(block);
    return undefined;
  }

  /** What of a block is typed, without what the list leaves out. */
  function typedIn(block: Block): string {
    if (!TYPED.has(block.kind) || entries.some((each) => leavesOut(each, block))) return '';
    if (block.kind === 'console' || block.text.startsWith('#!')) return block.text;
    return splitCommands(block.text).filter(isRun).join('\n');
  }

  function isRun(command: string): boolean {
    const entry = entries.find(
      ({ starts, kinds }) =>
        starts !== undefined && kinds === undefined && command.startsWith(starts),
    );
    if (entry === undefined) return true;
    notRun.add(entry);
    checkScript(command);
    return false;
  }

  /** `$ command`, and below it what it printed. */
  async function followTranscript(text: string): Promise<void> {
    if (!text.startsWith('$ ')) throw new Error('A transcript begins with a line "$ COMMAND".');
    for (const [, command = '', output = ''] of text.matchAll(
      /^\$ (.+(?:\\\n.+)*)\n((?!\$ )(?:(?!\$ ).*\n)*)/gm,
    )) {
      const { all } = await reader.type(command, isRun);
      const missing =
        output.trim() === '' ? undefined : missingLine(asInPages(output), asInPages(all));
      if (missing !== undefined) throw new Error(`${command} does not print: ${missing}\n${all}`);
    }
  }

  function compare({ kind, text }: Block, { all, stdout }: Printed): void {
    const places = [all, ...reader.elsewhere].map(asInPages);
    const expected = asInPages(text);
    const jsons = [asInPages(stdout), ...places];
    if (kind === 'json' && jsons.some((each) => hasJson(JSON.parse(expected), each))) return;
    const missing = places.map((each) => missingLine(expected, each));
    if (missing.includes(undefined)) return;
    throw new Error(`This was not printed: ${missing[0]}\nBut this:\n${places.join('\n---\n')}`);
  }
}

/** Pages say `agent-auth` where a project prints and types `npx agent-auth`. */
function asInPages(text: string): string {
  return text.replaceAll(/npx agent-auth|"npx",\s*"agent-auth"/g, (words) =>
    words.replace(/^npx |"npx",\s*/, ''),
  );
}

function uses(commands: string, file: string): boolean {
  return (
    commands.includes(file) ||
    (/\.test\.|_test\.|test_/.test(file) &&
      /\b(vitest run|node --test|pytest|go test)\b/.test(commands))
  );
}

function write(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
}
