import type { Judge } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';

/** A list with at least one element, each of a kind; texts by default. */
export function isList(
  value: unknown,
  isRight: (item: unknown) => boolean = (item) => typeof item === 'string',
): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRight);
}

/** Names of members that are lists without elements. */
export function emptyMembers(
  members: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    Array.isArray(value) && value.length === 0 && !allowed.includes(name) ? [name] : [],
  );
}

/** What is public may be kept, and read from everywhere. */
export function judgePublic(judge: Judge<'cacheable' | 'any-origin'>, answer: Answer): void {
  const directives = answer.cacheControl;
  const seconds = Number(directives.find((each) => each.startsWith('max-age='))?.slice(8));
  judge.expect(
    'cacheable',
    seconds > 0 && !directives.includes('no-store'),
    `Cache-Control: ${answer.header('cache-control') ?? 'none'}`,
    { exchange: answer.exchange },
  );
  judge.expect(
    'any-origin',
    answer.header('access-control-allow-origin') === '*',
    `Access-Control-Allow-Origin: ${answer.header('access-control-allow-origin') ?? 'none'}`,
    { exchange: answer.exchange },
  );
}
