import { URL_PROBLEMS } from '../../agent/http/url-policy.ts';
import { absoluteFromTyped } from '../../protocol/typed-url.ts';
import { parsedUrl, urlProblem } from '../../protocol/urls.ts';
import { usageError } from '../shell/cli-error.ts';
import type { GlobalOptions } from '../shell/global-options.ts';
import { isNearby } from '../shell/nearby-host.ts';

/**
 * The URL that a user typed, made absolute: a bare host such as `localhost:4800` gets `http`
 * when it is this machine and `https` otherwise.
 * Plain `http` elsewhere takes `--allow-origin`.
 * @throws CliError (usage) for a URL that may not be requested.
 */
export function absoluteUrl(
  typed: string,
  where = 'The service URL',
  { allowOrigin }: Pick<GlobalOptions, 'allowOrigin'> = {},
): string {
  const absolute = absoluteFromTyped(typed);
  const problem = urlProblem(
    absolute,
    new Set(allowOrigin?.map((each) => parsedUrl(each)?.origin)),
  );
  if (problem !== undefined) {
    const isContainer = problem === 'not_https' && isNearby(absolute);
    throw usageError(`${where} cannot be used: ${URL_PROBLEMS[problem]}.`, {
      code: 'bad_address',
      ...(isContainer && {
        hint:
          `Where it is another container, allow it with --allow-origin ${new URL(absolute).origin}, ` +
          'or lead a port of this machine to it: docs/test-in-ci.md says how.',
      }),
    });
  }
  return absolute;
}
