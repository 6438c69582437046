import { NoAnswer } from '../http/no-answer.ts';

/** Whether anything answers at a URL, whatever it says. A timeout is no death. */
export async function answers(
  get: (url: string) => Promise<unknown>,
  url: string,
): Promise<boolean> {
  try {
    await get(url);
    return true;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return error.kind === 'timeout';
  }
}
