import type { Judge } from '../../engine/judge.ts';
import type { TestProvider } from '../test-provider.ts';

/**
 * Judges that nothing is fetched from a peer while something runs.
 *
 * @param looks Whether what ran shows that the service looks at what it is sent. Whoever takes everything
 * fetches nothing, and that is no merit.
 */
export async function expectNoFetch<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  peer: TestProvider,
  run: () => Promise<unknown>,
  reading?: string,
  looks: () => boolean = () => true,
): Promise<void> {
  const before = peer.hits.length;
  await run();
  const paths = peer.hits.slice(before).map(({ path }) => path);
  if (paths.length === 0 && !looks()) {
    judge.skip(
      name,
      'Everything was accepted: nothing shows that the service looks at what it is sent.',
    );
    return;
  }
  const seen = `It fetched ${[...new Set(paths)].join(', ')}.`;
  judge.expect(name, paths.length === 0, seen, { reading });
}
