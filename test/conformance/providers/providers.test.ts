import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import type { ScenarioResult } from '../../../src/conformance/index.ts';
import { PROVIDER_CORE } from '../../../src/conformance/provider/core.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunningProvider } from '../support/judge-running-provider.ts';
import { startStrict } from './strict.ts';

/** What its developer reads: the verdict, and each check that did not pass. */
function verdict(scenarios: readonly ScenarioResult[]) {
  const run = { scenarios, core: PROVIDER_CORE, selectedOnly: false, interrupted: false };
  const { outcome, unjudged } = verdictOf(run);
  const odd = withStatus(scenarios, ['fail', 'warn', 'untestable', 'skip']);
  return { outcome, unjudged, odd: odd.map(({ id, status }) => `${status} ${id}`) };
}

describe('a right provider that takes whole and right metadata alone', () => {
  it('conforms, and is judged about all but what only a control API shows', async () => {
    const results = await judgeRunningProvider(startStrict, ({ consentsPage }) => ({
      consentsUri: consentsPage,
    }));
    expect(verdict(results)).toEqual({
      outcome: 'conforms',
      unjudged: [],
      odd: [
        'warn provider-discovery.thumbprints',
        'skip key-rotation.published-before-use',
        'skip key-rotation.verifiable',
        'skip key-rotation.old-key-kept',
        'skip event-sent.sub-id',
        'skip event-address.local',
      ],
    });
  });
});
