/** Opens a URL in a browser. `onFailure` gets the reason when the launcher fails, also later. */
export type OpenBrowser = (url: string, onFailure: (reason: string) => void) => Promise<void>;

export const BROWSER_MODES = ['auto', 'never', 'always'] as const;
export type BrowserMode = (typeof BROWSER_MODES)[number];

/** Through the machine's own launcher, without a shell. That it started does not mean that the page is seen. */
export const openSystemBrowser: OpenBrowser = async (url, onFailure) => {
  try {
    const { default: open } = await import('open');
    const launcher = await open(url);
    launcher.once('error', () => onFailure('no browser was found on this machine'));
    launcher.once('exit', (code) => {
      if (code !== null && code !== 0) onFailure(`the launcher exited with ${code}`);
    });
  } catch {
    onFailure('no browser was found on this machine');
  }
};
