import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/mock/faults/fault.ts';
import { Wiring } from '../../../src/mock/faults/wiring.ts';
import { on, withStatus } from '../../../src/mock/http/tamper.ts';

interface Toy {
  readonly config: object;
  readonly decisions: object;
  readonly word: string;
}

/** A mock that answers with its word, and the names of the faults that are on. */
function wired(faults: Readonly<Record<string, Fault<Toy>>>) {
  let names: readonly string[] = [];
  let problem: Error | undefined;
  let built = 0;
  const wiring = new Wiring<Toy>({
    right: { config: {}, decisions: {}, word: 'right' },
    faults: new Map(Object.entries(faults)),
    on: () => names,
    follow: async () => {
      if (problem) throw problem;
    },
    app: ({ word }, prepare) => {
      built += 1;
      return async (request) => {
        prepare(request);
        return new Response(word);
      };
    },
  });
  return {
    wiring,
    say: async (path = '/') => {
      const answer = await wiring.fetch(new Request(`https://mock.test${path}`));
      return `${answer.status} ${await answer.text()}`;
    },
    switchOn: (...wanted: readonly string[]) => {
      names = wanted;
    },
    fail: (error: Error) => {
      problem = error;
    },
    built: () => built,
  };
}

const wrongWord: Fault<Toy> = { description: 'errs', parts: () => ({ word: 'wrong' }) };

describe('a wired mock', () => {
  it('follows the switches from request to request', async () => {
    const { say, switchOn } = wired({ wrongWord });
    expect(await say()).toBe('200 right');
    switchOn('wrongWord');
    expect(await say()).toBe('200 wrong');
    switchOn();
    expect(await say()).toBe('200 right');
  });

  it('asks no fault for anything while none is on', async () => {
    let asked = 0;
    const counting: Fault<Toy> = {
      description: 'counts',
      parts: () => {
        asked += 1;
        return {};
      },
      answers: (response) => {
        asked += 1;
        return response;
      },
    };
    const { say } = wired({ counting });
    await say();
    await say();
    expect(asked).toBe(0);
  });

  it('wires each set once, however often it is switched', async () => {
    const { built, say, switchOn } = wired({ wrongWord });
    for (const names of [['wrongWord'], [], ['wrongWord'], []]) {
      switchOn(...names);
      await say();
    }
    // The right one, and the one with the fault.
    expect(built()).toBe(2);
  });

  it('keeps no more sets than somebody switches to and fro', async () => {
    const faults = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`fault${n}`, wrongWord]),
    );
    const { built, say, switchOn } = wired(faults);
    const wireAll = async () => {
      for (const name of Object.keys(faults)) {
        switchOn(name);
        expect(await say()).toBe('200 wrong');
      }
    };
    await wireAll();
    const first = built();
    await wireAll();
    expect(built()).toBeGreaterThan(first);
  });

  it('passes over names that nobody knows here', async () => {
    const { say, switchOn } = wired({ wrongWord });
    switchOn('ofAnotherProcess');
    expect(await say()).toBe('200 right');
  });

  it('tampers with the answers that are meant, in order, after the mock has answered', async () => {
    const { say, switchOn } = wired({
      teapot: { description: 'is one', answers: on((path) => path === '/tea', withStatus(418)) },
      gone: {
        description: 'is gone where it was a teapot',
        answers: on((_path, { status }) => status === 418, withStatus(410)),
      },
    });
    switchOn('teapot', 'gone');
    expect(await say('/tea')).toBe('410 right');
    expect(await say('/')).toBe('200 right');
    switchOn('teapot');
    expect(await say('/tea')).toBe('418 right');
  });

  it('hands what failed before a request to the application, which knows how to say it', async () => {
    const { built, say, fail } = wired({});
    fail(new Error('The store is away.'));
    await expect(say()).rejects.toThrow('The store is away.');
    fail(new Error('The store is busy.'));
    await expect(say()).rejects.toThrow('The store is busy.');
    // The right one: an application for each such request would load a server that is in trouble already.
    expect(built()).toBe(1);
  });
});
