/**
 * How an address is shown in a browser. `onFailure` is told why when the launcher gave up, also later.
 */
export type OpenBrowser = (address: string, onFailure: (reason: string) => void) => Promise<void>;

export const BROWSER_MODES = ['auto', 'never', 'always'] as const;
export type BrowserMode = (typeof BROWSER_MODES)[number];

/** Through the machine's own launcher, without a shell. That it started does not mean it was seen. */
export const openSystemBrowser: OpenBrowser = async (address, onFailure) => {
  try {
    const { default: open } = await import('open');
    const launcher = await open(address);
    launcher.once('error', () => onFailure('nothing on this machine opens pages'));
    launcher.once('exit', (code) => {
      if (code !== null && code !== 0) onFailure(`the launcher ended with ${code}`);
    });
  } catch {
    onFailure('nothing on this machine opens pages');
  }
};
