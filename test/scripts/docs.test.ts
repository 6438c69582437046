import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../../scripts/docs/pages.js';
import { EXIT_CODES } from '../../src/cli/shell/exit-codes.ts';
import { MATRIX } from '../../src/mock-service/claim-machine/matrix.ts';
import { WIRE_CODES } from '../../src/protocol/index.ts';

const root = join(import.meta.dirname, '../..');

it('prints every wire code, every cell of the claim machine and every exit code', async () => {
  const text = (await pages(root)).map(({ markdown }) => markdown).join('\n');
  const codes = Object.values(WIRE_CODES).flatMap((codes) => Object.keys(codes));
  const cells = Object.values(MATRIX).flatMap((row) =>
    Object.values(row).map(({ description }) => description),
  );
  const exits = Object.values(EXIT_CODES).map(({ meaning }) => meaning);
  const missing = [...codes, ...cells, ...exits].filter((words) => !text.includes(words));
  expect(missing).toEqual([]);
});
