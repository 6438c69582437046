import { NoAnswer } from '../http/no-answer.ts';

/**
 * Whether anything answers at a URL, whatever it says. A timeout is no death, and neither is one broken
 * connection: a server may close one that it kept open just as it is used again (RFC 9112 §9.3.1).
 */
export async function answers(
  get: (url: string) => Promise<unknown>,
  url: string,
): Promise<boolean> {
  const first = await problemOf(get, url);
  const kind = first === 'broken' ? await problemOf(get, url) : first;
  return kind === undefined || kind === 'timeout';
}

async function problemOf(
  get: (url: string) => Promise<unknown>,
  url: string,
): Promise<NoAnswer['kind'] | undefined> {
  try {
    await get(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return error.kind;
  }
}
