import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { withOwnPages } from '../../../src/cli/conformance/report-outputs.ts';
import { sourceLink } from '../../../src/conformance/engine/source-link.ts';

const ROOT = join(import.meta.dirname, '../../..');
const lineOf = (source: string) => {
  const { text, href } = sourceLink(source);
  return `    read      ${text} ${href}`;
};

it('a report at a terminal led to the newest pages on the web, not to those of its version', () => {
  const lines = ['specification, Discovery metadata', 'wire contract §2.1', 'attack A-11'].map(
    lineOf,
  );
  expect(withOwnPages(lines.join('\n'), ROOT).split('\n')).toEqual([
    '    read      specification, Discovery metadata docs/specification.md',
    '    read      wire contract §2.1 docs/wire-contract.md',
    '    read      attack A-11 docs/attacks.md',
  ]);
  const [, , , page = ''] = withOwnPages(lineOf('attack A-11'), join(ROOT, 'src'))
    .split(/ +/)
    .slice(1);
  expect([dirname(page), existsSync(page)]).toEqual([join(ROOT, 'docs'), true]);
});

it('a report at a terminal names a page of ours by a path that opens', () => {
  const src = join(ROOT, 'src');
  const said = withOwnPages('an adapter does (docs/conformance-agent.md).', src);
  const [, page = ''] = /\((.*)\)/.exec(said) ?? [];
  expect([page, existsSync(page)]).toEqual([join(ROOT, 'docs/conformance-agent.md'), true]);
});

it('a report at a terminal keeps the links to the texts of others', () => {
  const line = lineOf('RFC 9728 §3.1');
  expect(withOwnPages(line, ROOT)).toBe(line);
});
