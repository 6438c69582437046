import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import type { CheckResult, Report } from '../../../src/conformance/index.ts';
import { REPORTERS } from '../../../src/conformance/reporters/index.ts';
import { GREEN_REPORT, HOSTILE, SAMPLE_REPORT } from '../support/sample-report.ts';

const require = createRequire(import.meta.url);
const json = (name: string): object => JSON.parse(readFileSync(require.resolve(name), 'utf8'));

/** The schema that OASIS published, as a package for tests carries it. */
const validate = (() => {
  const ajv = new Ajv({ schemaId: 'auto', allErrors: true });
  ajv.addMetaSchema(json('ajv/lib/refs/json-schema-draft-04.json'));
  return ajv.compile(json('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));
})();

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly locations: readonly {
    readonly logicalLocations: readonly { readonly fullyQualifiedName: string }[];
  }[];
  readonly suppressions?: readonly { readonly justification: string }[];
}

interface Run {
  readonly tool: {
    readonly driver: {
      readonly rules: readonly { readonly id: string; readonly helpUri?: string }[];
    };
  };
  readonly results: readonly Result[];
}

function runOf(report: Report): Run {
  const log = JSON.parse(REPORTERS.sarif.render(report)) as {
    readonly runs: readonly [Run];
  };
  expect([validate(log), validate.errors]).toEqual([true, null]);
  return log.runs[0];
}

const withChecks = (change: (check: CheckResult) => CheckResult): Report => ({
  ...SAMPLE_REPORT,
  scenarios: SAMPLE_REPORT.scenarios.map((scenario) => ({
    ...scenario,
    checks: scenario.checks.map(change),
  })),
});

describe('SARIF', () => {
  it('has a schema here that refuses what is none', () => {
    expect(validate({ version: '2.1.0' })).toBe(false);
    expect(validate({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).toBe(false);
  });

  it('tells of what failed, warns or could not be tested, each with its rule', () => {
    const { tool, results } = runOf(SAMPLE_REPORT);
    expect(results.map(({ ruleId, level }) => `${level} ${ruleId}`).sort()).toEqual([
      'error discovery.resource',
      'note claim.completed',
      'note claim.tokens',
      'warning discovery.caching',
      'warning shape.description',
    ]);
    for (const { ruleId, ruleIndex } of results) {
      expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    }
    expect(runOf(GREEN_REPORT).results).toEqual([]);
  });

  it('links the source of a check, and names the URL of its exchange', () => {
    const { tool, results } = runOf(SAMPLE_REPORT);
    const index = results.findIndex(({ ruleId }) => ruleId === 'discovery.resource');
    expect(tool.driver.rules[index]?.helpUri).toBe(
      'https://www.rfc-editor.org/rfc/rfc9728#section-3.3',
    );
    expect(results[index]?.locations[0]?.logicalLocations[0]?.fullyQualifiedName).toBe(
      'https://service.example/.well-known/oauth-protected-resource/api/resource',
    );
    expect(results[index]?.message.text).toMatch(
      /Expected: .* Seen: 200: .* And 4 more like it\.$/,
    );
  });

  it('knows an alert again in the next run, at another place, of another service', () => {
    const marks = (report: Report) =>
      runOf(report).results.map(
        ({ partialFingerprints }) => partialFingerprints['agentAuthCheck/v1'],
      );
    const other = withChecks((check) => ({
      ...check,
      findings: check.findings.map((each) => ({ ...each, seen: 'other' })),
    }));
    expect(marks({ ...other, target: 'https://other.example', seed: 8 })).toEqual(
      marks(SAMPLE_REPORT),
    );
    expect(new Set(marks(SAMPLE_REPORT)).size).toBe(5);
  });

  it('marks what a baseline lists as suppressed, with its reason', () => {
    const report = withChecks((check) =>
      check.id === 'discovery.resource' ? { ...check, known: 'next release' } : check,
    );
    const suppressed = runOf(report).results.filter(({ suppressions }) => suppressions);
    expect(suppressed).toMatchObject([
      { ruleId: 'discovery.resource', suppressions: [{ justification: 'next release' }] },
    ]);
  });

  it('fits its schema whatever a judged peer wrote', () => {
    const report = withChecks((check) => ({
      ...check,
      status: 'fail',
      findings: [{ expected: HOSTILE, seen: HOSTILE, exchange: 1 }],
      sources: [...check.sources, HOSTILE],
    }));
    expect(runOf(report).results).toHaveLength(10);
  });
});
