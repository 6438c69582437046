import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/agent/credentials/memory-store.ts';
import type { ReadBackCeremony, Registration } from '../../../src/agent/model.ts';
import type { ClaimOpen, CodeRefused } from '../../../src/agent/outcomes.ts';
import { canTypeCode, codeAsker } from '../../../src/cli/prompts/code-screen.ts';
import type { BrowserMode } from '../../../src/cli/terminal/browser.ts';
import { type ScreenSetup, screenContext } from './screen-context.ts';

const PAGE = 'https://api.example.com/claim?t=att_1';

const CEREMONY: ReadBackCeremony = {
  kind: 'read_back',
  verificationUri: PAGE,
  mailedTo: null,
  openable: true,
  expiresAt: 600_000,
  remaining: 600_000,
};

function openOf(ceremony: Partial<ReadBackCeremony>): ClaimOpen {
  const registration: Registration = {
    id: 'reg_1',
    type: 'service_auth',
    issuer: 'https://api.example.com',
    resource: 'https://api.example.com',
    dialect: 'nested',
    createdAt: 0,
    assertion: null,
    token: null,
    preClaimScopes: null,
    postClaimScopes: null,
    claim: null,
    claimed: false,
    email: 'alice@example.com',
    provider: null,
    ended: null,
  };
  return {
    ...{ status: 'open', registration, resumed: false, warnings: [] },
    ceremony: { ...CEREMONY, ...ceremony },
  };
}

interface Setup extends ScreenSetup {
  readonly ceremony?: Partial<ReadBackCeremony>;
  /** What is typed, one answer each; then nobody answers until the question is taken away. */
  readonly answers?: readonly string[];
  readonly mode?: BrowserMode;
  readonly timeout?: number;
}

async function bench(setup: Setup = {}) {
  const rejected: string[] = [];
  const answers = [...(setup.answers ?? [])];
  const { context, interrupt, memory, opened } = screenContext(
    setup,
    async (_question, problem, signal) => {
      for (let typed = answers.shift(); typed !== undefined; typed = answers.shift()) {
        const wrong = problem(typed);
        if (wrong === undefined) return typed;
        rejected.push(wrong);
      }
      return new Promise((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
  );
  const ask = codeAsker(context, {
    store: createMemoryStore(),
    browser: setup.mode ?? 'auto',
    timeout: setup.timeout,
  });
  const open = openOf(setup.ceremony ?? {});
  return { ask, open, context, interrupt, opened, rejected, memory };
}

async function shown(setup: Setup) {
  const { ask, open, ...rest } = await bench(setup);
  const code = await ask(open, undefined);
  return { code: code?.reveal(), screen: rest.memory.stderr.text, ...rest };
}

describe('the screen that asks for a code', () => {
  it('says once why it opens nothing, however often Enter is pressed', async () => {
    const { screen } = await shown({ mode: 'never', answers: ['', '', '123456'] });
    expect(screen.match(/Not opened/g)).toHaveLength(1);
  });

  it('shows service, account, page, what it shows, and the keys, all on stderr', async () => {
    const { screen, code, memory } = await shown({ answers: ['123456'] });
    expect([code, memory.stdout.text]).toEqual(['123456', '']);
    expect(screen.split('\n')).toEqual(
      expect.arrayContaining([
        'api.example.com · alice@example.com',
        PAGE,
        'After signing in and confirming, that page shows a code: type it here.',
        'Enter opens the browser · q and Enter draw a QR code · Ctrl-C quits',
      ]),
    );
  });

  it('says whom a mail went to, without control or bidi characters', async () => {
    const ceremony = {
      verificationUri: null,
      openable: false,
      mailedTo: 'al\u001b[2Jice\u202e@example.com',
    };
    const { screen, memory } = await shown({ ceremony, answers: ['', 'q', '123456'] });
    expect(screen).toContain('A code was mailed to alice@example.com: type it here.');
    expect(screen).toContain('at most; the mail may say less.');
    expect(memory.stderr.raw).not.toContain('\u202e');
  });

  it('opens the browser by Enter, at once where that is wanted, and never a foreign page', async () => {
    expect((await shown({ answers: ['', '1'] })).opened).toEqual([PAGE]);
    expect((await shown({ answers: ['1'], mode: 'always' })).opened).toEqual([PAGE]);
    const foreign = await shown({
      ceremony: { verificationUri: 'https://elsewhere.example/c', openable: false },
      answers: ['', '1'],
      mode: 'always',
    });
    expect(foreign.opened).toEqual([]);
    expect(foreign.screen).toContain('This page is not on the origin of the service.');
    expect(foreign.memory.stderr.raw).not.toContain('\u001b]8');
  });

  it('draws the page as a QR code', async () => {
    expect((await shown({ answers: ['q', '1'] })).screen).toMatch(/[█▀▄]{10}/);
  });

  it('takes nothing that no code can be', async () => {
    const { rejected, code } = await shown({ answers: ['ü', 'x'.repeat(65), '-', ' 12 34 '] });
    expect(code).toBe('12 34');
    expect(rejected).toEqual(Array(3).fill('Type the code as the page shows it.'));
  });

  it('asks for nothing more once the time is over, or the limit of the wait', async () => {
    expect((await shown({ timeout: 1 })).code).toBeUndefined();
    expect((await shown({ ceremony: { remaining: -990 } })).code).toBeUndefined();
  });

  it('leaves the question when the program is stopped', async () => {
    const { ask, open, interrupt } = await bench();
    const asking = ask(open, undefined);
    interrupt.abort(new Error('stopped'));
    await expect(asking).rejects.toThrow('stopped');
  });

  it('takes the same code by Enter once it was only not confirmed, and no other time', async () => {
    const { ask, open, opened, memory } = await bench({ answers: ['123456', '', '', '654321'] });
    const first = await ask(open, undefined);
    const refused = (status: 'not_confirmed' | 'wrong_code'): CodeRefused => {
      const common = { registration: open.registration, ceremony: CEREMONY };
      return status === 'wrong_code'
        ? { status, ...common, attemptsRemaining: undefined }
        : { status, ...common };
    };
    expect((await ask(open, refused('not_confirmed')))?.reveal()).toBe(first?.reveal());
    expect(opened).toEqual([]);
    expect((await ask(open, refused('wrong_code')))?.reveal()).toBe('654321');
    expect(opened).toEqual([PAGE]);
    expect(memory.stderr.text).toContain('That is not the code.\n');
  });

  it('is for a terminal that is not told to be quiet', async () => {
    expect(canTypeCode((await bench()).context)).toBe(true);
    expect(canTypeCode((await bench({ tty: false })).context)).toBe(false);
    expect(canTypeCode((await bench({ options: { json: true } })).context)).toBe(false);
    expect(canTypeCode((await bench({ options: { quiet: true } })).context)).toBe(false);
  });
});
