import { URL_PROBLEMS } from '../../agent/http/url-problems.ts';
import { absoluteFromTyped } from '../../protocol/typed-url.ts';
import { urlProblem } from '../../protocol/urls.ts';
import { usageError } from '../shell/cli-error.ts';
import { isNearby } from '../shell/nearby-host.ts';

/**
 * The URL that a user typed, made absolute: a bare host such as `localhost:4800` gets `http`
 * when it is this machine and `https` otherwise.
 * @throws CliError (usage) for a URL that may not be requested.
 */
export function absoluteUrl(typed: string, where = 'The service URL'): string {
  const absolute = absoluteFromTyped(typed);
  const problem = urlProblem(absolute);
  if (problem !== undefined) {
    const isContainer = problem === 'not_https' && isNearby(absolute);
    throw usageError(`${where} cannot be used: ${URL_PROBLEMS[problem]}.`, {
      code: 'bad_address',
      ...(isContainer && {
        hint:
          'Where it is another container, lead a port of this machine to it: ' +
          'docs/test-in-ci.md says how.',
      }),
    });
  }
  return absolute;
}
