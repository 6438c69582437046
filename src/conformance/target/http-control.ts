import type { Clock } from '../../runtime/index.ts';
import { CannotTest } from '../engine/judge.ts';
import type { HttpClient } from '../http/http-client.ts';
import { Recorder } from '../http/recorder.ts';

/** What the control API of a mock, or one with the same routes, can do for the suite. */
export interface TargetControl {
  /** Moves the clock forward. Milliseconds. */
  advance(by: number): Promise<void>;
  /** Makes a service accept a provider. */
  trust(entry: { readonly issuer: string; readonly jwksUri: string }): Promise<void>;
  /** Publishes a new signing key that signs after so many milliseconds. */
  rotate(lead: number): Promise<void>;
  /** Sets the clock to what it was before the run. */
  restore(): Promise<void>;
}

/** Where a control API is, and what opens it. */
export interface ControlUrl {
  /** The URL of the mock; its controls are below `/__mock`. */
  readonly url: string;
  readonly token: string;
}

/** The control API of a mock, over HTTP (`docs/controls.md`). Its exchanges are not in the report. */
export async function httpControl(
  http: HttpClient,
  clock: Clock,
  { url, token }: ControlUrl,
): Promise<TargetControl> {
  const call = async (path: string, body?: unknown) => {
    const answer = await http.send(
      `${url.replace(/\/$/, '')}/__mock${path}`,
      {
        headers: [
          ['content-type', 'application/json'],
          ['authorization', `Bearer ${token}`],
        ],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      new Recorder(clock),
    );
    if (answer.ok) return answer;
    throw new CannotTest(`The control API refused /__mock${path}: ${answer.describe()}.`);
  };
  const offset = (await call('')).member('clock_offset_ms');
  return {
    advance: async (by) => {
      await call('/clock', { advance: inSeconds(by) });
    },
    trust: async ({ issuer, jwksUri }) => {
      await call('/trust', { issuer, jwks_uri: jwksUri });
    },
    rotate: async (lead) => {
      await call('/keys/rotate', { lead: inSeconds(lead) });
    },
    restore: async () => {
      if (typeof offset === 'number') await call('/clock', { offset_ms: offset });
    },
  };
}

/** Milliseconds as a duration of the command line and the control API, rounded up: `61s`. */
function inSeconds(ms: number): string {
  return `${Math.ceil(ms / 1000)}s`;
}
