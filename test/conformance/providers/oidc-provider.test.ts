import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildReport } from '../../../src/conformance/engine/report.ts';
import {
  Catalog,
  judgeProvider,
  PROVIDER_SCENARIOS,
  readRequirements,
  type ScenarioResult,
} from '../../../src/conformance/index.ts';
import { PROVIDER_CORE } from '../../../src/conformance/provider/core.ts';
import { systemClock, systemRandom } from '../../../src/runtime/index.ts';
import { withStatus } from '../support/failing-checks.ts';
import { SEED } from '../support/seed.ts';
import { OIDC_CLIENTS, type OidcBug, startOidc } from './oidc.ts';

const catalog = new Catalog(readRequirements());

/** Both look at the clock of the process: what is waited for is passed over. Default: by every scenario. */
async function judged(
  bug?: OidcBug,
  scenarios = PROVIDER_SCENARIOS,
): Promise<readonly ScenarioResult[]> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const provider = await startOidc(bug);
  try {
    return await judgeProvider({
      clock: systemClock,
      random: systemRandom,
      sleep: async (ms) => {
        vi.setSystemTime(Date.now() + ms);
      },
      seed: SEED,
      target: provider.url,
      catalog,
      timeout: 30_000,
      patience: Number.POSITIVE_INFINITY,
      together: false,
      repeat: false,
      crossApp: OIDC_CLIENTS,
      scenarios,
      // How long a connection may be held open is the machine's time.
      selection: { skip: ['provider-connections'] },
    });
  } finally {
    await provider.close();
  }
}

afterEach(() => vi.useRealTimers());

function reportOf(scenarios: readonly ScenarioResult[]) {
  const run = { version: '0', target: 'test', startedAt: 0, duration: 0, seed: SEED };
  return buildReport({ ...run, role: 'provider', scenarios, core: PROVIDER_CORE });
}

describe('oidc-provider with a grant of its own for ID-JAGs', () => {
  it('conforms: it is judged as an identity provider, and nothing that it does not offer is wrong', async () => {
    const results = await judged();
    const { summary, verdict } = reportOf(results);
    expect(verdict).toMatchObject({ outcome: 'conforms', unjudged: [] });
    const odd = withStatus(results, ['fail', 'warn', 'untestable', 'skip'])
      .filter(({ deselected }) => deselected !== true)
      .map(({ id, status }) => `${status} ${id}`);
    expect(odd).toEqual([
      // What an agent would need.
      'skip provider-discovery.metadata',
      'skip provider-discovery.id-jag-advertised',
      'skip provider-discovery.public-client',
      'skip provider-discovery.key-set-address',
      'warn provider-discovery.key-set-headers',
      'warn provider-discovery.thumbprints',
      // It has no public client, takes no refresh token as a subject, and has neither tenants nor a control API.
      'skip idp-authorization.challenge-required',
      'skip idp-refresh.spent',
      'skip idp-refresh.subject',
      'skip idp-refresh.foreign-subject',
      'skip idp-refresh.unknown-subject',
      'skip idp-exchange.tenant',
      'warn idp-exchange-refusals.dpop',
      'skip idp-key-rotation.published-first',
      'skip idp-key-rotation.old-id-token',
    ]);
    expect(summary.sections.ema.judged).toBeGreaterThan(50);
  });
});

/** What is found first. */
const FOUND: Readonly<Record<OidcBug, string>> = {
  anyAudience: 'idp-exchange-refusals.audience',
  anyClientsToken: 'idp-subject-tokens.other-client',
  anyRedirect: 'idp-authorization.redirect-uri',
  expiredIdJag: 'idp-exchange.claims',
  idOfTheClientHere: 'idp-exchange.client-id',
  longLife: 'idp-exchange.short-lived',
  secretKey: 'idp-exchange.header',
  silentNarrowing: 'idp-exchange.scope-said',
  sharedSubject: 'idp-exchange.subjects-differ',
  unverifiedToken: 'idp-subject-tokens.forged',
};

/** Of one cause: in which it is found, or where JUDGE_WHOLE is set all. */
function scenariosOf(check: string): typeof PROVIDER_SCENARIOS {
  if (process.env['JUDGE_WHOLE'] !== undefined) return PROVIDER_SCENARIOS;
  return PROVIDER_SCENARIOS.filter(({ id }) => check.startsWith(`${id}.`));
}

describe('oidc-provider whose administrator made one mistake', () => {
  it.each(Object.entries(FOUND) as [OidcBug, string][])('%s fails by %s', async (bug, check) => {
    const results = await judged(bug, scenariosOf(check));
    const failed = reportOf(results).causes.filter(({ status }) => status === 'fail');
    expect(failed.map(({ checks }) => checks[0])).toEqual([check]);
  });
});
