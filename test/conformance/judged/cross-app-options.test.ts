import { describe, expect, it } from 'vitest';
import { CROSS_APP_CLIENTS, startCrossApp } from '../services/cross-app.ts';
import { withStatus } from '../support/failing-checks.ts';
import { judge, scenariosOf } from './judge.ts';

const [client] = CROSS_APP_CLIENTS;

describe('a server that registers no agents', () => {
  it('is not failed for that, and the client that is missing is asked for by name', async () => {
    const dialects: string[] = [];
    const options = { onDialect: (found: string) => dialects.push(found) };
    const { failed, report } = await judge({ start: startCrossApp, options });
    expect(failed).toEqual([]);
    // It was reported as flat, which registers agents.
    expect(dialects).toEqual([]);
    expect(report.verdict).toMatchObject({
      outcome: 'inconclusive',
      unjudged: [{ option: '--client-id', why: expect.stringContaining('--client-secret @FILE') }],
    });
  });

  it('is judged with one client and one resource, and told what a second one would show', async () => {
    const options = { crossApp: { clients: [client] } };
    const both = scenariosOf('redemption-resource.bound', 'redemption-client.other-client');
    const { failed, report } = await judge({ start: startCrossApp, options }, undefined, both);
    expect(failed).toEqual([]);
    const needs = withStatus(report.scenarios, ['skip']).map((check) => [check.id, check.needs]);
    expect(Object.fromEntries(needs)).toMatchObject({
      'redemption-resource.bound': '--resource',
      'redemption-client.other-client': '--client-id',
    });
  });
});

it('fails an ID-JAG that is redeemed twice by EMA alone: by the draft it is a warning', async () => {
  const again = scenariosOf('redemption-replay.again');
  const options = { crossApp: { clients: [client], reading: 'id-jag' } } as const;
  const { failed, warned } = await judge({ start: startCrossApp, options }, 'jti-forgotten', again);
  expect(failed).toEqual([]);
  expect(warned).toContain('redemption-replay.again');
});
