import { describe, expect, it, vi } from 'vitest';
import {
  type Handover,
  type HandoverProgress,
  showHandover,
} from '../../../src/cli/prompts/handover-screen.ts';
import type { BrowserMode } from '../../../src/cli/terminal/browser.ts';
import { Interrupted } from '../../../src/cli/terminal/interrupted.ts';
import { Keyboard } from '../support/memory-streams.ts';
import { type ScreenSetup, screenContext } from './screen-context.ts';

interface Setup extends ScreenSetup {
  readonly mode?: BrowserMode;
  readonly handover?: Partial<Handover>;
  /** What is typed while the program waits, one arrival each. */
  readonly keys?: readonly string[];
}

// What the screen loads when it needs it; here it must not take time.
await Promise.all([import('ora'), import('uqr')]);

/** Keys and drawings arrive in later turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function show(setup: Setup = {}, during: (progress: HandoverProgress) => void = () => {}) {
  const { clock, context, interrupt, memory, opened } = screenContext(setup);
  const handover: Handover = {
    heading: 'Mock service',
    url: 'http://127.0.0.1:4800',
    account: 'alice@example.com',
    userCode: '123456',
    verificationUri: 'http://127.0.0.1:4800/login?return_to=%2Fclaim',
    trusted: true,
    expiresAt: clock.now() + 570_000,
    ...setup.handover,
  };
  const result = await showHandover(context, handover, setup.mode ?? 'auto', async (progress) => {
    during(progress);
    for (const key of setup.keys ?? []) {
      memory.stdin.write(key);
      await turns();
    }
    await turns();
    return 'waited';
  });
  return { result, memory, opened, interrupt, screen: memory.stderr.text };
}

describe('the claim screen', () => {
  it('shows service, account, page, code and what to do with it, all on stderr', async () => {
    const { screen, memory, result } = await show();
    expect(result).toBe('waited');
    expect(memory.stdout.text).toBe('');
    const lines = screen.split('\n');
    expect(lines).toContain('Mock service · alice@example.com');
    expect(lines).toContain('http://127.0.0.1:4800/login?return_to=%2Fclaim');
    expect(lines).toContain('Code  123 456');
    expect(lines).toContain('Type it on that page after signing in; do not paste it back here.');
    expect(screen).toContain('Waiting for alice@example.com, 9 minutes 30 seconds left');
  });

  it('follows the time that the server shows', async () => {
    const { screen } = await show({ tty: false }, (progress) => {
      progress.timeLeft(1000);
      progress.note('noted');
    });
    expect(screen).toContain('noted');
  });

  it('shows the code without a terminal too, without keys and escape codes', async () => {
    const { memory } = await show({ tty: false });
    expect(memory.stderr.raw).toBe(memory.stderr.text);
    expect(memory.stderr.text).toContain('Code  123 456');
    expect(memory.stderr.text).not.toContain('Enter');
  });

  it.each([{ json: true as const }, { quiet: true as const }])(
    'is silent under %o',
    async (options) => {
      expect((await show({ options })).memory.stderr.raw).toBe('');
    },
  );

  it('links the URL by its own text', async () => {
    const { memory } = await show();
    const page = 'http://127.0.0.1:4800/login?return_to=%2Fclaim';
    expect(memory.stderr.raw).toContain(`\u001b]8;;${page}\u001b\\${page}\u001b]8;;\u001b\\`);
  });

  it('draws nothing on a dumb terminal', async () => {
    const { memory } = await show({ env: { TERM: 'dumb' } });
    expect(memory.stderr.raw).not.toContain('\u001b]8');
  });

  it('strips control, escape and bidi characters from what a server says', async () => {
    const { memory } = await show({
      tty: false,
      handover: {
        heading: 'Evil\u001b[2J\u202e\u0007 service',
        userCode: '12\u001b]52;c;AAAA\u000734',
      },
    });
    expect(memory.stderr.raw).toContain('Evil service');
    expect(memory.stderr.raw).toContain('Code  1234');
    expect(memory.stderr.raw).not.toMatch(/[^\x20-\x7e\n…·]/);
  });

  it('shows a look-alike host as punycode', async () => {
    const { screen } = await show({ handover: { verificationUri: 'https://exаmple.com/x' } });
    expect(screen).toContain('https://xn--exmple-4nf.com/x');
  });
});

describe('the browser', () => {
  const page = 'http://127.0.0.1:4800/login?return_to=%2Fclaim';

  it.each([
    ['waits for Enter on a desktop', {}, []],
    ['opens on Enter', { keys: ['\r'] }, [page]],
    ['opens by itself with always', { mode: 'always' as const }, [page]],
    [
      'opens by itself with always, without a terminal too',
      { mode: 'always' as const, tty: false },
      [page],
    ],
    ['never opens with never', { mode: 'never' as const, keys: ['\r'] }, []],
    ['does not open over SSH', { env: { SSH_TTY: '/dev/pts/1' }, keys: ['\r'] }, []],
    ['does not open in CI', { env: { CI: '1' }, keys: ['\r'] }, []],
    [
      'is not given a page that is not the service’s own',
      { handover: { trusted: false }, keys: ['\r'], mode: 'always' as const },
      [],
    ],
  ])('%s', async (_case, setup: Setup, expected) => {
    expect((await show(setup)).opened).toEqual(expected);
  });

  it('is not offered where it would not be seen', async () => {
    const { screen } = await show({ env: { SSH_TTY: '/dev/pts/1' } });
    expect(screen).not.toContain('Enter opens');
    expect(screen).toContain('c copies the code');
  });

  it('is warned against, and nothing is linked, when the page is elsewhere', async () => {
    const { memory, screen } = await show({ handover: { trusted: false } });
    expect(screen).toContain('not on the origin of the service');
    expect(memory.stderr.raw).not.toContain('\u001b]8;;');
  });
});

describe('keys', () => {
  it('copies the code through the terminal on c', async () => {
    const { memory } = await show({ keys: ['c'] });
    expect(memory.stderr.raw).toContain(
      `\u001b]52;c;${Buffer.from('123456').toString('base64')}\u0007`,
    );
  });

  const elsewhere = {
    verificationUri: 'https://service.example/c/cat_X5hLimyzYSwu2q-MeUTjESuy01o',
  };

  it('draws a QR code on q, dark on light whatever the theme', async () => {
    const { memory, screen } = await show({ keys: ['q'], handover: elsewhere });
    expect(screen).toMatch(/[█▀▄ ]{10}/);
    const drawn = memory.stderr.raw.split('\n').filter((line) => /[█▀▄]{3}/.test(line));
    expect(drawn.length).toBeGreaterThan(10);
    for (const line of drawn) {
      expect(line).toMatch(/\[38;5;16;48;5;231m[█▀▄ ]+.\[0m/);
    }
  });

  it('takes the QR code away on q again, and keeps what was noted meanwhile', async () => {
    const { memory, screen } = await show({ keys: ['q', 'c', 'q'], handover: elsewhere });
    const rows = screen.split('\n').filter((line) => /[█▀▄]{3}/.test(line)).length;
    const [before = '', after = ''] = memory.stderr.raw.split('\u001b[0J');
    // The rows of the code, its light edges among them, and the note.
    const up = Number(/\[(\d+)F$/.exec(before)?.[1]);
    expect(up).toBeGreaterThan(rows);
    expect(up).toBeLessThan(rows + 4);
    expect(after).toContain('Asked the terminal to copy the code.');
    expect(after).not.toMatch(/[█▀▄]{3}/);
  });

  it('says once that the terminal was asked to copy (each key said it again)', async () => {
    const { memory, screen } = await show({ keys: ['c', 'c'] });
    expect(screen.match(/Asked the terminal/g)).toHaveLength(1);
    expect(memory.stderr.raw.split(']52;c;')).toHaveLength(3);
  });

  it('stops its job on Ctrl-Z with the terminal given back, and goes on (the key did nothing)', async () => {
    const raw = vi.spyOn(Keyboard.prototype, 'setRawMode');
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      expect(raw.mock.lastCall).toEqual([false]);
      return true;
    });
    const { result } = await show({ keys: ['\u001a'] });
    expect(kill.mock.calls).toEqual([[0, 'SIGTSTP']]);
    // The last one is the end of the wait.
    expect(raw.mock.calls.flat()).toEqual([true, false, true, false]);
    expect(result).toBe('waited');
    vi.restoreAllMocks();
  });

  it('draws it again after that', async () => {
    const { memory } = await show({ keys: ['q', 'q', 'q'], handover: elsewhere });
    expect(memory.stderr.raw.split('\u001b[0J')[1]).toMatch(/[█▀▄]{3}/);
  });

  it('draws no QR code of a URL that no other device reaches', async () => {
    const { screen } = await show({ keys: ['q'] });
    expect(screen).not.toMatch(/[█▀▄]{3}/);
    expect(screen).not.toContain('q shows');
    expect(screen).toContain('another device cannot reach');
    expect((await show({ handover: elsewhere })).screen).toContain('q shows and hides a QR code');
  });

  it.each([
    ['that the browser was asked', {}, 'Asked the browser to open the page.'],
    [
      'that no launcher was there',
      { launcher: 'nothing here' },
      'No browser could be opened: nothing here.',
    ],
    [
      'that nothing is opened over SSH',
      { env: { SSH_TTY: '/dev/pts/1' } },
      'this is an SSH session',
    ],
    ['that nothing is opened in CI', { env: { CI: '1' } }, 'Not opened: CI is set.'],
    ['that never was asked for', { mode: 'never' as const }, '--browser never was given'],
    [
      'that the page is elsewhere',
      { handover: { trusted: false } },
      'not on the origin of the service. Open',
    ],
  ])('says on Enter %s', async (_what, setup: Setup, text) => {
    const { screen } = await show({ ...setup, keys: ['\r'] });
    expect(screen).toContain(text);
    expect(screen).toContain('Open the URL yourself, on any device.');
  });

  it('says once why it opens nothing, however often Enter is pressed', async () => {
    const { screen } = await show({ env: { CI: '1' }, keys: ['\r', '\r', '\r'] });
    expect(screen.match(/Not opened/g)).toHaveLength(1);
  });

  it('asks the browser and does not say so when that failed', async () => {
    const { screen } = await show({ keys: ['\r'], launcher: 'nothing here' });
    expect(screen).not.toContain('Asked the browser');
  });

  it('stops on Ctrl-C, which raw mode swallows', async () => {
    const { interrupt } = await show({ keys: ['\u0003'] });
    expect(interrupt.signal.reason).toBeInstanceOf(Interrupted);
  });

  it('ignores other keys, and arrows are not letters', async () => {
    const { memory, opened } = await show({ keys: ['x', '\u001b[C'] });
    expect(opened).toEqual([]);
    expect(memory.stderr.raw).not.toContain('\u001b]52');
  });

  it('gives the keyboard back at the end', async () => {
    const { memory } = await show({ keys: ['c'] });
    expect(memory.stdin.isRaw).toBe(false);
    expect(memory.stdin.listenerCount('data')).toBe(0);
  });
});
