import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judgeCommand } from '../agents/judge-command.ts';
import { withStatus } from '../support/failing-checks.ts';

const ADAPTER = join(import.meta.dirname, '../../../docs/examples/agent-adapter/adapter.js');
/** It shows no names. Of processes only Linux tells. */
const SKIPPED = /^agent-hostile-texts\.shown-as-is$|^agent-secrets\.arguments$/;

it('finds nothing in the sample adapter of the docs, by all scenarios', async () => {
  const limit = 60_000;
  const results = await judgeCommand([process.execPath, ADAPTER], undefined, {
    limit,
    parallel: 6,
  });
  const odd = withStatus(results, ['fail', 'warn', 'skip', 'untestable']).filter(
    ({ id, status }) => status !== 'skip' || !SKIPPED.test(id),
  );
  expect(odd.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
});
