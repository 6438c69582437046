import { expect, it } from 'vitest';
import { judgeMock } from '../../support/judge-mock.ts';

it('waits for a server that waits for more of a body as its answers have it wait, not for the timeout', async () => {
  const [smuggling] = await judgeMock([], ['smuggling'], { server: 'lenient' });
  const limits = smuggling?.exchanges.flatMap(
    ({ problem = '' }) => /^No answer came within ([\d.]+) s\.$/.exec(problem)?.[1] ?? [],
  );
  expect(limits).toHaveLength(1);
  expect(Number(limits?.[0])).toBeLessThan(30);
  expect(smuggling?.checks.find(({ id }) => id === 'smuggling.odd-lengths')?.status).toBe('fail');
});
