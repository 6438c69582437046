import { CannotTest, type FindingDetails, type Judge } from '../../engine/judge.ts';
import { failing } from '../../engine/rows.ts';
import type { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import type { TestProvider } from '../test-provider.ts';

/** What came back; a service may also close the connection on what it does not want to read. */
export type Reply = Answer | NoAnswer;

const LARGE = 50_000;

/** A server that answers before it has read everything may close: no other request shares its connection. */
export function connectionFor(body: string): HeaderList {
  return body.length > LARGE ? [['connection', 'close']] : [];
}

/**
 * Closing in the middle of what is too large counts as an answer. Any other silence refuses nothing: a
 * service that died would refuse everything.
 * @throws CannotTest
 */
export async function orNoAnswer(answer: Promise<Answer>, body: string): Promise<Reply> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.kind === 'broken' && body.length > LARGE) return error;
    throw new CannotTest(`What must be refused was not answered: ${error.message}`);
  }
}

/** Judges that something was refused. A service that fails with a 5xx accepts nothing, but is warned. */
export function expectRefused<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  reply: Reply,
  isAccepted: (answer: Answer) => boolean,
  more: FindingDetails = {},
): boolean {
  if (reply instanceof NoAnswer) return judge.expect(name, true, reply.message);
  if (isAccepted(reply)) return judge.expect(name, false, reply, more);
  // What cannot be verified now is refused by a 503 (RFC 9110 §15.6.4).
  const failed = reply.status >= 500 && reply.status !== 503;
  return judge.expect(name, !failed, reply, { ...more, ...failing(reply) });
}

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
