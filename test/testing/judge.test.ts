import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { judgementText } from '../../src/testing/conform/judgement-text.ts';
import { createMockService } from '../../src/testing/mock-service.ts';
import {
  createTestWorld,
  type JudgeOptions,
  type JudgeSetting,
  judge,
  startTestWorld,
} from '../../src/testing/testing.ts';
import { expect as extended } from '../../src/testing/vitest.ts';
import { CROSS_APP_CLIENTS, createCrossApp } from '../conformance/services/cross-app.ts';
import { createApp } from '../conformance/services/express-defaults.ts';

/** So little that a run is short, and some of it takes an ID-JAG and some time. */
const LITTLE: JudgeOptions = { only: ['anonymous', 'id-jag', 'token-expiry'] };

const NO_CLIENTS = 'clients is a list of one or two: { id, secret }, without secret if public.';

const page = readFileSync(join(import.meta.dirname, '../../docs/test-kits.md'), 'utf8');

const mock = (faults: readonly string[] = []) =>
  function build({ clock, origin, providers }: JudgeSetting) {
    return createMockService({ baseUrl: origin, clock, trust: providers, faults });
  };

const crossApp = ({ clock, origin, providers }: JudgeSetting) =>
  createCrossApp(origin, { trust: providers, now: () => clock.now() });

