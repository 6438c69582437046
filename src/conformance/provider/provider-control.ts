import type { Clock } from '../../runtime/index.ts';
import { CannotTest } from '../engine/judge.ts';
import type { HttpClient } from '../http/http-client.ts';
import { Recorder } from '../http/recorder.ts';
import { type ControlUrl, httpControl } from '../target/http-control.ts';

/** What the control API of a mock provider, or anything that speaks like it, can do for the suite. */
export interface ProviderControl {
  /** Moves the provider's clock forward. Milliseconds. */
  advance(by: number): Promise<void>;
  /** Publishes a new signing key that signs after so many milliseconds. */
  rotate(lead: number): Promise<void>;
  /** Sets the clock to what it was before the run. */
  restore(): Promise<void>;
}

/** The control API over HTTP (`docs/controls.md`). */
export async function httpProviderControl(
  http: HttpClient,
  clock: Clock,
  address: ControlUrl,
): Promise<ProviderControl> {
  const { advance, restore } = await httpControl(http, clock, address);
  return {
    advance,
    restore,
    rotate: async (lead) => {
      const answer = await http.send(
        `${address.url.replace(/\/$/, '')}/__mock/keys/rotate`,
        {
          headers: [
            ['content-type', 'application/json'],
            ['authorization', `Bearer ${address.token}`],
          ],
          body: JSON.stringify({ lead: `${Math.ceil(lead / 1000)}s` }),
        },
        new Recorder(clock),
      );
      if (!answer.ok) throw new CannotTest(`The control API refused it: ${answer.describe()}.`);
    },
  };
}
