import type { Judge } from '../../engine/judge.ts';
import type { TestProvider } from '../test-provider.ts';

/** Judges that nothing is fetched from a peer while something runs. */
export async function expectNoFetch<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  peer: TestProvider,
  run: () => Promise<unknown>,
  reading?: string,
): Promise<void> {
  const before = peer.hits.length;
  await run();
  const paths = peer.hits.slice(before).map(({ path }) => path);
  const seen = `It fetched ${[...new Set(paths)].join(', ')}.`;
  judge.expect(name, paths.length === 0, seen, { reading });
}
