import { describe, expect, it } from 'vitest';
import type { Recorded } from '../../src/traffic/exchange-log.ts';
import { type Exchange, ExchangeLog } from '../../src/traffic/index.ts';

const MESSAGE = { headers: {}, body: null, bodyState: 'none', bytes: 0 } as const;

function exchange(path: string, more: Partial<Omit<Exchange, 'seq'>> = {}): Recorded {
  const redacted = {
    to: 'service',
    at: 0,
    duration: 0,
    method: 'GET',
    url: `https://mock.test${path}`,
    path,
    request: MESSAGE,
    status: 200,
    response: MESSAGE,
    ...more,
  } as const;
  return {
    to: redacted.to,
    length: JSON.stringify(redacted).length,
    redact: () => redacted,
  };
}

function filled(kept: number, count: number): ExchangeLog {
  const log = new ExchangeLog(kept);
  for (let n = 1; n <= count; n += 1) log.add(exchange(`/${n}`));
  return log;
}

const numbers = (log: ExchangeLog, since?: number, limit?: number) =>
  log.read({ since, limit }).exchanges.map(({ seq }) => seq);

describe('a log of exchanges', () => {
  it('numbers them from 1 and gives them oldest first', () => {
    const log = filled(10, 3);
    expect(numbers(log)).toEqual([1, 2, 3]);
    expect(numbers(log, 1)).toEqual([2, 3]);
    expect(numbers(log, 0, 2)).toEqual([1, 2]);
    expect(numbers(log, 3)).toEqual([]);
    expect(numbers(log, 99)).toEqual([]);
    expect(log.read().latest).toBe(3);
  });

  it('keeps the last ones, and says how many are missing', () => {
    const log = filled(4, 10);
    expect(numbers(log)).toEqual([7, 8, 9, 10]);
    expect(log.read()).toMatchObject({ dropped: 6, latest: 10 });
    expect(log.read({ since: 5 })).toMatchObject({ dropped: 1 });
    expect(log.read({ since: 6 })).toMatchObject({ dropped: 0 });
    expect(log.read({ since: 8 })).toMatchObject({ dropped: 0 });
  });

  it('keeps the last ones of very many', () => {
    const log = filled(1_000, 5_500);
    expect(numbers(log, 5_498)).toEqual([5_499, 5_500]);
    expect(log.read()).toMatchObject({ dropped: 4_500 });
    expect(numbers(log)).toHaveLength(1_000);
  });

  it('keeps fewer where they are long', () => {
    const log = new ExchangeLog();
    const body = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 70; n += 1) {
      log.add(exchange('/', { request: { ...MESSAGE, body, bodyState: 'whole' } }));
    }
    const { dropped, exchanges, latest } = log.read();
    expect(latest).toBe(70);
    expect(exchanges.length).toBeLessThan(64);
    expect(dropped).toBe(70 - exchanges.length);
  });

  it('forgets those of one mock; the numbers go on, and nothing is missed', () => {
    const log = filled(10, 3);
    log.add(exchange('/p', { to: 'provider' }));
    log.empty('service');
    expect(numbers(log)).toEqual([4]);
    log.add(exchange('/next'));
    expect(numbers(log)).toEqual([4, 5]);
    log.empty('service');
    log.empty('provider');
    expect(log.read()).toEqual({ exchanges: [], dropped: 0, latest: 5 });
    log.add(exchange('/later'));
    expect(log.read({ since: 2 })).toMatchObject({ dropped: 0, latest: 6 });
  });

  it('cannot be changed by who reads it', () => {
    const log = filled(1, 1);
    Object.assign(log.read().exchanges[0] ?? {}, { path: '/other' });
    expect(log.read().exchanges[0]?.path).toBe('/1');
  });

  it('completes one that is still kept, and no other', () => {
    const log = filled(2, 1);
    log.complete(1, exchange('/whole'));
    log.add(exchange('/2'));
    log.add(exchange('/3'));
    log.complete(1, exchange('/again'));
    expect(log.read().exchanges.map(({ path }) => path)).toEqual(['/2', '/3']);
  });

  it('redacts none that nobody reads, each once, and those before first', () => {
    const log = new ExchangeLog(3);
    const order: string[] = [];
    const noted = (path: string): Recorded => ({
      ...exchange(path),
      redact: () => {
        order.push(path);
        return exchange(path).redact();
      },
    });
    for (const path of ['/1', '/2', '/3', '/4']) log.add(noted(path));
    expect(order).toEqual([]);
    expect(numbers(log, 2, 1)).toEqual([3]);
    expect(order).toEqual(['/2', '/3']);
    log.read();
    log.read();
    expect(order).toEqual(['/2', '/3', '/4']);
  });

  it('leaves out one that cannot be redacted', () => {
    const log = filled(3, 1);
    log.add({ ...exchange('/bad'), redact: () => undefined });
    log.add(exchange('/3'));
    expect(numbers(log)).toEqual([1, 3]);
  });

  it.each([-1, 1.5, Number.NaN, 1_000_001, '7' as unknown as number])(
    'cannot keep %s of them',
    (kept) => {
      expect(() => new ExchangeLog(kept)).toThrow(
        new TypeError(`exchanges must be a whole number from 0 to 1000000, not ${String(kept)}.`),
      );
    },
  );
});

describe('whoever follows the log', () => {
  it('is told of each exchange, and again when the rest of it has come', () => {
    const log = new ExchangeLog(2);
    const told: number[] = [];
    const end = log.follow((seq) => told.push(seq));
    const first = log.add(exchange('/1'));
    log.add(exchange('/2'));
    log.complete(first, exchange('/1', { status: 201 }));
    end();
    log.add(exchange('/3'));
    expect(told).toEqual([1, 2, 1]);
  });
});
