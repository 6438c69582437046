import type { WaitEvent } from '../../agent/outcomes.ts';
import { describeDuration } from '../../protocol/durations.ts';
import type { HandoverProgress } from './handover-screen.ts';

/** Reports what happens during the wait on the screen; a lost connection is reported once. */
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
      // A `waiting` right after `trouble` is the pause before the next try: no answer has come yet.
      if (isLost && previous !== 'trouble') {
        isLost = false;
        progress.note('The server answers again.');
      }
    }
    previous = event.type;
  };
}
