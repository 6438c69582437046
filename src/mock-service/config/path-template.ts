/** A path with variables, as OpenAPI 3 writes them, and as the router does. */
export interface PathTemplate {
  /** The template as it was given. */
  readonly path: string;
  /** The same for two templates that match the same paths: names of variables do not count. */
  readonly shape: string;
  /** The template as the router takes it. */
  readonly pattern: string;
  /** Whether its first segment can be anything. */
  readonly isOpenEnded: boolean;
  /**
   * How well it fits: of two templates that match a path the one of the smaller rank does, literal before variable
   * before tail.
   */
  readonly rank: string;
  /** Whether a path, as it was sent, is meant. */
  matches(pathname: string): boolean;
}

/** What a segment may hold beside variables (RFC 3986 §3.3), but for escapes and `*`. */
const LITERAL = "[A-Za-z0-9\\-._~!$&'()+,;=:@]+";
const SEGMENT = new RegExp(`^(?:${LITERAL}|\\{[^{}/]+\\})+$`);
const VARIABLE = /\{[^{}/]+\}/g;
const TAIL = '/*';
const LONGEST = 512;
/** More in one segment would let a long path keep the matcher busy. */
const MOST_VARIABLES = 3;

/** A template; a text that says what is wrong with the path when it is none. */
export function readPathTemplate(path: string): PathTemplate | string {
  if (!path.startsWith('/')) return 'the path has to begin with /';
  if (path.length > LONGEST) return `the path is longer than ${LONGEST} characters`;
  const hasTail = path.endsWith(TAIL);
  const plain = hasTail ? path.slice(0, -TAIL.length) : path;
  const segments = plain.split('/').slice(1);
  const problem = segments
    .map((segment, at) => segmentProblem(segment, at > 0 && at === segments.length - 1 && !hasTail))
    .find((found) => found !== undefined);
  if (problem !== undefined) return problem;
  const shape = plain.replaceAll(VARIABLE, '{}') + (hasTail ? TAIL : '');
  const matcher = new RegExp(
    `^${segments.map((segment) => `/${toRegExp(segment)}`).join('')}${hasTail ? '(?:/.*)?' : ''}$`,
  );
  return {
    path,
    shape,
    pattern: `${segments.map((segment, at) => `/${toPattern(segment, at)}`).join('')}${hasTail ? TAIL : ''}`,
    isOpenEnded: shape === TAIL || shape.startsWith('/{}'),
    rank: segments.map(rankOf).join('') + (hasTail ? '3' : ''),
    matches: (pathname) => matcher.test(pathname),
  };
}

/** Whether every path that `inner` matches is matched by `outer` as well. */
export function subsumes(outer: PathTemplate, inner: PathTemplate): boolean {
  if (inner.shape.endsWith(TAIL) && !outer.shape.endsWith(TAIL)) return false;
  // No literal has this character, so only a variable matches it.
  return outer.matches(inner.shape.replaceAll('{}', '|').replace(/\*$/, '|'));
}

/** A path that a template matches, to show: its variables are 1. */
export function samplePath(path: string): string {
  return path.replace(/\/\*$/, '').replaceAll(VARIABLE, '1') || '/';
}

function segmentProblem(segment: string, mayBeEmpty: boolean): string | undefined {
  if (segment === '') return mayBeEmpty ? undefined : 'the path has an empty segment';
  if (/^\.{1,2}$/.test(segment)) return 'the path has a segment . or ..';
  if (segment.startsWith(':')) return `a variable is written {${segment.slice(1)}}`;
  if (segment.includes('*')) return '* can only be the last segment of a path';
  if (!SEGMENT.test(segment)) {
    return "a path takes letters, digits, -._~!$&'()+,;=:@ and variables like {id}";
  }
  if (/\}\{/.test(segment)) return 'two variables need something between them';
  const variables = segment.match(VARIABLE)?.length ?? 0;
  if (variables <= MOST_VARIABLES) return undefined;
  return `a segment takes at most ${MOST_VARIABLES} variables`;
}

function rankOf(segment: string): string {
  if (!segment.includes('{')) return '0';
  return segment.replaceAll(VARIABLE, '') === '' ? '2' : '1';
}

function toPattern(segment: string, at: number): string {
  const rank = rankOf(segment);
  if (rank === '0') return segment;
  return rank === '2' ? `:p${at}` : `:p${at}{${toRegExp(segment)}}`;
}

function toRegExp(segment: string): string {
  return segment
    .split(VARIABLE)
    .map((literal) => literal.replace(/[.$()+]/g, '\\$&'))
    .join('[^/]+');
}
