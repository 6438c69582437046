import { type Direction, recogniseAnswer } from '../../discovery/index.ts';
import type { Answer } from '../http/answer.ts';
import type { DialectId } from '../model.ts';

/**
 * The dialect that an answer is written in, by its members: of several, the one by which the user can act on it,
 * else one of those expected; the first of them where no family is shown.
 */
export function writtenIn(
  { body }: Pick<Answer, 'body'>,
  expected: readonly [DialectId, ...DialectId[]],
): DialectId {
  const { families: shown, direction } = recogniseAnswer(body.ok ? body.json : {});
  const fit = direction && DIALECT_OF_DIRECTION[direction];
  if (fit !== undefined && shown.includes(fit)) return fit;
  return expected.find((id) => shown.includes(id)) ?? shown[0] ?? expected[0];
}

/** Whose ceremony it is, in an answer that mixes families. */
const DIALECT_OF_DIRECTION = {
  type_there: 'flat',
  read_back_page: 'nested',
  read_back_mailbox: 'first',
} as const satisfies Record<Direction, DialectId>;
