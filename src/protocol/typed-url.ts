import { isLoopbackHost, parsedUrl } from './urls.ts';

/**
 * What a user typed, made absolute: a bare host such as `localhost:4800` gets `http` when it is this machine
 * and `https` otherwise. Whether it may be requested is for `urlProblem` to say.
 */
export function absoluteFromTyped(typed: string): string {
  const text = typed.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text)}://${text}`;
}

function schemeFor(bare: string): 'http' | 'https' {
  const guess = parsedUrl(`http://${bare}`);
  return guess !== undefined && isLoopbackHost(guess.hostname) ? 'http' : 'https';
}
