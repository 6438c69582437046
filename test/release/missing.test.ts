import { describe, expect, it } from 'vitest';
import { named } from '../../scripts/package/names.js';
import { missingFor } from '../../scripts/release/missing.js';

const manifest = {
  name: 'agent-auth',
  version: '1.2.3',
  author: 'the authors',
  repository: { url: 'git+https://github.com/me/toolkit.git' },
  homepage: 'https://me.github.io/toolkit/',
  bugs: 'https://github.com/me/toolkit/issues',
};
const READY = {
  manifest,
  changelog: '# Changelog\n\n## 1.2.3 - 2026-01-02\n\n- it.\n',
  readme: 'npm install agent-auth\n',
  hasLicense: true,
  otherNames: [],
  remotes: ['origin', 'https://github.com/me/toolkit.git', '(push)'],
  tags: ['v1.2.2', 'v1.2.3'],
  isCommitted: true,
};

describe('what is missing for a release', () => {
  it('is nothing where all is there', () => {
    expect(missingFor(READY)).toEqual([]);
    const remotes = ['origin', 'git@github.com:me/toolkit.git'];
    expect(missingFor({ ...READY, remotes })).toEqual([]);
  });

  it.each([
    ['no section', { changelog: '# Changelog\n' }, 'npm run release:prepare -- 1.2.3'],
    ['no licence', { hasLicense: false }, 'write the licence'],
    [
      'another homepage',
      { manifest: { ...manifest, homepage: 'x' } },
      'set homepage to https://me',
    ],
    ['another name', { otherNames: ['a.yml'] }, 'a.yml has another owner'],
    ['what is not committed', { isCommitted: false }, 'git commit'],
    ['no remote', { remotes: [] }, 'git remote add origin https://github.com/me/toolkit.git'],
    ['the remote of a fork', { remotes: ['https://github.com/you/toolkit'] }, 'No remote is me'],
    ['nothing published', { readme: 'no version is published yet' }, 'npm publish --access public'],
    ['no tag', { tags: ['v1.2.2'] }, 'git tag v1.2.3 && git push origin v1.2.3'],
  ])('with %s is said, and what to do', (_, change, line) => {
    expect(missingFor({ ...READY, ...change })).toEqual([expect.stringContaining(line)]);
  });
});

it('names the project by package.json, and others as they are', () => {
  const text = (author: string, slug: string, site: string, version: string) =>
    [
      `author: ${author}`,
      `  uses: ${slug}/mock@COMMIT # of v${version}`,
      '  uses: actions/checkout@COMMIT # v4',
      `[here](https://github.com/${slug}/issues), [there](${site}a.html)`,
      'https://github.com/you/agent-auth-more',
    ].join('\n');
  const before = text('x', 'you/agent-auth', 'https://you.github.io/agent-auth/', '0.1.0');
  const after = text('the authors', 'me/toolkit', manifest.homepage, '1.2.3');
  expect(named(before, manifest)).toBe(after);
  expect(named(after, manifest)).toBe(after);
});
