import type { LiveRequest } from '../match/index.ts';
import { textsIn } from '../recording/index.ts';
import type { Run } from './run.ts';

/** So many agents are answered side by side; the one that began first is forgotten first. */
const MOST_RUNS = 500;
/** What a value that was given out may look like within a text. A JWT is one word. */
const WORD = /[\w.~-]{4,}/g;

/** The runs of a replay: one for each agent that began, known again by the values that it was given. */
export class Runs {
  readonly #make: () => Run;
  readonly #runs: Run[];
  readonly #byValue = new Map<string, Run>();

  constructor(make: () => Run) {
    this.#make = make;
    this.#runs = [make()];
  }

  get first(): Run {
    return this.#runs[0] ?? this.fresh();
  }

  all(): readonly Run[] {
    return this.#runs;
  }

  /** One that nobody has begun. */
  fresh(): Run {
    return this.#make();
  }

  keep(run: Run): Run {
    this.#runs.push(run);
    const [oldest] = this.#runs.length > MOST_RUNS ? this.#runs.splice(0, 1) : [];
    if (oldest !== undefined) {
      for (const [value, owner] of this.#byValue) if (owner === oldest) this.#byValue.delete(value);
    }
    return run;
  }

  /** Remembers whom a value was given. */
  note(value: string, run: Run): void {
    this.#byValue.set(value, run);
  }

  /** The run that gave out what a request has with it; `undefined` where it has nothing of the kind. */
  of({ body, headers, target }: LiveRequest): Run | undefined {
    const { authorization = '', cookie = '', ...others } = headers;
    for (const text of textsIn([authorization, target, body, cookie, others])) {
      const plain = unescaped(text);
      for (const [word] of plain.matchAll(WORD)) {
        const run = this.#byValue.get(word);
        if (run !== undefined) return run;
      }
      // A code that was typed in groups.
      const run = this.#byValue.get(plain.replaceAll(/[ -]/g, ''));
      if (run !== undefined) return run;
    }
    return undefined;
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
