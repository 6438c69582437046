import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageNames } from '../package/pages/read-page.ts';
import { anchorsIn, relativeLinks } from '../support/anchors.ts';

const root = join(import.meta.dirname, '../..');
const GLOSSARY = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
const ENTRIES = GLOSSARY.split(/^## /m)
  .slice(1)
  .map((entry) => {
    const [term = '', meaning = '', source = '', ...rest] = entry.trim().split(/\n+/);
    return { term, meaning, source, rest };
  });

/** A full stop, or a colon's end, before a capital or the end; not within a URL, a version or code. */
function sentences(text: string): number {
  return text.replace(/`[^`]*`/g, 'x').match(/[.!?](?=\s|$)/g)?.length ?? 0;
}

it('says each term in one or two sentences, with its source', () => {
  expect(ENTRIES.length).toBeGreaterThan(20);
  for (const { term, meaning, source, rest } of ENTRIES) {
    expect([term, [1, 2].includes(sentences(meaning))]).toEqual([term, true]);
    expect([term, source.startsWith('Source: ') && /\]\(\S+\)/.test(source)]).toEqual([term, true]);
    expect([term, rest]).toEqual([term, []]);
  }
});

it('is sorted, and has each term once', () => {
  const terms = ENTRIES.map(({ term }) => term.toLowerCase());
  expect(terms).toEqual([...new Set(terms)].sort());
});

it('has each term that a page links', () => {
  const anchors = anchorsIn(GLOSSARY);
  const linked = pageNames().flatMap((name) =>
    relativeLinks(readFileSync(join(root, name), 'utf8')).flatMap((link) => {
      const [, term] = /(?:^|\/)glossary\.md#(.+)$/.exec(link) ?? [];
      return term === undefined ? [] : [{ name, term }];
    }),
  );
  expect(linked.length).toBeGreaterThan(15);
  expect(linked.filter(({ term }) => !anchors.has(term))).toEqual([]);
});

it('counts sentences, not dots', () => {
  expect(sentences('One. Two, as in `a.b. c`: three.')).toBe(2);
  expect(sentences('See api.example.com. It is version 0.7 now! Is it? Yes.')).toBe(4);
});
