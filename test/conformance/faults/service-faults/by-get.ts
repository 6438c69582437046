import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';

/** An endpoint that takes a form takes it from the query of a GET as well. */
export function alsoByGet(path: string): Rewired {
  return ({ routes }) => ({
    routes: (mock) => {
      const reader = {
        ...mock.reader,
        accepts: () => true,
        text: async ({ url }: Request) => new URL(url).search.slice(1),
      };
      const byGet = routes({ ...mock, reader })
        .filter((route) => route.path === path)
        .map((route) => ({ ...route, method: 'GET' as const }));
      return [...routes(mock), ...byGet];
    },
  });
}
