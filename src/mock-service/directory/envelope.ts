import type { Envelope, WireProblem } from '../../mock/index.ts';
import type { Clock } from '../../runtime/index.ts';
import { type DirectoryStatus, directoryReply } from './answer.ts';
import { findOpenMethod } from './open-methods.ts';
import { readDirectoryPath } from './path.ts';

/** As published for a call without a key: there is no count of what was not served. */
const NOT_COUNTED = -1;

/**
 * Problems in the directory's own shape: JSON, or XML where that was asked for. HTTP carries the true
 * status, `meta.status` the nearest one that the directory has published.
 */
export function directoryEnvelope(clock: Clock): Envelope {
  return (problem, request) => {
    const path = readDirectoryPath(new URL(request.url).pathname);
    const methodId = problem.members['method_id'] ?? (path && findOpenMethod(path)?.id);
    return directoryReply({
      format: path?.format ?? 'json',
      httpStatus: problem.status,
      headers: problem.headers,
      requests: NOT_COUNTED,
      now: clock.now(),
      status: publishedStatus(problem),
      methodId: typeof methodId === 'number' ? methodId : null,
      data: {},
    });
  };
}

/** The published list has neither 404 nor 503: of its codes, 429 alone asks a client to come back later. */
function publishedStatus({ code, status, surface }: WireProblem): DirectoryStatus {
  if (surface === 'resource') {
    if (code === 'missing_token') return 511;
    return code === 'insufficient_scope' ? 403 : 401;
  }
  return status === 503 ? 429 : 501;
}
