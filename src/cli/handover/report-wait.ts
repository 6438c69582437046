import type { WaitEvent } from '../../agent/outcomes.ts';
import { describeDuration } from '../../protocol/durations.ts';
import type { HandoverProgress } from './handover-screen.ts';

/** Tells the person at the screen what the wait meets; a connection that stays lost is told once. */
export function reportWait(progress: HandoverProgress): (event: WaitEvent) => void {
  let isLost = false;
  let previous: WaitEvent['type'] | undefined;
  return (event) => {
    if (event.type === 'trouble' && !isLost) {
      isLost = true;
      const what =
        event.status === null ? 'No answer from the server' : `The server answered ${event.status}`;
      const wait = describeDuration(event.nextPollIn);
      progress.note(`${what}; trying again in ${wait}.`);
    } else if (event.type === 'waiting') {
      progress.timeLeft(event.remaining);
      // After a trouble comes the wait for the next try; only a wait that follows an answer is news.
      if (isLost && previous !== 'trouble') {
        isLost = false;
        progress.note('The server answers again.');
      }
    }
    previous = event.type;
  };
}
