/**
 * @typedef {object} Advisory
 * @property {string} title
 * @property {string} url
 * @property {string} severity `low`, `moderate`, `high` or `critical`
 */

/**
 * @typedef {object} AuditReport what `npm audit --json` prints
 * @property {Readonly<Record<string, {
 *   name: string,
 *   nodes: readonly string[],
 *   via: readonly (string | Advisory)[],
 * }>>} [vulnerabilities] by package; a text in `via` names another package of the report
 * @property {string} [message] why there is no report
 */

const STOPPING = ['high', 'critical'];

/**
 * What is known against the packages that a version ships; tools are left out.
 * @param {AuditReport} report
 * @param {ReadonlySet<string>} shipped their paths in the lock file
 * @returns {readonly { line: string, stops: boolean }[]} `stops`: there should be no release with it
 * @throws {Error} where npm could not ask
 */
export function advisoriesOf({ vulnerabilities, message }, shipped) {
  if (vulnerabilities === undefined) throw new Error(`npm audit: ${message ?? 'no report'}`);
  return Object.values(vulnerabilities)
    .filter(({ nodes }) => nodes.some((path) => shipped.has(path)))
    .flatMap(({ name, via }) =>
      via.flatMap((each) => {
        if (typeof each === 'string') return [];
        const { severity, title, url } = each;
        return [
          { line: `${name}: ${severity}: ${title} ${url}`, stops: STOPPING.includes(severity) },
        ];
      }),
    );
}
