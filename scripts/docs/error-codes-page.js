import { importSource } from './import-source.js';
import { page, table } from './markdown.js';

/**
 * The error codes of the agent: what each means and what to do.
 *
 * @param {string} root
 */
export async function errorCodesPage(root) {
  const source = 'src/agent/code-meanings.ts';
  const { CODE_MEANINGS, KIND_MEANINGS, METHOD_OF_COMMAND } =
    /** @type {typeof import('../../src/agent/code-meanings.ts')} */ (
      await importSource(root, source)
    );
  const { AGENT_CODES } = /** @type {typeof import('../../src/agent/agent-error.ts')} */ (
    await importSource(root, 'src/agent/agent-error.ts')
  );
  /** @type {Readonly<Record<string, string>>} */
  const kindOf = AGENT_CODES;
  const sections = Object.entries(KIND_MEANINGS).map(([kind, meaning]) => {
    const rows = Object.entries(CODE_MEANINGS)
      .filter(([code]) => kindOf[code] === kind)
      .map(([code, { means, advice }]) => [`\`${code}\``, means, advice]);
    return `## ${kind}\n\n${meaning}\n\n${table(['code', 'what happened', 'what to do'], rows)}`;
  });
  const methods = Object.entries(METHOD_OF_COMMAND).map(([command, method]) => [
    `\`${command}\``,
    method === null ? 'none: the program alone has it' : `\`${method}\``,
  ]);
  return page(
    'Error codes of the agent',
    `${source}\` and \`src/agent/agent-error.ts`,
    'What `code` and `kind` of an `AgentError` say, and what to do. [Which method rejects with which](library.md#what-resolves-and-what-rejects) is in the guide. The program prints the same codes; the kind is its [exit code](exit-codes.md).',
    [
      'Where a service or a provider refused, `problem` has its answer, and `code` is that of the wire under its own name: [wire codes](wire-codes.md) says of each what the agent does next. Those that a `call` or a `token` most often ends with: `access_denied` (the user denied the claim: ask nobody again), `insufficient_scope` (a claim may add it) and `rate_limited` (wait as long as `problem.retryAfter` says). `retryable` says whether the same call can succeed later without a change.',
      ...sections,
      '## next\n\n`error.next` is a step that would help, as a command of the program: `command`, `args`, and `needs`, those of `args` that stand for what only a user knows, such as `EMAIL`. It is `undefined` where no step helps. In the library, the method of the same meaning is:',
      table(['command', 'method'], methods),
    ].join('\n\n'),
  );
}
