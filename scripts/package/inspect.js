import { checkPackage, Package } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** How the package can be imported: the profile `esm-only` of are-the-types-wrong leaves `require` and `node10` out. */
const RESOLUTIONS = /** @type {const} */ (['node16-esm', 'bundler']);

/**
 * What publint, its suggestions too, and are-the-types-wrong find wrong with a package.
 * @param {ReadonlyMap<string, Uint8Array>} files what the package holds, by path from its root
 * @returns {Promise<readonly string[]>} a line each
 */
export async function inspect(files) {
  const found = await Promise.all([lint(files), judgeTypes(files)]);
  return found.flat();
}

async function lint(/** @type {ReadonlyMap<string, Uint8Array>} */ files) {
  const given = [...files].map(([name, data]) => ({ name: `package/${name}`, data }));
  const { messages, pkg } = await publint({
    pkgDir: 'package',
    pack: { files: given },
    strict: true,
  });
  return messages.map(
    (message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
  );
}

async function judgeTypes(/** @type {ReadonlyMap<string, Uint8Array>} */ files) {
  const { name, version } = JSON.parse(Buffer.from(files.get('package.json') ?? []).toString());
  const root = `/node_modules/${name}/`;
  const given = Object.fromEntries([...files].map(([path, data]) => [root + path, data]));
  const result = await checkPackage(new Package(given, name, version));
  if (result.types === false) return ['are-the-types-wrong: the package has no types'];
  const doors = Object.values(result.entrypoints);
  return result.problems
    .filter((problem) =>
      RESOLUTIONS.some((kind) => problemAffectsResolutionKind(problem, kind, result)),
    )
    .map((problem) => {
      const index = result.problems.indexOf(problem);
      const where = doors.flatMap(({ subpath, resolutions }) =>
        RESOLUTIONS.filter((kind) => resolutions[kind].visibleProblems?.includes(index)).map(
          (kind) => `${subpath} (${kind})`,
        ),
      );
      return `are-the-types-wrong: ${problem.kind} at ${where.join(', ')}${detail(problem)}`;
    });
}

function detail(/** @type {import('@arethetypeswrong/core').Problem} */ problem) {
  if ('moduleSpecifier' in problem)
    return `: ${problem.fileName} imports ${problem.moduleSpecifier}`;
  return 'typesFileName' in problem ? `: ${problem.typesFileName}` : '';
}
