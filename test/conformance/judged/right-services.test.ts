import { describe, expect, it } from 'vitest';
import { startAsShown } from '../services/as-shown.ts';
import { startDiscoveryOnly } from '../services/discovery-only.ts';
import { startOtherNames } from '../services/other-names.ts';
import { startTenMistakes } from '../services/ten-mistakes.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunning } from '../support/judge-running.ts';
import { FAILING, ids } from './failing.ts';

describe('a service that offers discovery and anonymous registration only', () => {
  it('fails what is missing, and is not judged about what it does not offer', async () => {
    const results = await judgeRunning(startDiscoveryOnly);
    expect(ids(withStatus(results, ['fail']))).toEqual([
      'agent-auth.claim-endpoint',
      'agent-auth.skill',
      'server-metadata.revocation-endpoint',
    ]);
    expect(ids(withStatus(results, ['untestable']))).toEqual([]);
    expect(withStatus(results, ['pass']).length).toBeGreaterThan(100);
  });
});

describe('a service that sends what the specification shows, and no more', () => {
  it('passes what the section protocol judges of it, whatever the others say', async () => {
    const results = await judgeRunning(startAsShown);
    const protocol = results
      .flatMap(({ checks }) => checks)
      .filter(({ section, status }) => section === 'protocol' && status !== 'skip');
    expect(protocol.filter(({ status }) => status !== 'pass')).toEqual([]);
    expect(protocol.length).toBeGreaterThan(60);
    expect(ids(withStatus(results, ['fail']))).toContain('challenge.grammar');
  });
});

describe('a service with ten mistakes', () => {
  it('fails the checks of all of them at once', async () => {
    const failing = withStatus(await judgeRunning(startTenMistakes), ['fail']);
    expect(ids(failing)).toEqual(Object.values(FAILING).flat().toSorted());
  });

  it('fails nothing when they are fixed', async () => {
    const results = await judgeRunning((options) => startTenMistakes({ ...options, mistakes: [] }));
    expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
  });
});

describe('a right service that has its own names and shapes', () => {
  it('fails nothing', async () => {
    const results = await judgeRunning(startOtherNames);
    expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
  });
});
