import { nextTurn } from '../store/next-turn.ts';

type Encoding = 'latin1' | 'utf8';

/** An answer whose head is set, as much of it and of its socket as is needed here. */
interface Answer {
  readonly outgoing: { write(text: string, encoding: Encoding): unknown; end(): unknown };
  readonly socket: { cork(): void; uncork(): void };
  readonly text: string;
  readonly encoding: Encoding;
}

let waiting: Answer[] = [];

/**
 * Writes an answer at the end of this turn of the event loop, with all others of the turn: to wake whoever reads them
 * takes the system longer than to write, and is done once for those that come together.
 */
export function writeAnswer(answer: Answer): void {
  if (waiting.length === 0) nextTurn(writeAll);
  waiting.push(answer);
}

function writeAll(): void {
  const answers = waiting;
  waiting = [];
  for (const answer of answers) write(answer);
}

/** `end` with a text hands two pieces to the system: head and text, and an empty one that tells of the end. */
function write({ encoding, outgoing, socket, text }: Answer): void {
  socket.cork();
  outgoing.write(text, encoding);
  socket.uncork();
  outgoing.end();
}
