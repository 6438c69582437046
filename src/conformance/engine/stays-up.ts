import type { Answer } from '../http/answer.ts';
import type { Recorder } from '../http/recorder.ts';
import type { Death } from './death-watch.ts';
import type { Judge } from './judge.ts';

/** The deaths of a target, as a scenario tells of them. */
export class ToldDeaths {
  readonly #deaths: readonly Death[];
  readonly #recorder: Recorder;

  /** @param deaths Of the run; grows with it. */
  constructor(deaths: readonly Death[], recorder: Recorder) {
    this.#deaths = deaths;
    this.#recorder = recorder;
  }

  /** So far, each with the number of an exchange that shows its request, which is not sent again. */
  list(): readonly { readonly sentence: string; readonly exchange: number | undefined }[] {
    return this.#deaths.map(({ request, sentence }) => ({
      sentence,
      exchange: request && this.#recorder.keep(request, sentence),
    }));
  }
}

/** The scenario that tells of deaths, for each role. It stands last. */
export const STAYS_UP = {
  title: 'It goes on answering, whatever it is sent',
  checks: { answers: 'No request ends the process, or keeps it from taking connections.' },
  safe: true,
  costly: true,
  evenWhenGone: true,
} as const;

/**
 * A request that the target did not survive is a finding each.
 * @param ask Sends something that it always answers.
 */
export async function judgeStaysUp(
  judge: Judge<'answers'>,
  deaths: ToldDeaths,
  ask: () => Promise<Answer>,
): Promise<void> {
  const told = deaths.list();
  for (const { sentence, exchange } of told) judge.expect('answers', false, sentence, { exchange });
  if (told.length === 0) judge.expect('answers', true, await ask());
}
