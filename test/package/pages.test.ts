import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../support/free-port.ts';
import { NOT_RUN, type NotRun } from './pages/not-run.ts';
import { type Page, pageNames, readPage } from './pages/read-page.ts';
import { type Ran, runPage } from './pages/run-page.ts';
import { countPorts, PagePorts } from './pages/stand-in.ts';
import { UNTRUE } from './pages/untrue-pages.ts';
import { Workspace } from './pages/workspace.ts';
import { ROOT } from './project.ts';

const PAGES = pageNames()
  .map(readPage)
  .filter(({ blocks }) => blocks.length > 0);

let workspace: Workspace;
let ownPorts: ReadonlyMap<string, PagePorts>;
/** What of the list the pages that hold have shown to name something. */
const used = new Set<NotRun>();
const holding = new Set<string>();

beforeAll(async () => {
  workspace = await Workspace.create();
  ownPorts = await portsOf([...PAGES, ...UNTRUE.map(([, page]) => page)]);
}, 120_000);

afterAll(() => workspace.remove());

describe('each command and block of a page does what the page says', () => {
  it.concurrent.each(PAGES.map((page) => [page.name, page] as const))('%s', async (name, page) => {
    const { held, notRun } = await follow(page);
    for (const entry of notRun) used.add(entry);
    holding.add(name);
    const isElsewhere = [...notRun].some(
      ({ starts, by }) => starts === undefined && by !== undefined,
    );
    if (!isElsewhere) expect(held).toBeGreaterThan(0);
  });
});

describe('what is not run', () => {
  it('is on the list with a reason, and the list names nothing else', () => {
    const known = NOT_RUN.filter(({ page }) => holding.has(page));
    expect(known.filter((entry) => !used.has(entry))).toEqual([]);
    const isThere = (place: string) => PAGES.some(({ name }) => name === place);
    expect(NOT_RUN.filter(({ page }) => !isThere(page))).toEqual([]);
    expect(NOT_RUN.filter(({ reason }) => reason.length < 20)).toEqual([]);
    for (const { page, starts, kinds, reason } of NOT_RUN) {
      process.stdout.write(`not run: ${page}: ${starts ?? kinds?.join(', ')}: ${reason}\n`);
    }
  });

  it('is held by a test that exists, where it names one', () => {
    const named = NOT_RUN.flatMap(({ by }) => by ?? []);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('a page that is not true fails', () => {
  it.concurrent.each(UNTRUE)('%s', async (_what, page, why) => {
    await expect(follow(page)).rejects.toThrow(why);
  });
});

function follow(page: Page): Promise<Ran> {
  const ports = ownPorts.get(page.name);
  if (ports === undefined) throw new Error('The page has no ports.');
  return runPage(page, { workspace, ports, list: NOT_RUN });
}

/** Each page has ports that no other one has. */
async function portsOf(pages: readonly Page[]): Promise<ReadonlyMap<string, PagePorts>> {
  const ports = new Map<string, PagePorts>();
  for (const { name, blocks } of pages) {
    const text = blocks.map((block) => block.text).join('\n');
    ports.set(name, new PagePorts(text, await freePorts(countPorts(text))));
  }
  return ports;
}
