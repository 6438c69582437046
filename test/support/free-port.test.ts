import { expect, it, vi } from 'vitest';
import { freePair } from './free-port.ts';

it('two workers of one process, or of two, could begin at the same ports', async () => {
  vi.resetModules();
  const other = await import('./free-port.ts');
  const givers = [freePair, other.freePair, freePair, other.freePair];
  const pairs = await Promise.all(givers.map((give) => give()));
  expect(new Set(pairs.flatMap((port) => [port, port + 1])).size).toBe(8);
});
