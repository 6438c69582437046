import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { relativeLinks } from '../support/anchors.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/pictures');
const pictures = readdirSync(folder);
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const shownBy = (page: string) =>
  relativeLinks(read(page)).filter((link) => link.includes('pictures/'));

it('keeps the pictures that its start page shows, and no other', () => {
  const shown = new Set(
    shownBy('docs/README.md').map((link) => link.replace(/^(\.\/)?pictures\//, '')),
  );
  expect([...shown].sort()).toEqual(pictures.sort());
});

it('shows four of them in README', () => {
  expect(shownBy('README.md')).toHaveLength(4);
  expect(shownBy('README.md')).toContain('docs/pictures/live.webp');
});

// The page of the package leads an image and a link of Markdown to the repository, and no `srcset`.
it('has only images in README that the page of the package shows', () => {
  expect(read('README.md')).not.toMatch(/<(picture|source|img)\b/);
});

it('describes each picture to whoever does not see it', () => {
  for (const page of ['README.md', 'docs/README.md']) {
    const described = [...read(page).matchAll(/!\[([^\]]*)\]\(|<img alt="([^"]*)"/g)];
    expect(described.length).toBeGreaterThan(3);
    for (const [, text, alternative] of described) {
      expect((text ?? alternative)?.length).toBeGreaterThan(30);
    }
  }
});

it('stays small, for each clone has them', () => {
  const sizes = pictures.map((name) => statSync(join(folder, name)).size);
  expect(Math.max(...sizes)).toBeLessThan(50_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
});
