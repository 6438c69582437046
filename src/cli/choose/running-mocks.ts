import { AUTHORIZATION_SERVER_PATH, isLoopbackHost, urlProblem } from '../../protocol/urls.ts';
import { NetworkError } from '../../runtime/ports.ts';
import { startDeadline } from '../../runtime/system-deadline.ts';
import type { Context } from '../shell/context.ts';
import { RuntimeFiles } from '../shell/runtime-files.ts';

const PROBE_TIMEOUT = 5_000;

/** URLs of mocks on this machine that answer, newest first. */
export async function runningMocks(
  context: Context,
  part: 'service' | 'provider',
): Promise<readonly string[]> {
  const running: string[] = [];
  for (const mock of new RuntimeFiles(context.world.environment).list()) {
    const url = mock[part];
    if (url !== null && (await answers(context, url))) running.push(url);
  }
  return running;
}

/** A pid is used again after a restart, so the URL has to answer too. */
async function answers(context: Context, url: string): Promise<boolean> {
  if (urlProblem(url) !== undefined || !isLoopbackHost(new URL(url).hostname)) {
    return false;
  }
  const { signal, end } = startDeadline(PROBE_TIMEOUT, context.interrupt.signal);
  try {
    const fetch = await context.fetch();
    const response = await fetch(url + AUTHORIZATION_SERVER_PATH, { signal });
    // Not awaited: a stream that does not end need not end its cancelling either.
    response.body?.cancel().catch(() => {});
    return response.status === 200;
  } catch (error) {
    // It runs, and the command that goes there explains what to do about its certificate.
    return error instanceof NetworkError && error.code === 'tls';
  } finally {
    end();
  }
}
