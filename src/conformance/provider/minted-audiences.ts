import { shown } from '../engine/judge.ts';
import type { Answer } from '../http/answer.ts';
import type { Begun, Recorder } from '../http/recorder.ts';
import { openJwt } from '../jwt/open.ts';

interface WrongAudience {
  readonly seen: string;
  readonly request: Begun | undefined;
}

/** The others have the same cause. */
const MOST = 3;

/** Whom the ID-JAGs of a run are for. */
export class MintedAudiences {
  readonly wrong: WrongAudience[] = [];
  count = 0;

  /** Looks at an answer that may have an ID-JAG for an audience. */
  note(answer: Answer, audience: string, recorder: Recorder): void {
    const token = answer.string('access_token');
    if (token === undefined) return;
    this.count += 1;
    const { aud } = openJwt(token)?.claims ?? { aud: audience };
    const [first, ...others] = [aud].flat();
    if (first === audience && others.length === 0) return;
    if (this.wrong.length >= MOST) return;
    const seen = `aud: ${shown(aud)} for the audience ${audience}`;
    this.wrong.push({ seen, request: recorder.begun(answer.exchange) });
  }
}
