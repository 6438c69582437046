import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import type { ScenarioResult } from '../../../src/conformance/index.ts';
import { PROVIDER_CORE } from '../../../src/conformance/provider/core.ts';
import { freePort } from '../../support/free-port.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunningProvider } from '../support/judge-running-provider.ts';
import { startSilent } from './silent.ts';
import { startStrict } from './strict.ts';
import { startTenant } from './tenant.ts';

/** What its developer reads: the verdict, and each check that did not pass. */
function verdict(scenarios: readonly ScenarioResult[]) {
  const run = { scenarios, core: PROVIDER_CORE, selectedOnly: false, interrupted: false };
  const { outcome, unjudged } = verdictOf(run);
  const odd = withStatus(scenarios, ['fail', 'warn', 'untestable', 'skip']).filter(
    // Of clients, where none was named.
    ({ deselected }) => deselected !== true,
  );
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
        'skip device-attacks.shown-account',
        'skip device-attacks.by-link',
        'skip device-attacks.code-shown',
        'skip provider-session.signed-out',
        'skip key-rotation.published-before-use',
        'skip key-rotation.verifiable',
        'skip key-rotation.old-key-kept',
        'skip key-rotation.still-minted',
        'skip event-sent.time',
        'skip event-sent.sub-id',
      ],
    });
  });
});

describe('a right provider whose issuer has a path, with limits on codes and sign-ins', () => {
  it('conforms, and is judged about all but what only a control API shows', async () => {
    const results = await judgeRunningProvider(startTenant, ({ consentsPage }) => ({
      consentsUri: consentsPage,
    }));
    expect(verdict(results)).toEqual({
      outcome: 'conforms',
      unjudged: [],
      odd: [
        // Its document names no profile.
        'skip client-document.grant-pair',
        // Its form names a consent by a number.
        'skip consent-attacks.revoked-cross-site',
        'skip provider-session.signed-out',
        'skip key-rotation.published-before-use',
        'skip key-rotation.verifiable',
        'skip key-rotation.old-key-kept',
        'skip key-rotation.still-minted',
      ],
    });
  });
});

describe('a right provider of an enterprise, whose administrator decides in place of its users', () => {
  it('breaks nothing by having no consent page', async () => {
    const results = await judgeRunningProvider(
      ({ now }) => startStrict({ now, byPolicy: true }),
      ({ signIn }) => ({ ...(signIn && { idTokenCommand: signIn }) }),
    );
    const { outcome, odd } = verdict(results);
    expect(outcome).toBe('conforms');
    expect(odd.filter((line) => !line.startsWith('skip'))).toEqual([
      'warn provider-discovery.thumbprints',
    ]);
    expect(withStatus(results, ['pass']).length).toBeGreaterThan(40);
  });
});

/** The URLs of services on a free port: configured at the provider before the suite listens there. */
async function knownServices() {
  const port = await freePort();
  const audiences = ['one', 'two', 'three'].map((name) => `http://127.0.0.1:${port}/${name}`);
  return { services: { port }, audiences };
}

/** It redirects anywhere, takes forms from anywhere, asks no client who it is, and counts no wrong codes. */
const SIGN_IN_HOLES = [
  'fail device-attacks.cross-site',
  'fail device-attacks.other-client',
  'fail provider-redirects.after-sign-in',
  'fail device-codes.guess-limit',
];

describe('a provider that knows its services, tells them nothing, and breaks on what it did not expect', () => {
  it('is judged on its sign-in alone as long as it knows no service of the suite', async () => {
    const results = await judgeRunningProvider(({ now }) => startSilent({ now, audiences: [] }));
    const { odd, ...rest } = verdict(results);
    expect(rest).toEqual({
      outcome: 'does_not_conform',
      unjudged: [
        {
          story: 'the mint of an ID-JAG',
          why: expect.stringContaining('was answered 400 invalid_target, “Unknown service.”. If'),
          option: '--audience',
        },
      ],
    });
    expect(odd.filter((line) => /^(fail|untestable)/.test(line))).toEqual(SIGN_IN_HOLES);
  });

  it('fails by what is wrong with it, each cause once', async () => {
    const { audiences, services } = await knownServices();
    const results = await judgeRunningProvider(
      ({ now }) => startSilent({ now, audiences }),
      ({ consentsPage }) => ({ services, audiences, consentsUri: consentsPage }),
    );
    const { odd, ...rest } = verdict(results);
    expect(rest).toEqual({ outcome: 'does_not_conform', unjudged: [] });
    expect(odd.filter((line) => !line.startsWith('skip'))).toEqual([
      'warn provider-discovery.id-jag-advertised',
      'warn provider-discovery.key-set-address',
      'warn provider-discovery.thumbprints',
      'warn client-document.found',
      'warn device-sign-in.slow-down',
      'warn device-expired.expired',
      'warn consent.page-shows',
      'fail mint-scope.resource',
      'fail mint-refusals.missing-parameter',
      'warn mint-refusals.missing-parameter-code',
      'warn mint-refusals.unknown-audience-code',
      'fail mint-refusals.actor',
      'fail subject-token.other-client',
      'warn subject-token.code',
      'warn token-requests.labels',
      'fail token-requests.doubled',
      'warn token-requests.oversized',
      'fail consent-attacks.cross-site',
      'warn consent-attacks.cookies',
      'fail device-attacks.other-client',
      'fail provider-redirects.after-sign-in',
      'warn session-age.stale',
      'fail event-sent.sent',
      'fail device-codes.guess-limit',
    ]);
    const restsOnEvents = withStatus(results, ['skip']).filter(
      ({ restsOn }) => restsOn === 'event-sent.sent',
    );
    expect(restsOnEvents.length).toBeGreaterThan(15);
  });
});
