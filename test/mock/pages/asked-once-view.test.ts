import { expect, it } from 'vitest';
import { askedOnceView } from '../../../src/mock/pages/asked-once-view.ts';
import { html } from '../../../src/mock/pages/html.ts';

it('asks first, and has both answers below the question', async () => {
  const view = await askedOnceView({
    verb: 'End access',
    keep: 'Keep access',
    ofWhich: 'of registration reg_1',
    consequence: 'It ends for good.',
    action: '/connections',
    fields: html`<input type="hidden" name="csrf_token" value="x">`,
  });
  const text = view.toString();
  const [summary, form] = text.split('</summary>');
  expect(summary).not.toContain('Keep access');
  const places = ['It ends for good.', '>End access<', 'href="/connections">Keep access<'].map(
    (part) => form?.indexOf(part) ?? -1,
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});
