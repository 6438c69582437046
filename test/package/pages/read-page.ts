import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../project.ts';

/** A fenced block of a page of Markdown. */
export interface Block {
  /** `docs/proxy.md:12`: where its fence opens. */
  readonly place: string;
  /** The first word behind the fence; empty where there is none. */
  readonly kind: string;
  /** The file that it is written to, named by its first line (`# mock.yaml`) or behind the fence (`file=x.json`). */
  readonly file: string | undefined;
  /** Without the indent of a list that it stands in. */
  readonly text: string;
  /** The prose between the block before it and this one. */
  readonly before: string;
}

export interface Page {
  /** `docs/proxy.md`. */
  readonly name: string;
  readonly blocks: readonly Block[];
  /** What stands outside of the blocks. */
  readonly prose: string;
}

/** README and every page of docs/, its folders included, but for what tools need and what the site generates. */
export function pageNames(): readonly string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^site\/|(^|\/)node_modules\//.test(name))
    .map((name) => `docs/${name}`);
  return ['README.md', ...docs.sort()];
}

export function readPage(name: string): Page {
  return parsePage(name, readFileSync(join(ROOT, name), 'utf8'));
}

/** A fence in a quote, behind the mark of a list or a tab: its block would be taken for prose, and nobody would run it. */
const UNREAD_FENCE = /^[\s>*+-]*(?:\d+[.)]\s+)?(?:`{3}|~{3})/;

/** @throws Error where a fence is never closed, or stands where it is not read. */
export function parsePage(name: string, markdown: string): Page {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let before: string[] = [];
  const lines = markdown.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent = '', fence = '', info = ''] =
      /^( *)(`{3,}|~{3,})([^`]*)$/.exec(lines[index] ?? '') ?? [];
    if (fence === '') {
      if (UNREAD_FENCE.test(lines[index] ?? ''))
        throw new Error(`${name}:${index + 1}: a fence begins its line, after spaces alone.`);
      before.push(lines[index] ?? '');
      prose.push(lines[index] ?? '');
      continue;
    }
    const place = `${name}:${index + 1}`;
    const isEnd = (line: string) => line.startsWith(fence) && /^(`+|~+)$/.test(line);
    const end = lines.findIndex((line, at) => at > index && isEnd(line.trim()));
    if (end === -1) throw new Error(`${place}: the block does not end.`);
    const text = lines
      .slice(index + 1, end)
      .map((line) => `${line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()}\n`)
      .join('');
    const [kind = ''] = info.trim().split(/\s+/);
    blocks.push({ place, kind, file: fileOf(info, text), text, before: before.join('\n') });
    before = [];
    index = end;
  }
  return { name, blocks, prose: prose.join('\n') };
}

function fileOf(info: string, text: string): string | undefined {
  const [, given] = /\bfile=(\S+)/.exec(info) ?? [];
  if (given !== undefined) return given;
  const [first = '', second = ''] = text.split('\n');
  const line = first.startsWith('#!') ? second : first;
  const [, named] = /^(?:#|\/\/|--) ([\w./-]*\w\.[a-z]+)(?:$|[:,] )/.exec(line) ?? [];
  return named;
}
