import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GROUND } from '../../src/mock/pages/style-ground.ts';

const LIVE = readFileSync('src/live/style/10-ground.css', 'utf8');

/** What the denser page of the live view has of its own, and what it calls otherwise. */
const OWN = new Set(['--inset', '--shadow', '--accent-ground', '--mono']);
const CALLED: Readonly<Record<string, string>> = {
  '--waits': '--expired',
  '--waits-ground': '--expired-ground',
};

/** The variables of the first two `:root`: in light, and in dark. */
function palettes(css: string): readonly (readonly (readonly [string, string])[])[] {
  return [...css.matchAll(/:root \{([^}]*)\}/g)]
    .slice(0, 2)
    .map(([, rules = '']) =>
      [...rules.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [
        CALLED[name] ?? name,
        value,
      ]),
    );
}

it('has the colours of the pages of the mocks, in light and in dark', () => {
  const [pages, live] = [palettes(GROUND), palettes(LIVE)];
  expect(live).toHaveLength(2);
  for (const [index, palette] of live.entries()) {
    const common = palette.filter(([name]) => !OWN.has(name) && name !== '--name');
    expect(common.length).toBeGreaterThan(12);
    const expected = new Map(pages[index]);
    expect(common).toEqual(common.map(([name]) => [name, expected.get(name)]));
  }
  // A provider's own colour is that of names there.
  const accents = [...GROUND.matchAll(/\.provider \{ --accent: (#\w+); \}/g)].map(([, hex]) => hex);
  expect(live.map((palette) => new Map(palette).get('--name'))).toEqual(accents);
});
