/**
 * For how many turns a request looks for another one: about half a second, and more on a machine that has no time. What has
 * arrived meanwhile is read between two of them, so that nobody gives up before.
 */
const TURNS = 100;
/** How long a turn lasts at least. Milliseconds. */
const PAUSE = 5;

/** So often is somebody waited for alone about one thing: what is sent one by one is not held up each time. */
const IN_VAIN = 4;

/** Taken now: a test may put a fake one in its place. */
const timer = setTimeout;
let turn: Promise<void> | undefined;

/** A pause, behind what other threads were given to do before: another request may wait for a signature. */
async function pause(): Promise<void> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const short = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(16), iterations: 1 };
  await crypto.subtle.deriveBits(short, key, 256);
  await new Promise<void>((resolve) => timer(resolve, PAUSE));
  turn = undefined;
}

/** Holds a request until another one has come, or none did. Returns whether one has. */
export async function heldUntil(hasCome: () => boolean, turns = TURNS): Promise<boolean> {
  for (let n = 0; n < turns && !hasCome(); n += 1) {
    turn ??= pause();
    await turn;
  }
  return hasCome();
}

/** The requests about one thing that are under way. */
interface Meeting<Seen> {
  /** What the first of them saw: it decides them all. */
  seen?: Promise<Seen>;
  present: number;
  late: number;
  between: number;
}

/**
 * Makes requests overlap whatever the machine does: each is held until another one about the same thing has come. What the
 * first has seen is what all of them decide on.
 */
export class Barrier<Seen> {
  readonly #meetings = new Map<string, Meeting<Seen>>();
  readonly #inVain = new Map<string, number>();

  /** Writes by what was seen before another one like it had come; `isOvertaken`: before one that comes between was done. */
  decideLate<Result>(
    about: string,
    see: () => Promise<Seen>,
    write: (seen: Seen) => Promise<Result>,
    { isOvertaken = false } = {},
  ): Promise<Result> {
    return this.#meet(about, async (meeting) => {
      meeting.seen ??= see();
      const seen = await meeting.seen;
      meeting.late += 1;
      const own = meeting.late;
      const hasCome = () => (isOvertaken ? meeting.between > 0 : meeting.late > own);
      await this.#hold(`late ${about}`, hasCome, meeting);
      return write(seen);
    });
  }

  /** Is done once somebody who will decide late has looked. */
  comeBetween<Result>(about: string, done: () => Promise<Result>): Promise<Result> {
    return this.#meet(about, async (meeting) => {
      // Not as long: those at another process, who cannot be seen, are to be late for it too.
      await this.#hold(`between ${about}`, () => meeting.late > 0, meeting, TURNS / 2);
      return done().finally(() => {
        meeting.between += 1;
      });
    });
  }

  async #hold(
    what: string,
    hasCome: () => boolean,
    meeting: Meeting<Seen>,
    turns = TURNS,
  ): Promise<void> {
    const inVain = this.#inVain.get(what) ?? 0;
    if (inVain >= IN_VAIN || (await heldUntil(hasCome, turns))) return;
    // The last one of several that came together says nothing of the next ones.
    if (meeting.present === 1) this.#inVain.set(what, inVain + 1);
  }

  async #meet<Result>(
    about: string,
    take: (meeting: Meeting<Seen>) => Promise<Result>,
  ): Promise<Result> {
    const meeting = this.#meetings.get(about) ?? { present: 0, late: 0, between: 0 };
    this.#meetings.set(about, meeting);
    meeting.present += 1;
    try {
      return await take(meeting);
    } finally {
      meeting.present -= 1;
      if (meeting.present === 0) this.#meetings.delete(about);
    }
  }
}
