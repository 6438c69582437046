import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leadTo, ROOT } from './places.js';

/** The pages of the site as the two tables of `docs/README.md` have them, each once and by the name that it has there. */
export function sidebar() {
  const start = 'docs/README.md';
  const text = readFileSync(join(ROOT, start), 'utf8');
  return ['By task', 'Reference'].map((heading) => {
    const [, section = ''] = text.split(`\n## ${heading}\n`);
    const [table = ''] = section.split('\n## ');
    /** @type {Map<string, string>} */
    const pages = new Map();
    for (const [, name = '', link = ''] of table.matchAll(/\[([^\]]+)\]\(([^)#]+)/g)) {
      const page = leadTo(link, start);
      if (page.startsWith('/') && !pages.has(page)) pages.set(page, name);
    }
    return { text: heading, items: [...pages].map(([link, name]) => ({ text: name, link })) };
  });
}
