import { expect, it } from 'vitest';
import { shortId } from '../../../src/live/parts/short-id.ts';

it('shows enough of an id to tell registrations of the same user apart', () => {
  expect(shortId('reg_aHkE8ndwrpnaKZro9dxWPdN3WMk')).toBe('reg_aHkE8n…');
  expect(shortId('reg_1')).toBe('reg_1');
});
