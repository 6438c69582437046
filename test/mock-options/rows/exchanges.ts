import type { Row } from '../row.ts';

const TOKEN = 'a-token-that-nobody-guesses';

export const exchangeRows: readonly Row[] = (['service', 'provider'] as const).map(
  (of): Row => ({
    of,
    flag: ['--exchanges', '2'],
    config: 'exchanges: 2',
    library: { exchanges: 2, control: { token: TOKEN } },
    without: { library: { control: { token: TOKEN } } },
    probe: async (mock) => {
      for (const _ of [1, 2, 3, 4]) await mock.status('/.well-known/jwks.json');
      const kept = await mock.json('/__mock/exchanges', {
        headers: { authorization: `Bearer ${mock.controlToken ?? TOKEN}` },
      });
      return (kept['exchanges'] as readonly unknown[]).length;
    },
    seen: 2,
    bad: [
      {
        value: '-1',
        flag: 'usual',
        config: 'a whole number from 0 to 1000000',
        library: [{ exchanges: -1 }, 'exchanges must be a whole number from 0 to 1000000, not -1.'],
      },
    ],
  }),
);
