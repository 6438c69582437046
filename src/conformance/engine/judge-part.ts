import { NoAnswer } from '../http/no-answer.ts';
import { CannotTest, type Judge, NeedsOption, NotApplicable } from './judge.ts';

/** A part of a scenario on which nothing else rests: what keeps it from being judged leaves the rest alone. */
export async function judgePart<Name extends string>(
  judge: Judge<Name>,
  names: Name | readonly Name[],
  part: () => Promise<void>,
): Promise<void> {
  try {
    await part();
  } catch (error) {
    if (error instanceof NeedsOption) judge.skip(names, error.message, { needs: error.option });
    else if (error instanceof NotApplicable) judge.skip(names, error.message);
    else if (error instanceof CannotTest || error instanceof NoAnswer) {
      judge.untestable(names, error.message);
    } else throw error;
  }
}
