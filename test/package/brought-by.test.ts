import { expect, it } from 'vitest';
import { broughtBy, needsOf } from '../../scripts/package/brought-by.js';

it('finds what a package brings as Node does: the nearest folder upwards', () => {
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', dependencies: { b: '2', gone: '1' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1' } },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/@d/c': { version: '1.0.0' },
    'node_modules/c': { version: '1.0.0', dependencies: { '@d/c': '1' } },
  };
  expect([...broughtBy('node_modules/a', (path) => needsOf(packages, path))]).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/@d/c',
  ]);
});
