import type { ProxyFor } from '../../runtime/proxy.ts';
import { trustedRoots } from '../../runtime/system-roots.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { readAuthorities } from '../shell/authorities.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { readNetwork } from '../shell/network.ts';
import { type RunningMock, RuntimeFiles } from '../shell/runtime-files.ts';

interface FoundControl {
  readonly url: string;
  readonly token: string;
}

/** How the target is reached. */
interface FoundMock {
  readonly control: FoundControl | undefined;
  readonly proxyFor: ProxyFor;
  /** PEM of every authority to trust, with that of `--ca` or of the mock; undefined: those of Node. */
  readonly ca: string | undefined;
}

/**
 * The control API for a run: the one that `--control` names, with the token of the environment or of the
 * mock that listens there; else that of the target, when it is a mock that runs on this machine.
 * @param asked `false` with `--no-control`.
 * @throws CliError (usage) when there is no token for the one that was named.
 */
export async function findControl(
  context: Context,
  part: 'service' | 'provider',
  target: string,
  asked: string | false | undefined,
): Promise<FoundMock> {
  const { environment } = context.world;
  const mocks = new RuntimeFiles(environment).list();
  const mock = mocks.find((each) => isAt(each, part, target));
  const own = mock?.ca ?? undefined;
  const file =
    (await context.authorities()) ??
    (own === undefined ? undefined : await readAuthorities(own, context.interrupt.signal));
  const ca = file === undefined ? undefined : trustedRoots([file.pem]).join('\n');
  const { proxyFor } = readNetwork(environment.source, file);
  if (asked === false) return { control: undefined, ca, proxyFor };
  if (asked === undefined) {
    const url = mock?.control?.[part];
    const control = mock?.control && url ? { url, token: mock.control.token } : undefined;
    return { control, ca, proxyFor };
  }
  const url = absoluteUrl(asked, 'The URL of --control');
  const token =
    environment.controlToken ?? mocks.find((each) => isAt(each, part, url))?.control?.token;
  if (token === undefined) {
    throw usageError(`There is no token for the control API at ${url}.`, {
      code: 'control_token_missing',
      hint: 'Set AGENT_AUTH_CONTROL_TOKEN; for a mock that runs on this machine none is needed.',
    });
  }
  return { control: { url, token }, ca, proxyFor };
}

function isAt(mock: RunningMock, part: 'service' | 'provider', url: string): boolean {
  const { origin } = new URL(url);
  return [mock[part], mock.control?.[part]].some(
    (own) => typeof own === 'string' && URL.canParse(own) && new URL(own).origin === origin,
  );
}
