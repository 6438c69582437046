import express from 'express';
import { describe, expect, it } from 'vitest';
import { createService } from '../../../docs/examples/express-service.js';
import { buildReport } from '../../../src/conformance/engine/report.ts';
import type { ScenarioResult, Section } from '../../../src/conformance/index.ts';
import { SERVICE_CORE } from '../../../src/conformance/service/core.ts';
import { startAsShown } from '../services/as-shown.ts';
import { listening, startExpressDefaults } from '../services/express-defaults.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judgeRunning } from '../support/judge-running.ts';
import { ids, OF_AS_SHOWN } from './failing.ts';

function reportOf(scenarios: readonly ScenarioResult[]) {
  const run = { version: '0', target: 'test', startedAt: 0, duration: 0, seed: 1 };
  return buildReport({ ...run, role: 'service', scenarios, core: SERVICE_CORE });
}

const failing = (results: readonly ScenarioResult[], section: Section) =>
  ids(withStatus(results, ['fail']).filter((check) => check.section === section));

/** Why a check was not judged. */
const reasonOf = (results: readonly ScenarioResult[], id: string) =>
  withStatus(results, ['skip', 'untestable']).find((check) => check.id === id)?.reason;

describe('a service that sends what the specification shows, and no more', () => {
  it('has a full score for the protocol, whatever other texts ask for', async () => {
    const results = await judgeRunning(startAsShown);
    const { summary, verdict } = reportOf(results);
    const { passed, judged } = summary.sections.protocol;
    expect(passed).toBe(judged);
    expect(judged).toBeGreaterThan(75);
    expect(failing(results, 'standards')).toEqual(OF_AS_SHOWN.standards);
    expect(failing(results, 'attacks')).toEqual(OF_AS_SHOWN.attacks);
    expect(withStatus(results, ['untestable'])).toEqual([]);
    expect(verdict).toMatchObject({ outcome: 'does_not_conform', unjudged: [] });
  });
});

describe('a right service on Express with its defaults', () => {
  it('conforms, and what it lacks is one warning each', async () => {
    const results = await judgeRunning(startExpressDefaults);
    const { summary, verdict } = reportOf(results);
    expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
    expect(verdict).toMatchObject({ outcome: 'conforms', unjudged: [] });
    expect(summary.sections.protocol.passed).toBe(summary.sections.protocol.judged);

    const warned = ids(withStatus(results, ['warn']));
    expect(warned).toContain('claim-page.deny-offered');
    expect(warned).toContain('id-jag-confirmation.never-silent');
    expect(warned).toContain('media-types.json-alone');
    // What rests on the same is no second warning.
    for (const [id, because] of [
      ['denial.denied', /no control to deny/],
      ['completion-forgery.foreign-denial', /no control to deny/],
      ['claim-races.deny-or-complete', /no control to deny/],
      ['id-jag-confirmation.asked', /nobody is asked/],
      ['provider-name.not-markup', /nobody is asked/],
      ['insufficient-scope.status', /No write at the protected URL was taken/],
      ['methods.allow', /405/],
    ] as const) {
      expect(reasonOf(results, id), id).toMatch(because);
    }
  });
});

describe('a service that offers discovery and anonymous registration only', () => {
  it('fails what is missing, and is not judged about what it does not offer', async () => {
    const results = await judgeRunning((options) =>
      startExpressDefaults({ ...options, bug: 'anonymous-alone' }),
    );
    expect(ids(withStatus(results, ['fail']))).toEqual([
      'agent-auth.claim-endpoint',
      'agent-auth.skill',
      'server-metadata.revocation-endpoint',
    ]);
    expect(ids(withStatus(results, ['untestable']))).toEqual([]);
    expect(withStatus(results, ['pass']).length).toBeGreaterThan(100);
  });
});

describe('the service of docs/examples, for others to begin from', () => {
  it('conforms', async () => {
    const results = await judgeRunning(async ({ now }) => {
      const outer = express().set('env', 'test');
      const { server, base } = await listening(outer);
      outer.use(await createService(base, () => now() / 1000));
      return { url: base, close: async () => void server.close().closeAllConnections() };
    });
    const { summary, verdict } = reportOf(results);
    expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
    expect(verdict).toMatchObject({ outcome: 'conforms', unjudged: [] });
    expect(summary.sections.protocol.passed).toBe(summary.sections.protocol.judged);
  });
});
