import type { FaultCase } from '../fault-case.ts';

const inScenario =
  (scenario: string) =>
  (fault: string, ...fails: readonly string[]): FaultCase => ({
    fault,
    scenarios: [scenario],
    fails: fails.map((check) => `${scenario}.${check}`),
  });
const consent = inScenario('consent');
const attacks = inScenario('consent-attacks');
const revoked = inScenario('consent-revoked');

export const CONSENT_CASES: readonly FaultCase[] = [
  consent('consentSkipped', 'asked'),
  consent('consentUriMissing', 'asked-shape'),
  consent('consentScopesHidden', 'page-shows'),
  consent('consentTextRaw', 'page-text'),
  consent('pagesFramable', 'page-framing'),
  consent('consentUnstored', 'granted'),
  consent('consentForAll', 'per-audience'),
  consent('consentOfAnybody', 'per-user'),
  consent('consentDenialIgnored', 'denied'),
  attacks('consentCsrfUnchecked', 'cross-site'),
  attacks('consentByGet', 'address'),
  attacks('strangerConsents', 'stranger'),
  attacks('providerCookiesOpen', 'cookies'),
  revoked('consentSticks', 'refused', 'page'),
  revoked('revocationTakesAll', 'others-stay'),
];
