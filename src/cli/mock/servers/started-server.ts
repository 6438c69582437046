import type { Served } from '../../../mock/http/serve.ts';
import { usageError } from '../../shell/cli-error.ts';

/** A mock that answers. */
export interface StartedServer {
  /** Its base URL, which may differ from where it listens. */
  readonly issuer: string;
  readonly served: Served;
}

/** A sentence when a default port was taken. */
export function movedRemark(
  what: string,
  { served }: StartedServer,
  wanted: number,
): readonly string[] {
  return served.port === wanted || wanted === 0
    ? []
    : [`Port ${wanted} is taken, so the ${what} is on port ${served.port}.`];
}

/** The mocks reject a wrong option with a `TypeError` whose message is for the user. */
export async function checkOptions<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    throw error instanceof TypeError ? usageError(error.message, { cause: error }) : error;
  }
}
