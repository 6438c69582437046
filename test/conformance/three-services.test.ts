import { describe, expect, it } from 'vitest';
import { startDiscoveryOnly } from './services/discovery-only.ts';
import { startOtherNames } from './services/other-names.ts';
import { MISTAKES, type MistakeId } from './services/ten-mistakes/mistakes.ts';
import { startTenMistakes } from './services/ten-mistakes.ts';
import { withStatus } from './support/failing-checks.ts';
import { judgeRunning } from './support/judge-running.ts';

const ids = (checks: readonly { readonly id: string }[]) => checks.map(({ id }) => id).toSorted();

/** What the suite has to say of each mistake of the second service: these musts, and no other. */
const SAID = {
  'metadata-media-type': ['resource-metadata.media-type'],
  'id-jag-audience': [
    'id-jag-audience.look-alike',
    'id-jag-audience.other-service',
    'id-jag-audience.several',
    'id-jag-claims.required',
    'id-jag-claims.types',
  ],
  // It reads an address without the space before it: linked in silence as well.
  'silent-link': ['id-jag-addresses.look-alike', 'id-jag-confirmation.never-silent'],
  'uncounted-codes': ['claim-races.guesses-counted', 'wrong-codes.burnt'],
  'any-account': ['wrong-account.not-claimed'],
  'token-cacheable': ['cache-headers.pragma', 'cache-headers.tokens'],
  'open-redirect': ['sign-in-redirects.after-sign-in'],
  'no-csrf': [
    'completion-forgery.foreign-denial',
    'completion-forgery.foreign-page',
    'session-ids.hidden-from-others',
    'sign-in-forgery.foreign-page',
  ],
  'duplicate-set': ['event-repeat.acknowledged'],
  'unknown-token-revoke': ['revocation.unknown'],
} satisfies Readonly<Record<MistakeId, readonly string[]>>;

describe('a service that knows discovery and anonymous registration alone', () => {
  it('hears first what is missing, and is asked for nothing that it does not offer', async () => {
    const results = await judgeRunning(startDiscoveryOnly);
    expect(ids(withStatus(results, ['fail']))).toEqual([
      'agent-auth.claim-endpoint',
      'agent-auth.events-endpoint',
      'agent-auth.skill',
      'server-metadata.revocation-endpoint',
    ]);
    expect(ids(withStatus(results, ['untestable']))).toEqual([]);
    expect(withStatus(results, ['pass']).length).toBeGreaterThan(100);
  });
});

describe('a service with ten mistakes', () => {
  it.each(MISTAKES)('is told of $id', async ({ id }) => {
    const results = await judgeRunning((options) =>
      startTenMistakes({ ...options, mistakes: [id] }),
    );
    expect(ids(withStatus(results, ['fail']))).toEqual(SAID[id]);
  });

  it('is told of all of them at once', async () => {
    const failing = withStatus(await judgeRunning(startTenMistakes), ['fail']);
    expect(ids(failing)).toEqual(Object.values(SAID).flat().toSorted());
  });

  it('is accused of nothing when they are mended', async () => {
    const results = await judgeRunning((options) => startTenMistakes({ ...options, mistakes: [] }));
    expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
  });
});

describe('a right service that has its own names and shapes', () => {
  it('is accused of nothing, and warned of what the wire contract has otherwise', async () => {
    const results = await judgeRunning(startOtherNames);
    expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
    expect(ids(withStatus(results, ['warn']))).toContain('code-format.digits');
  });
});
