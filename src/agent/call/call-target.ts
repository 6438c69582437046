import { displayText, isSameOrigin } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';

/**
 * The URL that a call goes to: a path is taken on the service's origin; a URL must be there
 * already, because the token goes nowhere else. @throws AgentError `call_elsewhere` or `bad_address`.
 */
export function callTarget(target: string, resource: string): string {
  if (!URL.canParse(target, resource)) {
    throw new AgentError(`That is neither a URL nor a path: ${displayText(target, 100)}.`, {
      code: 'bad_address',
    });
  }
  const url = new URL(target, resource.endsWith('/') ? resource : `${resource}/`);
  // Judged after resolving: `//host` and `/\host` are URLs elsewhere, too.
  if (!isSameOrigin(url.href, resource)) {
    throw new AgentError(
      `The token is for ${displayText(resource, 100)} and is not sent to ${url.origin}.`,
      {
        code: 'call_elsewhere',
        hint: 'Give a path, or a URL of the service that you are registered at.',
      },
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new AgentError('The URL contains a user name or a password.', { code: 'bad_address' });
  }
  url.hash = '';
  return url.href;
}
