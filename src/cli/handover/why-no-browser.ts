import type { Context } from '../shell/context.ts';
import type { HeadlessReason } from '../shell/environment.ts';
import type { BrowserMode } from '../terminal/browser.ts';

type NoBrowserReason = 'never' | 'no_terminal' | HeadlessReason;

/** Why a browser would not be opened here, as the rest of a sentence that begins with "because". */
export const NO_BROWSER_TEXT: Readonly<Record<NoBrowserReason, string>> = {
  never: '--browser never was given',
  no_terminal: 'stdin and stdout are not both a terminal',
  ci: 'CI is set',
  ssh: 'this is an SSH session',
  container: 'this is a container',
  no_display: 'neither DISPLAY nor WAYLAND_DISPLAY is set',
};

/**
 * Why the user's page would not be opened on this machine; `undefined` when it would. The claim screen
 * and `doctor` share this decision: a browser opened here is seen by the waiting user only where stdin
 * and stdout are a terminal and the environment has a display.
 */
export function whyNoBrowser({ world }: Context, mode: BrowserMode): NoBrowserReason | undefined {
  if (mode !== 'auto') return mode === 'never' ? 'never' : undefined;
  const { streams, environment } = world;
  if (!streams.stdin.isTTY || !streams.stdout.isTTY) return 'no_terminal';
  return environment.headless();
}
