import { callControl } from '../mock/controls/control.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { showLink } from '../shell/ready.ts';
import { type RunningProxy, RuntimeFiles } from '../shell/runtime-files.ts';

export interface ProxyOpenFlags {
  /** Where its live view is, an origin. */
  readonly live?: string;
  readonly print?: true;
}

/** Gets a new link to the live view of a running proxy, and opens it where there is somebody to look at it. */
export async function proxyOpen(
  context: Context,
  { live, print }: ProxyOpenFlags,
): Promise<Outcome> {
  const proxy = chosen(new RuntimeFiles(context.world.environment).listProxies(), live);
  const target = { origin: proxy.live, token: proxy.token, ca: null };
  const { url } = await callControl(context, target, '/live', {});
  const link = String(url);
  const told = { schema: 'proxyOpen', json: () => ({ to: proxy.to, url: link }) } as const;
  return showLink(context, told, link, print === true);
}

/** @throws CliError (usage) when there is none, or not clear which one is meant. */
function chosen(running: readonly RunningProxy[], live: string | undefined): RunningProxy {
  const meant =
    live === undefined ? running : running.filter((proxy) => proxy.live === new URL(live).origin);
  const [only, another] = meant;
  if (only === undefined) {
    throw usageError(
      live === undefined
        ? 'No proxy with a live view is running on this machine.'
        : `No proxy on this machine has its live view at ${live}.`,
      { code: 'proxy_missing', hint: 'Start one with proxy --to URL, without --no-live.' },
    );
  }
  if (another === undefined) return only;
  const all = meant.map((proxy) => `--live ${proxy.live} (to ${proxy.to})`);
  throw usageError('Several proxies are running on this machine.', {
    code: 'proxy_ambiguous',
    hint: `Name one: ${all.join(', ')}.`,
  });
}
