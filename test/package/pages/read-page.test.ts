import { expect, it } from 'vitest';
import { hasJson, mask, missingLine } from './compare-output.ts';
import { parsePage } from './read-page.ts';
import { splitCommands } from './split-commands.ts';

it('reads the blocks of a page, in lists too, and the files that they name', () => {
  const { blocks } = parsePage(
    'docs/a.md',
    'a\n```yaml\n# mock.yaml\na: 1\n```\n- b\n  ```sh\n  ls\n  ```\n```json file=x.json\n{}\n```\n',
  );
  expect(blocks.map(({ place, kind, file, text }) => [place, kind, file, text])).toEqual([
    ['docs/a.md:2', 'yaml', 'mock.yaml', '# mock.yaml\na: 1\n'],
    ['docs/a.md:7', 'sh', undefined, 'ls\n'],
    ['docs/a.md:10', 'json', 'x.json', '{}\n'],
  ]);
  expect(() => parsePage('docs/a.md', '```sh\nls\n')).toThrow(
    'docs/a.md:1: the block does not end',
  );
  expect(parsePage('docs/a.md', '```sh\nls\n````\nb\n').blocks).toHaveLength(1);
});

it.each(['> ```sh', '- ```sh', '1. ```sh', '\t```sh'])(
  'refuses a fence that it does not read: %j',
  (fence) => {
    expect(() => parsePage('docs/a.md', `a\n${fence}\nls\n`)).toThrow(
      'docs/a.md:2: a fence begins',
    );
  },
);

it('splits a block into commands as a shell reads them', () => {
  expect(
    splitCommands(
      '# a comment\na \\\n  b\necho "x\ny"\ncat <<E\nz\nE\nfor i in 1; do\n  c\ndone\nd | e # f',
    ),
  ).toEqual([
    'a \\\n  b',
    'echo "x\ny"',
    'cat <<E\nz\nE',
    'for i in 1; do\n  c\ndone',
    'd | e # f',
  ]);
  expect(() => splitCommands('echo "x')).toThrow('bash does not understand');
});

it('masks what differs from run to run, and no words', () => {
  expect(mask('✓ Registered anonymously: reg_aHkE8ndwrpnaKZro9dxWPdN3WMk.')).toBe(
    '✓ Registered anonymously: reg_….',
  );
  expect(mask('valid for 59 minutes 59 seconds.')).toBe(mask('valid for 1 hour.'));
  const key = 'The provider publishes wn_1rcO978nWxzPKxAI9ii65zOB5V7r9hsiFpF2moIY.';
  expect(mask(key)).toBe(mask(key.replace('wn_1', '-Xab')));
  expect(mask('GET /.well-known/oauth-protected-resource')).toContain('oauth-protected-resource');
  expect(mask('until 2026-11-23 19:33 UTC')).toBe('until <time>');
  expect(mask('Code  611 214')).toBe(mask('Code  000 001'));
  expect(mask('registration_type  anonymous')).toBe('registration_type anonymous');
  expect(mask('GET /api/resource answered 200.')).not.toBe(mask('GET /api/resource answered 401.'));
});

it('finds lines in one piece, and pieces in order where … leaves lines out', () => {
  const printed = 'a\nb\nc\nd\n';
  expect(missingLine('b\nc', printed)).toBeUndefined();
  expect(missingLine('a\nc', printed)).toBe('c');
  expect(missingLine('a\n…\nd', printed)).toBeUndefined();
  expect(missingLine('d\n…\na', printed)).toBe('a');
  expect(missingLine('\n', printed)).toBe('a line at all');
  expect(missingLine('it says …', 'it says something')).toBeUndefined();
});

it('compares JSON by its members, and what varies by its type', () => {
  const printed = 'ready\n{\n  "a": [1, { "b": "x" }], "expires_in": 599\n}\n{"c":1}\n';
  expect(hasJson({ a: [1, { b: 'x' }], expires_in: 600 }, printed)).toBe(true);
  expect(hasJson({ c: 1 }, printed)).toBe(true);
  expect(hasJson({ a: [1, { b: 'y' }] }, printed)).toBe(false);
  expect(hasJson({ a: [1] }, printed)).toBe(false);
  expect(hasJson({ expires_in: 'soon' }, printed)).toBe(false);
});
