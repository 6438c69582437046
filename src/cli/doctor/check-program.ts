import { readEngine, readVersion } from '../shell/version.ts';
import { type Check, type CheckGroup, ok } from './check.ts';

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
};

/** The program and what it runs on. */
export function checkProgram(): CheckGroup {
  return {
    title: 'Program',
    checks: [
      ok('version', `agent-auth ${readVersion()}.`, { details: { version: readVersion() } }),
      checkNode(process.versions.node, readEngine()),
      ok('platform', `${SYSTEMS[process.platform] ?? process.platform}, ${process.arch}`, {
        details: { platform: process.platform, arch: process.arch },
      }),
    ],
  };
}

/** @param needed as in package.json: `^20.19.0 || >=24`. */
export function checkNode(version: string, needed: string): Check {
  const details = { version, needed };
  if (needed.split(' || ').some((range) => isWithin(version, range)))
    return ok('node', `Node ${version}.`, { details });
  return {
    id: 'node',
    status: 'fail',
    summary: `Node ${version} is too old: ${needed} is needed.`,
    hint: 'Install a newer Node.',
    details,
  };
}

/** @param range `^20.19.0`, of that major version alone, or `>=24`. */
function isWithin(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [first = 0, least = 0] = range.replace(/^\D*/, '').split('.').map(Number);
  if (major === first) return minor >= least;
  return range.startsWith('>=') && major > first;
}