describe('judge', () => {
  it('judges what a function builds for its URL, on a clock that it moves', async () => {
    const { conforms, report, text } = await judge(mock(), { section: 'protocol' });
    expect(text).toMatch(/^Conforms, of what you selected\.\nProtocol (\d+)\/\1 ·/);
    expect(conforms).toBe(true);
    expect(report.summary.checks.untestable).toBe(0);
  });

  it('says what is wrong and what was seen, in few lines and without a secret', async () => {
    const { conforms, text } = await judge(mock(['uncheckedUserCode']), {
      section: 'protocol',
      only: ['wrong-codes'],
      seed: 7,
    });
    expect(conforms).toBe(false);
    expect(text.split('\n').length).toBeLessThan(15);
    expect(text).toMatch(/^Does not conform, of what you selected\.$/m);
    expect(text).toContain('✗ A wrong code completes nothing.  wrong-codes.nothing-claimed');
    expect(text).toMatch(/seen {6}200:/);
    expect(text).toContain('Again with the same names and values: { seed: 7 }.');
    expect(text).not.toMatch(/--|curl|eyJ/);
    // What the page shows is what it says.
    const [, shown = ''] = /```text\n(Does not conform[\s\S]*?)```/.exec(page) ?? [];
    expect(shown).not.toBe('');
    expect(text.startsWith(shown.trimEnd())).toBe(true);
  });

  it('serves an Express application', async () => {
    const { conforms, text } = await judge(
      ({ clock, origin, providers }) =>
        createApp({ url: origin, trusted: providers, now: () => clock.now() }),
      LITTLE,
    );
    expect({ conforms, text }).toMatchObject({ conforms: true });
    // As it is: a function of three parameters builds nothing.
    await expect(judge(express())).rejects.toThrow(
      /published at .* yet: it answers 404, with a web/,
    );
  });

  it('serves a Fastify application, a listener of Node, and a fetch', async () => {
    const app = fastify();
    app.get('/hello', () => 'hello');
    await expect(judge(app)).rejects.toThrow(/published at .* yet: it answers 404, and has no/);
    const server = createServer((_request, response) => response.writeHead(410).end());
    const [listener] = server.listeners('request') as [(request: never, response: never) => void];
    await expect(judge(listener)).rejects.toThrow(/published at .* yet: it answers 410/);
    const gone = { fetch: () => new Response(null, { status: 410 }) };
    await expect(judge(gone)).rejects.toThrow(/published at .* yet: it answers 410/);
    await app.close();
  });

  it('judges a mock that runs, without waiting, and puts its clock back', async () => {
    const world = await startTestWorld();
    const { clockOffset } = await world.service.controls.moveClock({ advance: 60_000 });
    const { conforms, text } = await judge(world.service, LITTLE);
    expect({ conforms, text }).toMatchObject({ conforms: true });
    expect(await world.service.controls.state()).toMatchObject({ clockOffset });
    await world.close();
  });

  it('judges a service by its URL', async () => {
    const world = await startTestWorld();
    const { conforms } = await judge(new URL(world.service.issuer), { only: ['anonymous'] });
    expect(conforms).toBe(true);
    await world.close();
    // No system hands this port out, so no other test has it.
    await expect(judge('http://127.0.0.1:2')).rejects.toThrow(/^Nothing listens at/);
  });

  it('does not take a service for one that trusts the suite unless it takes its providers', async () => {
    const { text } = await judge(
      ({ clock, origin }) => createMockService({ baseUrl: origin, clock }),
      { only: ['id-jag'] },
    );
    expect(text).toContain('does not trust the provider that the suite runs');
    expect(text).toContain('take `providers` from what the function that builds it is given.');
    expect(text).not.toMatch(/providerPort|--/);
  });

  it('says of a service that runs what would have the rest judged, as its options are spelt', async () => {
    const world = await startTestWorld();
    const { conforms, text } = await judge(world.service.issuer, {
      only: ['id-jag', 'attempt-expiry'],
      patience: 1,
    });
    await world.close();
    expect(conforms).toBe(false);
    const words = text.replaceAll(/\s+/g, ' ');
    expect(words).toContain('suite runs: see providerPort, control. providerPort has it judged.');
    expect(words).toContain('move the clock (control), or pass patience: 600000.');
    expect(text).not.toMatch(/--|providerIssuer/);
  });

  it('judges a server of cross-app access alone, and asks for the client that it needs', async () => {
    const only = ['redemption', 'redemption-resource', 'redemption-client'];
    const resource = ['/mcp', '/files'];
    const given = { only, resource, clients: CROSS_APP_CLIENTS };
    const { conforms, report, text } = await judge(crossApp, given);
    expect({ conforms, text }).toMatchObject({ conforms: true });
    const checks = report.scenarios.flatMap((scenario) => scenario.checks);
    const passed = checks.filter(({ status }) => status === 'pass').map(({ id }) => id);
    // They take the second resource, and the second client.
    expect(passed).toContain('redemption-resource.bound');
    expect(passed).toContain('redemption-client.other-client');

    const one = await judge(crossApp, { only });
    expect(one.conforms).toBe(false);
    expect(one.text).toContain('add clients: [{ id, secret }], or clientDocument where');
    expect(one.text).not.toContain('--client');
  });

  it('says of an option that it has not where it is one', async () => {
    const { report } = await judge(crossApp, { only: ['redemption'] });
    const asked = JSON.stringify(report).replaceAll('--client-document', '--mint-command COMMAND');
    const text = judgementText(JSON.parse(asked), true);
    expect(text).toContain('or --mint-command COMMAND where');
    expect(text).toContain('is an option of `agent-auth conformance service URL` alone');
  });

  it('says what an application threw, without a token that stands in it', async () => {
    const token = 'tok_0123456789abcdefghijklmnop';
    const failure = await judge(() => () => {
      throw new Error(`no such token ${token}`);
    }).catch((error: Error) => error.message);
    expect(failure).toMatch(
      /it answers 500.* The application threw, and did not catch: Error: no such token … \(at .*judge\.test\.ts/,
    );
    const rejects = async (_request: never, response: { write(text: string): void }) => {
      response.write('half of it');
      throw new Error('too late');
    };
    await expect(judge(rejects)).rejects.toThrow('did not catch: Error: too late');
  });

  it('refuses a selection of nothing: such a run would pass', async () => {
    await expect(judge(mock(), { only: ['anonymos'] })).rejects.toThrow(
      /^anonymos is no scenario .* Did you mean anonymous\?/,
    );
    await expect(judge(mock(), { skip: ['nothing.*'] })).rejects.toThrow(/^nothing\.\* is no/);
    await expect(judge(mock(), { section: 'all' as 'protocol' })).rejects.toThrow(
      'There is no section "all". There are protocol, standards, attacks, ema.',
    );
    const misspelt = { sections: 'protocol' } as JudgeOptions;
    await expect(judge(mock(), misspelt)).rejects.toThrow(
      'There is no option "sections". Did you mean section?',
    );
    await expect(judge(mock(), { patience: '61m' as never })).rejects.toThrow(
      'patience is a number of milliseconds, not 61m.',
    );
    for (const [wrong, message] of [
      [{ only: 'anonymous' }, 'only is a list of names, not "anonymous".'],
      [{ providerPort: 99_999 }, 'providerPort is a port, not 99999.'],
      [{ resource: 3 }, 'resource is a URL or a path, or a list of them, not 3.'],
      [{ subject: 7 }, 'subject is a text, not 7.'],
      [{ clientDocument: 'yes' }, 'clientDocument is true or false, not "yes".'],
      [{ reading: 'oauth' }, 'There is no reading "oauth". There are ema, id-jag.'],
      [{ clients: [{ id: 'a', secret: 7 }] }, NO_CLIENTS],
      [{ clients: { id: 'a' } }, NO_CLIENTS],
      [{ seed: 'x' }, 'seed is a whole number, not "x".'],
      [{ control: 'tok' }, 'control is an object with url and token, not "string".'],
    ] as const) {
      await expect(judge(mock(), wrong as object)).rejects.toThrow(new TypeError(message));
    }
    await expect(judge(mock(), 'protocol' as never)).rejects.toThrow('Options are an object');
  });

  it('passes nothing of which nothing was judged', async () => {
    const { conforms, text } = await judge(mock(), {
      only: ['wrong-codes.nothing-claimed'],
      section: 'attacks',
    });
    expect({ conforms, text }).toMatchObject({
      conforms: false,
      text: expect.stringMatching('^Nothing was judged'),
    });
  });

  it('refuses what is no service, and says what one is', async () => {
    const { service } = await createTestWorld();
    await expect(judge(service)).rejects.toThrow(
      /^https:\/\/service\.example answers in this process alone, .*startTestWorld/,
    );
    await expect(judge(undefined as never)).rejects.toThrow(/^There is no application to judge:/);
    await expect(judge('127.0.0.1:8080')).rejects.toThrow(
      '127.0.0.1:8080 is no URL of a service: it begins with http.',
    );
    await expect(judge({} as never)).rejects.toThrow(/^There is no application to judge: give/);
    await expect(judge(() => undefined as never)).rejects.toThrow(/no application to judge/);
    const handler = async () => new Response();
    await expect(judge(handler as never)).rejects.toThrow(/give it as \{ fetch: handler \}\.$/);
    await expect(
      judge(() => {
        throw new Error('The application needs a database.');
      }),
    ).rejects.toThrow('The application needs a database.');
  });
});

describe('toConform', () => {
  it('fails with what is wrong, and passes without', async () => {
    await extended(mock()).toConform({ only: ['anonymous'] });
    const wrong = { only: ['wrong-codes'], section: 'protocol' } as const;
    const failing = extended(mock(['uncheckedUserCode'])).toConform(wrong);
    await expect(failing).rejects.toThrow(/A wrong code completes nothing/);
    await extended(mock(['uncheckedUserCode'])).not.toConform(wrong);
  });

  it('tells expected and seen of each finding, and where the rest is', async () => {
    const { report } = await judge(mock(['uncheckedUserCode']), { only: ['wrong-codes'] });
    const many = report.causes.flatMap((cause) => Array.from({ length: 9 }, () => cause));
    const text = judgementText({ ...report, causes: many }, true);
    expect(text.match(/^ {4}seen {2}/gm)?.length).toBe(7 * report.causes.length);
    expect(text).toContain(
      'and 2 more: report.causes of what `judge` of agent-auth/testing returns',
    );
  });

  it('takes a baseline, which is stale when what it lists passes', async () => {
    const known = (check: string) =>
      `schema: agent-auth.conformance-baseline/1\nrole: service\nknown:\n  - check: ${check}\n`;
    const wrong = { only: ['wrong-codes.nothing-claimed'] };
    const baseline = known('wrong-codes.nothing-claimed');
    await extended(mock(['uncheckedUserCode'])).toConform({ ...wrong, baseline });
    const stale = extended(mock()).toConform({ ...wrong, baseline });
    await expect(stale).rejects.toThrow(
      'In the baseline, but not failing any more: wrong-codes.nothing-claimed. Take it out.',
    );
    const misspelt = judge(mock(), { baseline: known('wrong-codes.nothing') });
    await expect(misspelt).rejects.toThrow(/^The baseline cannot be read: line 4: there is no/);
    await expect(judge(mock(), { baseline: 'known.yaml' })).rejects.toThrow(/not its name: readF/);
    await expect(judge(mock(), { baseline: '' })).rejects.toThrow(/read: it is empty/);
  });

  it('fails under not, too, where it was not found out', async () => {
    const distrusting = ({ clock, origin }: JudgeSetting) =>
      createMockService({ baseUrl: origin, clock });
    const failing = extended(distrusting).not.toConform({ only: ['anonymous', 'id-jag'] });
    await expect(failing).rejects.toThrow(/^Inconclusive/);
    const nothing = { only: ['wrong-codes.nothing-claimed'], section: 'attacks' } as const;
    await expect(extended(mock()).not.toConform(nothing)).rejects.toThrow(/^Nothing was judged/);
  });

  it('needs no types for the function that builds a service', async () => {
    await extended(({ clock, origin }) => createMockService({ baseUrl: origin, clock })).toConform({
      only: ['anonymous'],
    });
  });
});
