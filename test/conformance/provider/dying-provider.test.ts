import { describe, expect, it } from 'vitest';
import { withStatus } from '../support/failing-checks.ts';
import { judgeMockProvider } from '../support/judge-mock-provider.ts';
import { serveDying } from '../support/serve-dying.ts';

const SCENARIOS = ['device-sign-in', 'mint', 'token-requests', 'consent-revoked'];

/** What passed, and what was left open or failed, of a provider that is gone with a request. */
async function judgeDying(deadly: (body: string) => boolean) {
  const scenarios = [...SCENARIOS, 'provider-stays-up'];
  const results = await judgeMockProvider([], scenarios, { server: serveDying(deadly) });
  const open = withStatus(results, ['untestable', 'fail', 'skip']);
  const failed = withStatus(results, ['fail']);
  return { passed: withStatus(results, ['pass']).map(({ id }) => id), open, failed };
}

describe('a provider that dies in the middle of a run', () => {
  it('has been judged of all else where it dies of something odd, which is named', async () => {
    const { open, passed } = await judgeDying((body) => body.length > 1_000_000);
    for (const scenario of SCENARIOS) {
      expect(passed.some((id) => id.startsWith(`${scenario}.`))).toBe(true);
    }
    expect(open.map(({ id }) => id)).toEqual([
      'token-requests.oversized',
      'provider-stays-up.answers',
    ]);
    for (const { reason, findings } of open) {
      expect(reason ?? findings[0]?.seen).toMatch(
        /^The target stopped answering after POST http:\S+ \(a body of ten megabytes\), and was not back/,
      );
    }
  });

  it('fails by its death alone where a usual request ends it, and keeps what was judged', async () => {
    const { failed, open, passed } = await judgeDying((body) => body.includes('token-exchange'));
    expect(passed.some((id) => id.startsWith('device-sign-in.'))).toBe(true);
    expect(failed.map(({ id }) => id)).toEqual(['provider-stays-up.answers']);
    expect(failed[0]?.findings[0]?.seen).toMatch(
      / after POST http:\S+\/oauth2\/token, and was not/,
    );
    expect(open.length).toBeGreaterThan(20);
  });

  it.each([
    ['(JSON)', (body: string) => body.startsWith('{')],
    ['(two of audience)', (body: string) => body.split('audience=').length > 2],
  ] as const)('names what was odd in the request: %s', async (odd, deadly) => {
    const { failed } = await judgeDying(deadly);
    expect(failed[0]?.findings[0]?.seen).toContain(odd);
  });
});
