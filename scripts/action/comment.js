import { readFileSync } from 'node:fs';

/**
 * `comment.js ROLE FILE` posts the file as a comment on the pull request of this run, or edits the comment that an
 * earlier run posted. The token comes from the environment alone. Nothing here fails the step: a token of a
 * fork may not write.
 */

const { env } = process;
const [role = '', file = ''] = process.argv.slice(2);
const API = env['GITHUB_API_URL'] ?? 'https://api.github.com';
/** How long one answer may take. Milliseconds. */
const TIMEOUT = 20_000;
const MOST_PAGES = 20;
/** Who may write here. A marker that anybody else wrote is no comment of ours. */
const WRITERS = ['OWNER', 'MEMBER', 'COLLABORATOR'];

/** @typedef {{ id: number, body?: string | null, user?: { type?: string } | null, author_association?: string }} Comment */

/** @param {string} text of one line: a runner takes lines for commands of its own */
function warn(text) {
  const line = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::warning title=agent-auth conformance::${line}\n`);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function request(method, path, body) {
  const response = await fetch(`${API}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env['INPUT_GITHUB_TOKEN'] ?? ''}`,
      'content-type': 'application/json',
      'user-agent': 'agent-auth-conformance',
      'x-github-api-version': '2022-11-28',
    },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}.`);
  return response.json();
}

/**
 * @param {string} comments path of the comments of the pull request
 * @param {string} marker
 * @returns {Promise<Comment | undefined>}
 */
async function findOwn(comments, marker) {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const found = /** @type {Comment[]} */ (
      await request('GET', `${comments}?per_page=100&page=${page}`)
    );
    const own = found.find(
      ({ body, user, author_association: association }) =>
        body?.startsWith(marker) &&
        (user?.type === 'Bot' || WRITERS.includes(association ?? 'NONE')),
    );
    if (own !== undefined || found.length < 100) return own;
  }
  return undefined;
}

function numberOfPullRequest() {
  const event = JSON.parse(readFileSync(env['GITHUB_EVENT_PATH'] ?? '', 'utf8'));
  return event.pull_request?.number;
}

async function main() {
  const number = numberOfPullRequest();
  if (!Number.isSafeInteger(number)) {
    process.stdout.write('This run is not for a pull request: no comment is posted.\n');
    return;
  }
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('GITHUB_REPOSITORY names none.');
  const issues = `/repos/${repository}/issues`;
  // One comment for each role that is judged.
  const marker = `<!-- agent-auth conformance diff: ${role} -->`;
  const text = readFileSync(file, 'utf8');
  const body = `${marker}\n${text}`;
  const own = await findOwn(`${issues}/${number}/comments`, marker);
  if (own === undefined) await request('POST', `${issues}/${number}/comments`, { body });
  else await request('PATCH', `${issues}/comments/${own.id}`, { body });
  process.stdout.write(own === undefined ? 'Commented.\n' : 'Edited the earlier comment.\n');
}

try {
  await main();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  warn(`What changed was not posted as a comment: ${why}`);
}
