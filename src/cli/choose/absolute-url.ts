import { URL_PROBLEMS } from '../../agent/http/url-problems.ts';
import { isLoopbackHost, urlProblem } from '../../protocol/urls.ts';
import { usageError } from '../shell/cli-error.ts';

/**
 * The URL that a user typed, made absolute: a bare host such as `localhost:4800` gets `http`
 * when it is this machine and `https` otherwise.
 * @throws CliError (usage) for a URL that may not be requested.
 */
export function absoluteUrl(typed: string, where = 'The service URL'): string {
  const text = typed.trim();
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text)}://${text}`;
  const problem = urlProblem(absolute);
  if (problem !== undefined) {
    throw usageError(`${where} cannot be used: ${URL_PROBLEMS[problem]}.`, { code: 'bad_address' });
  }
  return absolute;
}

function schemeFor(bare: string): 'http' | 'https' {
  const guess = `http://${bare}`;
  return URL.canParse(guess) && isLoopbackHost(new URL(guess).hostname) ? 'http' : 'https';
}
