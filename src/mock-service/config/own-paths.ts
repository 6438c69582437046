import { CONTROL_ROOT } from '../../mock/controls/control-paths.ts';
import { FAVICON_PATH } from '../../mock/pages/favicon.ts';
import { STYLE_PATH } from '../../mock/pages/style.ts';
import { SIGN_IN_PATH, SIGN_OUT_PATH } from '../../mock/sessions/sign-in-routes.ts';
import { CATALOG_ROOT, LISTING_PATHS, PATHS } from './paths.ts';

/** What the service answers itself. Its MCP server makes room for a resource at the same path. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.values(PATHS).filter((path) => path !== PATHS.mcp),
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  STYLE_PATH,
  FAVICON_PATH,
  ...LISTING_PATHS,
]);

/** The paths below which nothing is anybody else's. */
export const OWN_ROOTS = ['/.well-known', CONTROL_ROOT, PATHS.claimLink];

/** Whether the service answers a path itself, whatever its resources are. */
export function isOwnPath(path: string): boolean {
  return OWN.has(path) || OWN_ROOTS.some((root) => path === root || path.startsWith(`${root}/`));
}

/**
 * Why a resource cannot be at a path; undefined when it can. Below `/v2` it can where it names its first
 * segment, as the directory's services do; what ends in a format is theirs.
 */
export function ownPathProblem(path: string): string | undefined {
  const root = path.replace(/\/\*$/, '') || '/*';
  if (isOwnPath(root)) return `the mock answers ${root} itself`;
  if (root !== CATALOG_ROOT && !root.startsWith(`${CATALOG_ROOT}/`)) return undefined;
  if (/^\/v2\/[^/{]+/.test(root) && !/\.(?:json|xml)$/.test(root)) return undefined;
  return `the directory answers ${root} itself`;
}
